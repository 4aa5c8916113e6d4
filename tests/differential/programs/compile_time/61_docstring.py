"""The module's docstring."""


class C:
    """The class's."""


def f():
    """The function's."""


print(__doc__, C.__doc__, f.__doc__)
