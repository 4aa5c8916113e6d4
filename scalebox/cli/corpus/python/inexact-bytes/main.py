print("a   b")
