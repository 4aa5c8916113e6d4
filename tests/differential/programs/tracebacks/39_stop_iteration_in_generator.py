def numbers():
    yield 1
    raise StopIteration


print(next(iter([5])))
for n in numbers():
    print(n)
