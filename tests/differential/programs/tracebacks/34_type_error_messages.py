def f(a, b, *, c):
    return a


for call in (lambda: f(1), lambda: f(1, 2), lambda: f(1, 2, 3, c=1), lambda: f(1, 2, c=3, d=4)):
    try:
        call()
    except TypeError as error:
        print(error)
f()
