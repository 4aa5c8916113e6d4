"""Find the function a case asks for among the program's names; runs nothing but the constructor it was asked to run."""

from __future__ import annotations


def resolve(namespace: dict[str, object], function: str) -> object:
    """The object behind ``f``, ``Class().method``, ``Class.method``, or ``Solution().f`` where there is no ``f``.

    Raises:
        NameError: the program defines nothing of the kind.
    """
    head, *rest = function.split(".")
    name, called, tail = head.partition("()")
    if not name.isidentifier() or tail or not all(part.isidentifier() for part in rest):
        raise NameError(f"{function!r} names no function; write f or Class().method")
    if name in namespace:
        target = namespace[name]
        if called:
            target = target()  # type: ignore[operator]  # the program's business
    elif not rest and not called and hasattr(namespace.get("Solution"), name):
        target = getattr(namespace["Solution"](), name)  # type: ignore[operator]  # it has an attribute: a class
    else:
        raise NameError(f"the program defines no function {function!r}")
    for part in rest:
        target = getattr(target, part)
    return target
