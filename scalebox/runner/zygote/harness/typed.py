"""Carry values between program and test code with their types kept; rebuilds only from a closed table, never by name at will.

What the standard library can rebuild crosses as data (``Counter``, ``deque``, ``date``, ``Decimal``, views, …) and numpy's
arrays where numpy is loaded. An object of neither kind stays where it is: ``{"$here": ..}`` presents an object of the
sender, ``{"$there": n}`` names one of the receiver, ``{"$arg": n}`` the n-th container among the arguments of a call.
"""

from __future__ import annotations

import builtins
import sys

from scalebox.runner.zygote.harness import codec
from scalebox.runner.zygote.harness.codec import Encoder, Undecodable, base64, list_of, pairs_of, quote, text_of
from scalebox.runner.zygote.harness.names import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CLASSES: dict[str, str] = {
    "collections": "ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque",
    "datetime": "date datetime time timedelta timezone",
    "decimal": "Decimal",
    "fractions": "Fraction",
    "enum": "Enum IntEnum Flag IntFlag",
    "abc": "ABC",
    "typing": "Any Callable Dict FrozenSet Generic Iterable Iterator List Optional Sequence Set Tuple Type Union",
}
"""What a program may name in the standard library and have the test code's own copy meant; classes and nothing that acts."""
_CLASS_NAMES = frozenset(f"{module}.{name}" for module, names in _CLASSES.items() for name in names.split())
_BUILTIN_CLASSES = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, type) and name != "super" and not name.startswith("_")
}
_NAMED_CLASSES = {value: name for name, value in _BUILTIN_CLASSES.items()}
_DTYPES = words("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128")


class TypedEncoder(Encoder):
    """Plain data as in ``codec``, the table's types by their tags; anything else is left to ``stay``."""

    __slots__ = ("known",)

    def __init__(self, known: dict[int, int] | None = None) -> None:
        super().__init__()
        self.known = known
        """Identity -> number, of containers to be named rather than copied."""

    def stay(self, value: object) -> str:
        """Text for an object that does not cross."""
        raise NotImplementedError

    def text(self, value: object) -> str:
        """The text of any value."""
        if self.known is not None and id(value) in self.known:
            return f'{{"$arg":{self.known[id(value)]}}}'
        return super().text(value)

    def other(self, value: object) -> str:
        """By the table, else as ``stay`` says."""
        key = id(value)
        if key in self.path or len(self.path) >= codec.MAX_DEPTH:
            return self.stay(value)
        writer = _writer(value)
        if writer is None:
            return self.stay(value)
        self.path.add(key)
        try:
            return writer(self, value)
        finally:
            self.path.discard(key)


def _tagged(tag: str, *parts: str) -> str:
    return f'{{"${tag}":[{",".join(parts)}]}}'


def _writer(value: object) -> Callable[[Encoder, object], str] | None:
    kind = type(value)
    if kind is type and value in _NAMED_CLASSES:
        return lambda _encoder, item: f'{{"$class":{quote(_NAMED_CLASSES[item])}}}'  # type: ignore[index]  # it is there
    simple = _SIMPLE.get(kind)
    if simple is not None:
        return simple
    module = getattr(kind, "__module__", None)
    if type(module) is not str:
        return None
    name = f"{module}.{kind.__name__}"
    if name in _WRITERS and getattr(sys.modules.get(module), kind.__name__, None) is kind:
        return _WRITERS[name]
    if issubclass(kind, tuple) and type(getattr(kind, "_fields", None)) is tuple:
        return _namedtuple_text
    if module == "numpy" and "numpy" in sys.modules:
        return _numpy_writer(value)
    return _class_writer(value) if issubclass(kind, type) or module == "typing" else None


def _class_writer(value: object) -> Callable[[Encoder, object], str] | None:
    """For a standard class or typing name itself."""
    name = f"{getattr(value, '__module__', '')}.{getattr(value, '__name__', '')}"
    if name not in _CLASS_NAMES:
        return None
    module, _, attribute = name.partition(".")
    if getattr(sys.modules.get(module), attribute, None) is not value:
        return None
    return lambda _encoder, _value: f'{{"$class":{quote(name)}}}'


def _namedtuple_text(encoder: Encoder, value: object) -> str:
    names = list(value._fields)  # type: ignore[attr-defined]  # checked by the caller
    content = tuple.__getitem__(value, slice(None))  # type: ignore[call-overload]  # a tuple
    return _tagged("named", quote(type(value).__name__), encoder.text(names), encoder.text(list(content)))


