for i in range(20_000):
    print(i, i * i)
