def numbers():
    try:
        yield 1
        yield 2
    finally:
        print("generator closed")


stream = numbers()
print(next(stream))