def _numpy_writer(value: object) -> Callable[[Encoder, object], str] | None:
    dtype = str(getattr(value, "dtype", ""))
    if dtype not in _DTYPES:
        return None
    numpy = sys.modules["numpy"]
    if type(value) is numpy.ndarray:
        return lambda encoder, item: _tagged(
            "array",
            quote(dtype),
            encoder.text(list(item.shape)),  # type: ignore[attr-defined]  # an array
            encoder.text(item.ravel().tolist()),  # type: ignore[attr-defined]  # an array
        )
    if issubclass(type(value), numpy.generic):
        return lambda encoder, item: _tagged("number", quote(dtype), encoder.text(item.item()))  # type: ignore[attr-defined]
    return None


def _fields(tag: str, *names: str) -> Callable[[Encoder, object], str]:
    return lambda encoder, value: _tagged(tag, *[encoder.text(getattr(value, name)) for name in names])


def _items(tag: str) -> Callable[[Encoder, object], str]:
    return lambda encoder, value: f'{{"${tag}":{encoder.items(list(value))}}}'  # type: ignore[call-overload]  # iterable


def _default_dict_text(encoder: Encoder, value: object) -> str:
    factory = value.default_factory  # type: ignore[attr-defined]  # a defaultdict
    name = _NAMED_CLASSES.get(factory) if type(factory) is type else None
    return _tagged("defaultdict", "null" if name is None else quote(name), encoder.pairs(value))  # type: ignore[arg-type]


_SIMPLE: dict[type, Callable[[Encoder, object], str]] = {
    bytearray: lambda _encoder, value: f'{{"$bytearray":"{base64(value)}"}}',  # type: ignore[arg-type]  # by its key
    range: _fields("range", "start", "stop", "step"),
    slice: _fields("slice", "start", "stop", "step"),
    type(Ellipsis): lambda _encoder, _value: '{"$ellipsis":0}',
    type(NotImplemented): lambda _encoder, _value: '{"$notimplemented":0}',
    type({}.keys()): _items("keys"),
    type({}.values()): _items("values"),
    type({}.items()): _items("items"),
}

_WRITERS: dict[str, Callable[[Encoder, object], str]] = {
    "collections.Counter": lambda encoder, value: f'{{"$Counter":{encoder.pairs(value)}}}',  # type: ignore[arg-type]
    "collections.OrderedDict": lambda encoder, value: f'{{"$OrderedDict":{encoder.pairs(value)}}}',  # type: ignore[arg-type]
    "collections.defaultdict": _default_dict_text,
    "collections.deque": lambda encoder, value: _tagged(
        "deque",
        encoder.items(list(value)),  # type: ignore[call-overload]  # a deque
        encoder.text(value.maxlen),  # type: ignore[attr-defined]  # a deque
    ),
    "datetime.date": _fields("date", "year", "month", "day"),
    "datetime.time": _fields("time", "hour", "minute", "second", "microsecond", "tzinfo"),
    "datetime.datetime": _fields(
        "datetime", "year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo"
    ),
    "datetime.timedelta": _fields("timedelta", "days", "seconds", "microseconds"),
    "datetime.timezone": lambda encoder, value: _tagged("timezone", encoder.text(value.utcoffset(None))),  # type: ignore[attr-defined]
    "decimal.Decimal": lambda _encoder, value: f'{{"$Decimal":{quote(str(value))}}}',
    "fractions.Fraction": _fields("Fraction", "numerator", "denominator"),
    "uuid.UUID": _fields("UUID", "int"),
}


def _class_from(value: object) -> object:
    name = text_of(value)
    if name in _BUILTIN_CLASSES:
        return _BUILTIN_CLASSES[name]
    if name not in _CLASS_NAMES:
        raise Undecodable(f"no class crosses as {name}")
    module, _, attribute = name.partition(".")
    return getattr(__import__(module), attribute)


def _make(module: str, name: str) -> Callable[[object], object]:
    return lambda value: getattr(__import__(module), name)(*list_of(value))


def _mapping(name: str) -> Callable[[object], object]:
    def make(value: object) -> object:
        made = getattr(__import__("collections"), name)()
        for key, item in pairs_of(value):
            made[key] = item
        return made

    return make


def _default_dict(value: object) -> object:
    factory, pairs = list_of(value)
    made = __import__("collections").defaultdict(None if factory is None else _BUILTIN_CLASSES[text_of(factory)])
    made.update(pairs_of(pairs))
    return made


_named: dict[tuple[str, ...], Callable[[object], object]] = {}


