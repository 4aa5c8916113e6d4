# A namedtuple takes its module from the caller's frame, so it can be pickled.
import pickle
import typing
from collections import namedtuple

Pair = namedtuple("Pair", "left right")


class Typed(typing.NamedTuple):
    n: int
    word: str = "w"


Made = typing.NamedTuple("Made", [("x", int)])
for value in (Pair(1, 2), Typed(3), Made(4)):
    print(type(value).__module__, value, pickle.loads(pickle.dumps(value)) == value)
