print("b a")
