# Annotations are not evaluated, and are kept as text.
from __future__ import annotations

import dataclasses


@dataclasses.dataclass
class Node:
    next: Missing | None = None
    items: list[Unknown] = dataclasses.field(default_factory=list)


def f(x: Nowhere) -> Nothing: ...


print(f.__annotations__, [field.type for field in dataclasses.fields(Node)], annotations.compiler_flag > 0)
