"""What stands in the test code for objects of the program. No program answers a comparison with a value of the test code.

Attribute access, calls, items, iteration and conversions are carried out in the program's box and give plain values or
further stand-ins; two objects of the program are compared and combined there. With a value of the test code they are not:
``f(x) - 3.0`` is a TypeError where ``f`` returned an object, else the object could claim to be near 3.0. Two exceptions that
let nobody claim anything: the content of a subclass of a plain type is compared here, and an object may be multiplied by a
number where that gives an object again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from scalebox.runner.zygote.harness.session import Session

_read = object.__getattribute__
_MOST_ITEMS = 512
_EAGER_AFTER = 16


class Handle:
    """An object of the program."""

    __slots__ = ("__weakref__", "_number", "_session")

    def __init__(self, session: Session, number: int) -> None:
        object.__setattr__(self, "_session", session)
        object.__setattr__(self, "_number", number)

    def __getattribute__(self, name: str) -> object:
        """The program's attribute; the few a copy asks for are answered here."""
        if name == "__deepcopy__":
            return lambda _memo: _session(self).duplicate(self)
        if name == "__mro_entries__" and type(self) is ClassHandle:
            return _read(self, name)
        if name in _REFUSED or name.startswith("__array"):  # numpy would believe an address in it
            raise AttributeError(name)
        if name == "__class__":  # isinstance() asks for it too: no object is to pass for a plain value
            return _session(self).class_of(self)
        return _session(self).get(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        """Set the program's attribute."""
        _session(self).set(self, name, value)

    def __delattr__(self, name: str) -> None:
        """Delete the program's attribute."""
        _session(self).delete(self, name)

    def __eq__(self, other: object) -> bool:
        """The program's answer about two of its own; this side's about the content of a subclass of a plain type."""
        if self is other:
            return True
        if issubclass(type(other), Handle):
            return _session(self).operate(self, "eq", other)  # type: ignore[return-value]  # any value, as in Python
        return _session(self).content(self) == other if type(other) in _PLAIN else NotImplemented

    def __ne__(self, other: object) -> bool:
        """As equality."""
        if self is other:
            return False
        if issubclass(type(other), Handle):
            return _session(self).operate(self, "ne", other)  # type: ignore[return-value]  # any value, as in Python
        return _session(self).content(self) != other if type(other) in _PLAIN else NotImplemented

    def __hash__(self) -> int:
        """The program's hash, by which its objects find each other in sets; a plain value is still no equal."""
        return _session(self).operate(self, "hash")  # type: ignore[return-value]  # hash() checks it

    def __contains__(self, item: object) -> bool:
        """The program's answer where the text of the test says that it asks for one, else a search of the items here."""
        if _session(self).is_built(self):
            return _session(self).operate(self, "contains", item) is True
        return any(found is item or found == item for found in iter(self))

    def __len__(self) -> int:
        """The program's length."""
        return _session(self).operate(self, "len")  # type: ignore[return-value]  # len() checks it

    def __bool__(self) -> bool:
        """The program's truth."""
        return _session(self).operate(self, "truth") is True

    def __getitem__(self, key: object) -> object:
        """The program's item."""
        return _session(self).operate(self, "getitem", key)

    def __setitem__(self, key: object, value: object) -> None:
        """Set the program's item."""
        _session(self).operate(self, "setitem", key, value)

    def __delitem__(self, key: object) -> None:
        """Delete the program's item."""
        _session(self).operate(self, "delitem", key)

    def __iter__(self) -> object:
        """An iterator of the program, or its items as a list's where it iterates that way."""
        return _session(self).operate(self, "iter")

    def __reversed__(self) -> object:
        """The program's reversed iterator."""
        return _session(self).operate(self, "reversed")

    def __enter__(self) -> object:
        """Enter the program's context manager."""
        return _session(self).invoke(self, "__enter__")

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        """Leave it; it swallows only what the text of the test raises for it, never what could be a failed assertion."""
        details, may_swallow = _session(self).details(error)
        return _session(self).invoke(self, "__exit__", *details) is True and may_swallow

    async def __aenter__(self) -> object:
        """Enter the program's asynchronous context manager."""
        return await _session(self).invoke(self, "__aenter__")  # type: ignore[misc]  # a TypeError is right

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        """Leave it, as the other kind."""
        details, may_swallow = _session(self).details(error)
        return await _session(self).invoke(self, "__aexit__", *details) is True and may_swallow  # type: ignore[misc]

    def __aiter__(self) -> object:
        """The program's asynchronous iterator."""
        return _session(self).operate(self, "aiter")

    async def __anext__(self) -> object:
        """Its next item.

        Raises:
            StopAsyncIteration: it is at its end.
        """
        items = _session(self).pull_later(self)
        if not items:
            raise StopAsyncIteration
        return items[0]

    def __repr__(self) -> str:
        """The program's text for it."""
        return str(_session(self).operate(self, "repr"))

    def __str__(self) -> str:
        """The program's text for it."""
        return str(_session(self).operate(self, "str"))

    def __int__(self) -> int:
        """The program's integer for it."""
        return _session(self).operate(self, "int")  # type: ignore[return-value]  # int() checks it

    def __float__(self) -> float:
        """The program's float for it."""
        return _session(self).operate(self, "float")  # type: ignore[return-value]  # float() checks it

    def __abs__(self) -> object:
        """The program's absolute value."""
        return _session(self).operate(self, "abs")

    def __neg__(self) -> object:
        """The program's negative."""
        return _session(self).operate(self, "neg")

    def __pos__(self) -> object:
        """The program's positive."""
        return _session(self).operate(self, "pos")

    def __invert__(self) -> object:
        """The program's inverse."""
        return _session(self).operate(self, "invert")

    def __round__(self, *digits: object) -> object:
        """The program's rounding."""
        return _session(self).operate(self, "round", *digits)

    def __index__(self) -> int:
        """The program's integer for it, where it has one."""
        return _session(self).operate(self, "index")  # type: ignore[return-value]  # the caller checks it

    def __format__(self, spec: str) -> str:
        """The program's text for it."""
        return str(_session(self).operate(self, "format", spec))

    def __mul__(self, factor: object) -> object:
        """The program's product with its own, or with a number where that is an object again."""
        return _scaled(self, "mul", factor)

    def __rmul__(self, factor: object) -> object:
        """The same from the left."""
        return _scaled(self, "rmul", factor)

    def __imul__(self, factor: object) -> object:
        """The same in place."""
        return _scaled(self, "imul", factor)


_REFUSED = frozenset({
    "__copy__",
    "__reduce_ex__",
    "__reduce__",
    "__getstate__",
    "__signature__",
})


def _session(handle: Handle) -> Session:
    return _read(handle, "_session")  # type: ignore[no-any-return]  # set by the constructor


def number(handle: Handle) -> int:
    """The program's number for the object."""
    return _read(handle, "_number")  # type: ignore[no-any-return]  # set by the constructor


_PLAIN = frozenset({bool, bytes, bytearray, complex, dict, float, frozenset, int, list, set, str, tuple})


def _scaled(handle: Handle, name: str, factor: object) -> object:
    if issubclass(type(factor), Handle):
        return _session(handle).operate(handle, name, factor)
    if type(factor) not in {int, float}:
        return NotImplemented
    product = _session(handle).operate(handle, name, factor)
    return product if issubclass(type(product), Handle) else NotImplemented


def _combines(name: str) -> Callable[[Handle, object], object]:
    def combine(self: Handle, other: object) -> object:
        if not issubclass(type(other), Handle):
            return NotImplemented
        return _session(self).operate(self, name, other)

    return combine


for _name in ("add", "sub", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"):
    setattr(Handle, f"__{_name}__", _combines(f"{_name}_" if _name in {"and", "or"} else _name))
    setattr(Handle, f"__i{_name}__", _combines(f"i{_name}"))
for _name in ("lt", "le", "gt", "ge", "divmod"):
    setattr(Handle, f"__{_name}__", _combines(_name))


class FunctionHandle(Handle):
    """A function, method or other callable."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Call it in the program's box."""
        return _session(self).call(self, args, kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> object:
        """Bind like a function where test code puts it into a class."""
        if instance is None:
            return self
        import types  # test code that puts functions into classes pays for it

        return types.MethodType(self, instance)


class ClassHandle(Handle):
    """A class that is no exception."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Make an instance in the program's box."""
        return _session(self).built(self, _session(self).call(self, args, kwargs))

    def __instancecheck__(self, instance: object) -> bool:
        """Whether an object of the program is an instance; a plain value never is."""
        if type(instance) in REFINED:
            return _session(self).is_instance(refined_number(instance), self)
        return issubclass(type(instance), Handle) and _session(self).is_instance(number(instance), self)  # type: ignore[arg-type]

    def __mro_entries__(self, _bases: tuple[object, ...]) -> tuple[type, ...]:
        """A class of the test code cannot derive from one of the program; where its text says that it does, there is one box.

        Raises:
            TypeError: always.
        """
        raise TypeError("a class of the test code cannot derive from what the program returned")


class IteratorHandle(Handle):
    """An iterator; pulls one item at a time first, later several."""

    __slots__ = ("_state",)

    def __init__(self, session: Session, number: int) -> None:
        super().__init__(session, number)
        object.__setattr__(self, "_state", _Pulled())

    def __iter__(self) -> IteratorHandle:
        """Itself."""
        return self

    def __next__(self) -> object:
        """The next item.

        Raises:
            StopIteration: the program's iterator is at its end.
        """
        state: _Pulled = _read(self, "_state")
        if not state.items:
            if state.over:
                raise StopIteration
            state.calls += 1
            count = 1 if state.calls <= _EAGER_AFTER else min(2 ** (state.calls - _EAGER_AFTER), _MOST_ITEMS)
            items, state.over = _session(self).pull(self, count)
            state.items = items[::-1]
            if not items:
                raise StopIteration
        return state.items.pop()

    def __getattribute__(self, name: str) -> object:
        """``__next__`` and ``__iter__`` are ours; the rest is the program's."""
        if name in {"__next__", "__iter__"}:
            return _read(self, name)
        return Handle.__getattribute__(self, name)


class _Pulled:
    """Items on this side of the channel, in reverse."""

    __slots__ = ("calls", "items", "over")

    def __init__(self) -> None:
        self.calls = 0
        self.items: list[object] = []
        self.over = False


async def coroutine(session: Session, handle: Handle) -> object:  # ruff: ignore[unused-async]  # asyncio.run() wants a true coroutine
    """Awaited, runs the program's coroutine to its end; nothing else of the test code runs meanwhile."""
    return session.run_coroutine(handle)


def _refined_class(base: type) -> type:
    def more(self: object, name: str) -> object:
        session: Session = _read(self, "__dict__")["_session"]
        if name.startswith("__"):
            raise AttributeError(name)
        return session.attribute(refined_number(self), name)

    def copied(self: object, _memo: object = None) -> object:
        return self

    return type(base.__name__, (base,), {"__getattr__": more, "__copy__": copied, "__deepcopy__": copied})


_REFINED_CLASSES: dict[type, type] = {
    base: _refined_class(base) for base in (bytes, complex, float, frozenset, int, str, tuple)
}
REFINED = frozenset(_REFINED_CLASSES.values())
"""Plain values, compared here, of the program's own subclasses; what else they have is asked for there."""


def refined(session: Session, number: int, content: object) -> object:
    """The value that stands for one of a program's subclass of an immutable plain type."""
    value = _REFINED_CLASSES[type(content)](content)
    value.__dict__.update(_session=session, _number=number)
    return value


def refined_number(value: object) -> int:
    """The program's number for such a value."""
    return _read(value, "__dict__")["_number"]  # type: ignore[no-any-return]  # set by `refined`


HANDLES: dict[str, type[Handle]] = {
    "function": FunctionHandle,
    "class": ClassHandle,
    "iterator": IteratorHandle,
    "coroutine": Handle,
    "object": Handle,
}
