"""The module's docstring."""

count: int = 3
name: "str" = "n"
print(__doc__)
print(__annotations__)
