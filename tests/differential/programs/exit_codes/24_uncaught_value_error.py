print("before")
raise ValueError("no good")
