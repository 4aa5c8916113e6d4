"""Exceptions of the program as the test code may catch them: known classes by name, the program's own as fresh classes.

A program cannot raise what ends the test code's loops and test runners quietly: ``StopIteration`` and its kin, and the
exceptions by which test frameworks skip a test, arrive as other errors, whatever was asked.
"""

from __future__ import annotations

import builtins

from scalebox.runner.zygote.harness.codec import Undecodable, list_of, text_of
from scalebox.runner.zygote.harness.names import words
from scalebox.runner.zygote.harness.peer import number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MODULES = words(
    "_csv _pickle _queue asyncio.exceptions binascii concurrent.futures._base configparser copy csv dataclasses decimal json.decoder "
    "pickle queue re re._constants shutil socket sqlite3 statistics struct subprocess threading urllib.error zlib"
)
"""Where the exceptions live that a program may name; a module is imported only by its full name here."""
_MAX_DEPTH = 25
_MOST_KEPT = 1000
_ENDS_LOOPS = (StopIteration, StopAsyncIteration, GeneratorExit)


class Errors:
    """Builds exception classes and instances from descriptions; ``attribute`` reaches what an instance holds."""

    def __init__(self, attribute: Callable[[int, str], object]) -> None:
        self._classes: dict[int, type[BaseException]] = {}
        self._numbers: dict[type[BaseException], int] = {}
        self._attribute = attribute
        self._known: dict[int, BaseException] = {}
        """The program's number -> its exception as the test code knows it, the newest last."""
        self._met: dict[int, tuple[BaseException, int]] = {}
        """Identity of such an exception -> it, and the program's number."""

    def class_from(self, description: object, depth: int = 0) -> type[BaseException]:
        """The class for ``[number, module, name, bases]``."""
        number, module, name, bases = list_of(description)
        module, name = text_of(module), text_of(name)
        known = _known_class(module, name)
        if known is not None:
            return known
        key = number_of(number)
        if key not in self._classes:
            if depth > _MAX_DEPTH:
                raise Undecodable("an exception class with endless bases")
            parents = [self.class_from(base, depth + 1) for base in list_of(bases)] or [Exception]
            self._classes[key] = made = self._make(name, parents)
            self._numbers[made] = key
        return self._classes[key]

    def number(self, value: object) -> int | None:
        """The program's number for a class made here, or for an exception that came from it."""
        if isinstance(value, type):
            return self._numbers.get(value)
        met = self._met.get(id(value))
        return met[1] if met is not None and met[0] is value else None

    def raised(self, description: object) -> BaseException:
        """The exception that a reply carries, as it may be raised in the test code."""
        if isinstance(description, BaseException):  # the test code's own, on its way back
            return self._harmless(description, None)
        return self._harmless(self.instance(description), number_of(list_of(description)[3]))

    def instance(self, description: object) -> BaseException:
        """The exception for ``[class, args, text, number]``; the same one each time."""
        kind_text, args, text, number = list_of(description)
        number, words = number_of(number), text_of(text)
        if number in self._known:
            return self._known[number]
        kind = self.class_from(kind_text)
        error = _instance(kind, list_of(args), words)
        if kind in self._numbers:
            error.__dict__["_number"] = number
            error.__dict__["_text"] = words
        self._known[number] = error
        self._note(error, number)
        return error

    def is_program_s(self, error: BaseException) -> bool:
        """Whether the exception came from the program."""
        return self.number(error) is not None

    def _harmless(self, error: BaseException, number: int | None) -> BaseException:
        if not isinstance(error, _ENDS_LOOPS):
            return error
        other = RuntimeError(f"the program raised {type(error).__name__}")
        if number is not None:
            self._note(other, number)
        return other

    def _note(self, error: BaseException, number: int) -> None:
        self._met[id(error)] = (error, number)
        if len(self._met) > _MOST_KEPT:
            _, forgotten = self._met.pop(next(iter(self._met)))
            self._known.pop(forgotten, None)

    def _make(self, name: str, parents: list[type[BaseException]]) -> type[BaseException]:
        attribute = self._attribute

        def get(self: BaseException, key: str) -> object:
            number = self.__dict__.get("_number")
            if number is None or key.startswith("__"):
                raise AttributeError(key)
            return attribute(number, key)

        def text(self: BaseException) -> str:
            return str(self.__dict__.get("_text", ", ".join(map(str, self.args))))

        namespace = {"__getattr__": get, "__str__": text, "__module__": "solution"}
        unique = tuple(dict.fromkeys(parents))
        try:
            return type(name, unique, namespace)
        except TypeError:  # layouts or orders of bases that do not go together here
            return type(name, unique[:1], namespace)


def _known_class(module: str, name: str) -> type[BaseException] | None:
    if module == "builtins":
        kind = getattr(builtins, name, None)
    elif module in _MODULES:
        __import__(module)
        kind = getattr(__import__("sys").modules[module], name, None)
    else:
        return None
    return kind if isinstance(kind, type) and issubclass(kind, BaseException) else None


def _instance(kind: type[BaseException], args: list[object], text: str) -> BaseException:
    try:
        return kind(*args)
    except Exception:  # ruff: ignore[blind-except] - a constructor that wants other arguments than `args`
        error = _bare(kind, text)
        error.args = tuple(args) or (text,)
        return error


def _bare(kind: type[BaseException], text: str) -> BaseException:
    if issubclass(kind, BaseExceptionGroup):  # has no bare form
        return kind.__new__(kind, text, [Exception(text)])
    return kind.__new__(kind)
