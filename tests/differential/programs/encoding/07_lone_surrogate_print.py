print("low surrogate escapes:", "\udc80")
print("\ud800")
