while True:
    print("y" * 1000)
