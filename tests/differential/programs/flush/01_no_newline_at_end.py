print("a", end="")
