print("a b c")
