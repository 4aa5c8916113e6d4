import collections
import enum
import typing

P = collections.namedtuple("P", "x y")
E = enum.Enum("E", "A B")


class T(typing.NamedTuple):
    a: int


print(P.__module__, E.__module__, T.__module__)
print(P(1, 2), E.A, T(3))
