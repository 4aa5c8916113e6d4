# Dataclasses and type hints resolve names in this module.
import dataclasses
import typing


@dataclasses.dataclass(order=True, kw_only=True)
class Item:
    weight: "int"
    name: "typing.Optional[Other]" = dataclasses.field(default=None, compare=False)


class Other: ...


print(typing.get_type_hints(Item), Item(weight=1) < Item(weight=2), dataclasses.asdict(Item(weight=3)))
print(Item.__module__, dataclasses.make_dataclass("Made", ["x"]).__module__)
