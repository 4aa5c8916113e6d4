# A warning attributed to the caller by stacklevel points into this file.
import warnings


def old():
    warnings.warn("use new", UserWarning, stacklevel=2)


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    old()
print(caught[0].lineno, caught[0].filename.endswith("main.py"))
