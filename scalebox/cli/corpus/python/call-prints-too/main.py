def add(a, b):
    print("adding")
    return a + b
