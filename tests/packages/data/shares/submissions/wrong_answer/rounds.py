print("0.3")
