from __future__ import annotations

import dataclasses
import typing


@dataclasses.dataclass(order=True)
class Item:
    key: int
    tags: list[str] = dataclasses.field(default_factory=list)
    kind: typing.ClassVar[str] = "k"


print(Item(1), Item(1) < Item(2))
print([f.name for f in dataclasses.fields(Item)])
print(typing.get_type_hints(Item))
