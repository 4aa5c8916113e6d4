print("any of three digits" if input() == "3" else 2)
