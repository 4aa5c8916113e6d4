# The source of this file's own functions is found.
import inspect


def f(a, b=2):
    """Doc."""
    return a + b  # a comment


print(inspect.getsource(f), end="")
print(inspect.getsourcelines(f)[1], inspect.signature(f), inspect.getmodule(f).__name__)
print(inspect.getsourcefile(f).endswith("main.py"))