def _namedtuple(value: object) -> object:
    name, fields, content = list_of(value)
    key = (text_of(name), *map(text_of, list_of(fields)))
    if key not in _named:
        _named[key] = __import__("collections").namedtuple(key[0], key[1:])._make
    return _named[key](list_of(content))


def _array(value: object) -> object:
    dtype, shape, content = list_of(value)
    if dtype not in _DTYPES:
        raise Undecodable("no dtype that crosses")
    return __import__("numpy").array(list_of(content), dtype=dtype).reshape(shape)


def _numpy_number(value: object) -> object:
    dtype, number = list_of(value)
    if dtype not in _DTYPES:
        raise Undecodable("no dtype that crosses")
    return __import__("numpy").dtype(dtype).type(number)


def _deque(value: object) -> object:
    content, length = list_of(value)
    return __import__("collections").deque(list_of(content), length)


TAGS: dict[str, Callable[[object], object]] = {
    "$class": _class_from,
    "$bytearray": lambda value: bytearray(codec.bytes_from(value)),
    "$range": lambda value: range(*list_of(value)),  # type: ignore[call-overload]  # range checks them
    "$slice": lambda value: slice(*list_of(value)),
    "$ellipsis": lambda _value: Ellipsis,
    "$notimplemented": lambda _value: NotImplemented,
    "$keys": lambda value: dict.fromkeys(list_of(value)).keys(),
    "$values": lambda value: dict(enumerate(list_of(value))).values(),
    "$items": lambda value: dict(list_of(value)).items(),  # type: ignore[arg-type]  # dict checks them
    "$Counter": _mapping("Counter"),
    "$OrderedDict": _mapping("OrderedDict"),
    "$defaultdict": _default_dict,
    "$deque": _deque,
    "$date": _make("datetime", "date"),
    "$time": _make("datetime", "time"),
    "$datetime": _make("datetime", "datetime"),
    "$timedelta": _make("datetime", "timedelta"),
    "$timezone": _make("datetime", "timezone"),
    "$Decimal": lambda value: __import__("decimal").Decimal(text_of(value)),
    "$Fraction": _make("fractions", "Fraction"),
    "$UUID": lambda value: __import__("uuid").UUID(int=list_of(value)[0]),
    "$named": _namedtuple,
    "$array": _array,
    "$number": _numpy_number,
}
"""Tag -> what rebuilds it, beyond the plain ones."""


_LEAVES = frozenset({type(None), bool, int, float, str, bytes, complex})


def containers(values: Sequence[object], deepest: int = codec.MAX_DEPTH) -> list[object]:
    """The mutable containers in some arguments, in the one order that both sides walk them."""
    found: list[object] = []
    for value in values:
        kind = type(value)
        if kind in _LEAVES:
            continue
        if not issubclass(kind, _MUTABLE):
            if kind is tuple and deepest:
                found.extend(containers(value, deepest - 1))  # type: ignore[arg-type]  # a tuple
            elif _is_deque(kind):
                found.append(value)
            continue
        found.append(value)
        if not deepest or kind in {set, bytearray}:
            continue
        inner = value if kind is list else list(value.values())  # type: ignore[attr-defined]  # a mapping
        if not _LEAVES.issuperset(map(type, inner)):  # type: ignore[call-overload]  # a list
            found.extend(containers(inner, deepest - 1))  # type: ignore[arg-type]  # a list
    return found


_MUTABLE = (list, dict, set, bytearray)


def _is_deque(kind: type) -> bool:
    collections = sys.modules.get("collections")
    return collections is not None and kind is collections.deque


def shallow(value: object) -> list[object]:
    """What a container holds, for telling by identity whether it changed."""
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    items: list[object] = list(value)  # type: ignore[call-overload]  # iterable, as `containers` found it
    return items


def refill(target: object, content: object) -> None:
    """Make a container hold what another of the same type holds; its identity stays.

    Raises:
        Undecodable: the types differ.
    """
    if type(target) is not type(content):
        raise Undecodable("an argument changed its type")
    if isinstance(target, (list, bytearray)):
        target[:] = content  # type: ignore[call-overload]  # of the same type
        return
    target.clear()  # type: ignore[attr-defined]  # dict, set or deque
    if isinstance(target, dict):
        for key, item in content.items():  # type: ignore[attr-defined]  # a dict
            target[key] = item
    elif isinstance(target, set):
        target.update(content)  # type: ignore[arg-type]  # a set
    else:
        target.extend(content)  # type: ignore[attr-defined]  # a deque
