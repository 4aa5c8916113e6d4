"""What stands in the program for objects of the test code: to call, to iterate, to read and set; nothing else reaches it."""

from __future__ import annotations

from scalebox.runner.zygote.harness.codec import quote, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from scalebox.runner.zygote.harness.program_side import ProgramSide


class Theirs:
    """Stands in the program for an object of the test code."""

    def __init__(self, peer: ProgramSide, number: int) -> None:
        object.__setattr__(self, "_peer", peer)
        object.__setattr__(self, "_number", number)


def _peer_of(value: Theirs) -> tuple[ProgramSide, str]:
    return object.__getattribute__(value, "_peer"), str(object.__getattribute__(value, "_number"))


class TheirFunction(Theirs):
    """A function the test code passed."""

    __module__ = "__main__"

    def __getattribute__(self, name: str) -> object:
        """Its name and its text are the test code's."""
        if name in {"__name__", "__qualname__", "__doc__"}:
            peer, number = _peer_of(self)
            return peer.ask_value(peer.request("get", number, quote(name)))
        return object.__getattribute__(self, name)

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Call it."""
        peer, number = _peer_of(self)
        return peer.ask_value(peer.request("call", number, peer.text(list(args)), peer.text(kwargs)))


class TheirIterator(Theirs):
    """An iterator the test code passed."""

    def __iter__(self) -> TheirIterator:
        """Itself."""
        return self

    def __next__(self) -> object:
        """Its next item."""
        peer, number = _peer_of(self)
        return peer.ask_value(peer.request("next", number))


class TheirObject(Theirs):
    """An instance of a class of the test code: public attributes and a few operations."""

    def __getattr__(self, name: str) -> object:
        """Its attribute."""
        peer, number = _peer_of(self)
        return peer.ask_value(peer.request("get", number, quote(name)))

    def __setattr__(self, name: str, value: object) -> None:
        """Set its attribute."""
        peer, number = _peer_of(self)
        peer.ask_value(peer.request("set", number, quote(name), peer.text(value)))


_classes: dict[tuple[str, ...], type[Theirs]] = {}


def with_operations(names: list[object]) -> type[Theirs]:
    """``TheirObject`` with those special methods that the object's class has."""
    key = tuple(map(text_of, names))
    if key not in _classes:
        _classes[key] = type("TheirObject", (TheirObject,), {name: _operation(name) for name in key})
    return _classes[key]


def _operation(name: str) -> Callable[..., object]:
    def operate(self: Theirs, *args: object) -> object:
        peer, number = _peer_of(self)
        return peer.ask_value(peer.request("operate", number, quote(name), peer.text(list(args))))

    return operate


THEIRS: dict[str, type[Theirs]] = {
    "function": TheirFunction,
    "iterator": TheirIterator,
    "object": TheirObject,
    "opaque": Theirs,
}
