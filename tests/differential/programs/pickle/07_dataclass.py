# Dataclasses, frozen and slotted, survive.
import pickle
from dataclasses import dataclass, field


@dataclass
class Plain:
    n: int
    items: list = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Fixed:
    n: int
    word: str = "w"


for value in (Plain(1, [2]), Fixed(3)):
    back = pickle.loads(pickle.dumps(value))
    print(back, back == value, back is value)
