"""The program's end of an assert case: executes the program, then does with its objects what the test code asks.

It never sees test code: only names, argument values and words of the protocol come over the channel. All it could forge
is what its functions return, which is for the test code to judge.
"""

from __future__ import annotations

import sys
from os import getpid

from scalebox.runner.zygote.harness import typed
from scalebox.runner.zygote.harness.channel import Channel, ChannelClosed
from scalebox.runner.zygote.harness.codec import Undecodable, list_of, quote, text_of
from scalebox.runner.zygote.harness.peer import Peer, number_of
from scalebox.runner.zygote.harness.plainvalue import reduced
from scalebox.runner.zygote.harness.resolve import resolve
from scalebox.runner.zygote.harness.theirs import THEIRS, Theirs, with_operations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable
    from types import CodeType

_MAX_MESSAGE = 2000
_CONTENTS = frozenset({bytes, bytearray, complex, dict, float, frozenset, int, list, set, str, tuple})
_REFINABLE = frozenset({bytes, complex, float, frozenset, int, str, tuple})
_EXPORTED_EXCEPTION_DEPTH = 20
_EXPORTED_EXCEPTIONS = 5
"""Exceptions inside exceptions; deeper ones are objects."""


def run(code: CodeType, namespace: dict[str, object], channel_fd: int) -> None:
    """Execute the program's top level, then serve until the test code is done.

    Raises:
        BaseException: what the program's top level raises.
    """
    exec(code, namespace)  # ruff: ignore[exec-builtin] - running the program is what a box is for
    side = ProgramSide(Channel(channel_fd), namespace)
    pid = getpid()
    side.channel.send('["ready"]')
    while True:
        try:
            message = side.read()
            if message[0] == "bye":
                return
            reply = side.answer(message)
            if getpid() != pid:  # a fork of the program that returns here too has no say
                return
            side.channel.send(reply)
        except (ChannelClosed, Undecodable):
            return


