# Members hash by name; numbers hash alike across types.
import decimal
import enum


class Kind(enum.Enum):
    A = 1
    B = 2
    C = 3


print([member.name for member in {Kind.C, Kind.A, Kind.B}], hash(Kind.A) == hash("A"))
print(hash(decimal.Decimal("2.5")) == hash(2.5), len({1, 1.0, True, decimal.Decimal(1)}))
