a = 3
exec("a += 4; b = a * 2")
print(a, b, eval("a + b"))


def scope():
    c = 1
    return eval("c + a"), "a" in globals(), sorted(locals())


print(scope())
