raise ValueError("first\nsecond\nthird")
