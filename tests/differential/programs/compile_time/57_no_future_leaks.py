# No future import of the surroundings reaches this file, nor code compiled from it.
scope = {}
exec("def f(x: int): ...", scope)
print(scope["f"].__annotations__)


def g(x: str): ...


print(g.__annotations__, compile("1", "s", "eval").co_flags & 0x1FF0000)