class ProgramSide(Peer):
    """Serves the program's objects."""

    def __init__(self, channel: Channel, namespace: dict[str, object]) -> None:
        super().__init__(channel)
        self.namespace = namespace
        self.theirs: dict[int, object] = {}
        self.postponed: dict[int, BaseException] = {}
        """Iterator -> the exception that cut its last items short."""
        self.foreign: dict[int, tuple[BaseException, int]] = {}
        """Exceptions of the test code on their way through the program."""
        self.returning: dict[int, BaseException] = {}
        """The same by their numbers."""
        self.loop: AbstractEventLoop | None = None
        """Where asynchronous iterators run: theirs may not be closed between two items."""
        self._described = 0
        """Exceptions that are being described, each inside another."""
        self.words: dict[str, Callable[..., str]] = {
            "name": self.name,
            "entry": self.entry,
            "bind": self.bind,
            "defined": self.defined,
            "public": self.public,
            "call": self.call,
            "get": self.get,
            "set": self.set,
            "delete": self.delete,
            "operate": self.operate,
            "next": self.next,
            "anext": self.anext,
            "content": self.content,
            "copy": self.copy,
            "await": self.run_coroutine,
            "isinstance": self.isinstance,
        }

    def answer(self, message: list[object]) -> str:
        """Do what was asked; an exception of the program is a reply too."""
        try:
            return self.words[text_of(message[0])](*message[1:])
        except BaseException as error:  # ruff: ignore[blind-except] - whatever the program raises crosses by name
            return self.error(error)

    def value(self, value: object, updates: str = "[]", alias: str = "null") -> str:
        """A reply that carries a value."""
        return f'["=",{self.text(value)},{updates},{alias}]'

    # --- what can be asked ---

    def name(self, name: str) -> str:
        """Whether the program has a name, and what it is."""
        found = name in self.namespace
        return self.value([found, self.namespace[name] if found else None])

    def entry(self, function: str) -> str:
        """The function a case asks for."""
        return f'["=",{self.forced(resolve(self.namespace, function))},[],null]'

    def bind(self, name: str, value: object) -> str:
        """Bind a name of the program's module."""
        self.namespace[name] = value
        return self.value(None)

    def defined(self, names: list[str]) -> str:
        """Those of the names that the program itself defines as functions or classes."""
        own = [name for name in names if getattr(self.namespace.get(name), "__module__", None) == "solution"]
        return self.value(own)

    def public(self) -> str:
        """The names that a star import takes."""
        names = self.namespace.get("__all__")
        if names is None:
            names = [name for name in self.namespace if not name.startswith("_")]
        return self.value(list(names))  # type: ignore[call-overload]  # the program's business

    def call(self, number: int, args: list[object], kwargs: dict[str, object]) -> str:
        """Call an object; reply with the value and the arguments that changed in place."""
        function: Callable[..., object] = self.objects[number]  # type: ignore[assignment]  # a TypeError is the reply
        held = typed.containers([*args, *kwargs.values()])
        before = [typed.shallow(item) for item in held]
        try:
            value = function(*args, **kwargs)
        except BaseException as error:  # ruff: ignore[blind-except] - whatever the program raises crosses by name
            return self.error(error, self.updates(held, before))
        updates = self.updates(held, before) if held else "[]"
        for index, item in enumerate(held):
            if item is value:
                return self.value(None, updates, str(index))
        if _constructs(function, value):
            return f'["=",{self.here(value)},{updates},null]'
        return self.value(value, updates)

    def updates(self, held: list[object], before: list[list[object]]) -> str:
        """The new content of the arguments that changed: ``[[index, container], ...]``."""
        changed = [index for index, item in enumerate(held) if not _same(typed.shallow(item), before[index])]
        if not changed:
            return "[]"
        known = {id(item): index for index, item in enumerate(held)}
        parts = []
        for index in changed:
            others = {key: at for key, at in known.items() if at != index}
            parts.append(f"[{index},{self.text(held[index], others)}]")
        return f"[{','.join(parts)}]"

    def get(self, number: int, name: str) -> str:
        """An attribute."""
        return self.value(getattr(self.objects[number], name))

    def set(self, number: int, name: str, value: object) -> str:
        """Set an attribute."""
        setattr(self.objects[number], name, value)
        return self.value(None)

    def delete(self, number: int, name: str) -> str:
        """Delete an attribute."""
        delattr(self.objects[number], name)
        return self.value(None)

    def operate(self, number: int, name: str, args: list[object]) -> str:
        """Apply a function of ``operator`` or a builtin."""
        target = self.objects[number]
        if name == "rmul":
            return self.value(args[0] * target)  # type: ignore[operator]  # a TypeError is the reply
        function = getattr(__import__("operator"), name, None) or getattr(sys.modules["builtins"], name)
        return self.value(function(target, *args))

    def copy(self, number: int) -> str:
        """A deep copy of an object."""
        return f'["=",{self.here(__import__("copy").deepcopy(self.objects[number]))},[],null]'

    def next(self, number: int, count: int) -> str:
        """Up to ``count`` items of an iterator: ``[items, over]``; an exception cuts the items short and comes next time."""
        iterator = self.objects[number]
        if number in self.postponed:
            raise self.postponed.pop(number)
        items: list[object] = []
        for _ in range(count):
            try:
                items.append(next(iterator))  # type: ignore[call-overload]  # a TypeError is the reply
            except StopIteration:
                return self.value([items, True])
            except BaseException as error:
                if not items:
                    raise
                self.postponed[number] = error
                break
        return self.value([items, False])

    def anext(self, number: int) -> str:
        """The next item of an asynchronous iterator, in a list; an empty one at its end."""
        import asyncio

        self.loop = self.loop or asyncio.new_event_loop()
        iterator = self.objects[number]
        try:
            item = self.loop.run_until_complete(type(iterator).__anext__(iterator))  # type: ignore[attr-defined]
        except StopAsyncIteration:
            return self.value([])
        return self.value([item])

    def content(self, number: int) -> str:
        """The plain content of an object of a subclass of a plain type, else the object."""
        plain = reduced(self.objects[number])
        return self.value(plain) if type(plain) in _CONTENTS else self.value(None)

    def run_coroutine(self, number: int) -> str:
        """Run a coroutine to its end."""
        import asyncio

        return self.value(asyncio.run(self.objects[number]))  # type: ignore[arg-type]  # a ValueError is the reply

    def isinstance(self, number: int, of: int) -> str:
        """Whether one object is an instance of another, or a subclass where both are classes."""
        target, kind = self.objects[number], self.objects[of]
        return self.value(isinstance(target, kind))  # type: ignore[arg-type]  # a TypeError is the reply

    # --- how objects are presented ---

    def present(self, value: object) -> str:
        """Content of subclasses of plain types, the test code's own by number, else a number."""
        if isinstance(value, Theirs):
            return f'{{"$there":{object.__getattribute__(value, "_number")}}}'
        plain = reduced(value)
        if plain is value or type(plain) is type(value):
            return self.here(value)
        if (
            type(plain) in _REFINABLE and type(value).__module__ == "solution"
        ):  # it may have more to it than its content
            return f'{{"$here":[{self.number(value)},"refined",{self.text(plain)}]}}'
        return self.text(plain)

    def forced(self, value: object) -> str:
        """Present a callable as an object, even where it is a class that would cross."""
        return self.here(value)

    def here(self, value: object) -> str:
        """Present an object by number and kind."""
        number = self.number(value)
        if isinstance(value, type) and issubclass(value, BaseException):
            return f'{{"$here":[{number},"exception",{self.exception_class(value)}]}}'
        if issubclass(type(value), BaseException) and self._described < _EXPORTED_EXCEPTIONS:
            return f'{{"$here":[{number},"error",{self.described(value)}]}}'  # type: ignore[arg-type]  # an exception
        return f'{{"$here":[{number},{quote(_kind(value))}]}}'

    def exception_class(self, kind: type, depth: int = 0) -> str:
        """``[number, module, name, bases]``; builtin classes have no bases."""
        module = str(getattr(kind, "__module__", ""))
        bases = ""
        if module != "builtins" and depth < _EXPORTED_EXCEPTION_DEPTH:
            related = [base for base in kind.__bases__ if issubclass(base, BaseException)]
            bases = ",".join([self.exception_class(base, depth + 1) for base in related])
        return f"[{self.number(kind)},{quote(module)},{quote(kind.__name__)},[{bases}]]"

    def error(self, error: BaseException, updates: str = "[]") -> str:
        """A reply that carries an exception, or the test code's own back."""
        known = self.foreign.get(id(error))
        if known is not None:
            return f'["!",{{"$there":{known[1]}}},{updates}]'
        return f'["!",{self.described(error)},{updates}]'

    def described(self, error: BaseException) -> str:
        """``[class, args, text, number]``."""
        self._described += 1
        try:
            text, args = str(error)[:_MAX_MESSAGE], self.text(list(error.args))
        except BaseException as second:  # ruff: ignore[blind-except] - the exception's own methods may raise anything
            text, args = f"({type(second).__name__} in its text)", "[]"
        finally:
            self._described -= 1
        return f"[{self.exception_class(type(error))},{args},{quote(text)},{self.number(error)}]"

    # --- objects of the test code ---

    def more_tags(self) -> dict[str, Callable[[object], object]]:
        """What the trusted side may name at will: modules, and functions and classes of the standard library."""
        return {"$standard": _standard, "$module": _module, "$error": _error}

    def proxy(self, description: list[object]) -> object:
        """A stand-in for an object of the test code; the same one each time."""
        number, kind = number_of(description[0]), text_of(description[1])
        if number in self.returning:
            return self.returning[number]
        if number not in self.theirs:
            made = THEIRS[kind]
            if kind == "object":
                made = with_operations(list_of(description[2]))
            self.theirs[number] = made(self, number)
        return self.theirs[number]

    def ask_value(self, frame: str) -> object:
        """Ask the test code's side; raises here what its object raised there."""
        reply = self.ask(frame)
        if reply[0] == "=":
            return reply[1]
        name, args, number = list_of(reply[1])
        kind = getattr(sys.modules["builtins"], text_of(name), Exception)
        error: BaseException = kind(*list_of(args))
        self.foreign[id(error)] = (error, number_of(number))
        self.returning[number_of(number)] = error
        raise error


def _standard(value: object) -> object:
    module, _, name = text_of(value).partition(":")
    __import__(module)
    return getattr(sys.modules[module], name)


def _module(value: object) -> object:
    name = text_of(value)
    __import__(name)
    return sys.modules[name]


def _error(value: object) -> object:
    kind, args = list_of(value)
    made = kind(*list_of(args))  # type: ignore[operator]  # a class
    assert isinstance(made, BaseException)  # ruff: ignore[assert] - the trusted side names exceptions only
    return made


def _kind(value: object) -> str:
    kind = type(value)
    if issubclass(kind, type):
        return "class"
    if hasattr(kind, "__next__"):
        return "iterator"
    if hasattr(kind, "__await__"):
        return "coroutine"
    return "function" if callable(value) else "object"


def _constructs(function: object, value: object) -> bool:
    """Whether a class made the value: it stays an object then, whatever the class derives from."""
    if not isinstance(function, type) or function.__module__ != "solution" or not issubclass(type(value), function):
        return False
    return not (issubclass(function, tuple) and hasattr(function, "_fields"))


def _same(now: list[object], before: list[object]) -> bool:
    from _operator import is_  # built in, in C

    return len(now) == len(before) and all(map(is_, now, before))
