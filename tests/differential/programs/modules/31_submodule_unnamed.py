# A package names a submodule once that is imported, by whomever.
import collections

print(hasattr(collections, "abc"))
import typing

print(hasattr(collections, "abc"), collections.abc.Mapping.__name__, typing.Mapping.__origin__ is collections.abc.Mapping)
