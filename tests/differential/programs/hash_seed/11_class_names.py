# A set of dataclass values, hashed through their fields.
from dataclasses import dataclass


@dataclass(frozen=True)
class City:
    name: str
    people: int


cities = {City("Oslo", 1), City("Rome", 3), City("Kyiv", 3), City("Lima", 10)}
print([city.name for city in cities], hash(City("Oslo", 1)))
