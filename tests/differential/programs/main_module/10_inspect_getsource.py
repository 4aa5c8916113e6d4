import inspect


def twice(x):
    # a comment that only the file has
    return 2 * x


print(inspect.getsource(twice), end="")
print(inspect.getmodule(twice).__name__)
print(inspect.getsourcelines(twice)[1])
