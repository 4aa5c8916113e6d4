"""What the test code gives to the program: by name where that says it all, else by number, to be used in a few ways only.

Whether a case needs one box is told from the test code's text. The one refusal at run time is of classes that the test code
itself defines, and of exceptions of such classes: nothing a program returns is one. Whatever else has no way to cross is
opaque to the program, which may hand it back.
"""

from __future__ import annotations

import sys

from scalebox.runner.zygote.harness.channel import ChannelClosed
from scalebox.runner.zygote.harness.codec import Undecodable, list_of, quote, text_of
from scalebox.runner.zygote.harness.names import words
from scalebox.runner.zygote.harness.peer import number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scalebox.runner.zygote.harness.session import Session

TEST_MODULE = "__main__"
"""What the test code's module is called; classes it defines carry the name."""
_FUNCTION = type(lambda: None)
_BUILTIN = type(len)
_MODULE = type(sys)
_USABLE = words("_io.BytesIO _io.StringIO array.array random.Random re.Match re.Pattern string.Template")
"""Standard classes of whose instances a program may use the public attributes: none of them reaches anything else."""

_DESCRIBE = ("__doc__", "__name__", "__qualname__")


class ProgramDied(BaseException):
    """The program's box is gone or talks nonsense. No Exception: test code is not to catch it."""


class Unsupported(BaseException):
    """The test code wants what cannot cross. No Exception: test code is not to catch it."""


class Given:
    """The objects of the test code that the program may use, and how."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.modules = {TEST_MODULE}
        """What modules of the test code are called."""
        self._kinds: dict[int, str] = {}
        """What the program may do with each of the test code's objects."""
        self.classes_cross = False
        """Whether the text of the test code uses a class of its own as a value: only then is passing one a reason for one box."""
        self.swallowed: dict[int, AssertionError] = {}
        """Assertions that failed in a callback and did not come back through the program."""

    def text(self, value: object) -> str:
        """Text for an object of the test code that is no data and none of the program's."""
        kind = type(value)
        if issubclass(kind, _MODULE):
            return f'{{"$module":{quote(value.__name__)}}}'  # type: ignore[attr-defined]  # a module
        name = _standard_name(value)
        if name is not None:
            return f'{{"$standard":{quote(name)}}}'
        number = self._session.numbers.get(id(value))
        if number is None and issubclass(kind, BaseException):
            return self._error_text(value)  # type: ignore[arg-type]  # an exception
        if number is None:
            word = self._word(value)
            number = self._session.number(value)
            self._kinds[number] = word
        operations = self._session.text(_operations(kind))
        return f'{{"$here":[{number},{quote(self._kinds.get(number, "opaque"))},{operations}]}}'

    def _error_text(self, error: BaseException) -> str:
        kind = type(error)
        if kind.__module__ in self.modules:
            self._session.refuse(f"the test code passes an exception {kind.__name__} of its own to the program")
        return f'{{"$error":[{self._session.text(kind)},{self._session.text(list(error.args))}]}}'

    def _word(self, value: object) -> str:
        kind = type(value)
        if issubclass(kind, type):
            if self.classes_cross and value.__module__ in self.modules:
                self._session.refuse("the test code passes a class of its own to the program")
            return "opaque"
        if f"{kind.__module__}.{kind.__name__}" in _USABLE:
            return "object"
        if hasattr(kind, "__next__"):
            return "iterator" if kind.__module__ in {"builtins", "itertools", *self.modules} else "opaque"
        if kind.__module__ in self.modules:
            return "function" if callable(value) else "object"
        return "function" if callable(value) else "opaque"

    def answer(self, message: list[object]) -> str:
        """Let the program use what was passed to it: call functions, pull items, touch public attributes."""
        word, number = text_of(message[0]), number_of(message[1])
        if number not in self._kinds:
            raise Undecodable("the program asks for what it was not given")
        session = self._session
        try:
            return f'["=",{session.text(self._serve(word, number, message[2:]))},[],null]'
        except (ChannelClosed, Undecodable, ProgramDied, Unsupported):
            raise
        except BaseException as error:  # ruff: ignore[blind-except] - the callback's exception crosses the program, by name
            known = session.number(error)
            if isinstance(error, AssertionError) and not session.errors.is_program_s(error):
                self.swallowed[known] = error
            return f'["!",[{quote(type(error).__name__)},{self._plain_args(error)},{known}],[]]'

    def came_back(self, error: BaseException) -> None:
        """Note that an exception of the test code came back to it through the program."""
        self.swallowed.pop(self._session.numbers.get(id(error), -1), None)

    def _plain_args(self, error: BaseException) -> str:
        plain = [item for item in error.args if type(item) in {str, int, float, bool, type(None)}]
        return self._session.text(plain)

    def _serve(self, word: str, number: int, rest: list[object]) -> object:
        target, kind = self._session.objects[number], self._kinds[number]
        if word == "call" and kind == "function":
            args, kwargs = rest
            if type(kwargs) is not dict:
                raise Undecodable("a dict was due")
            return target(*list_of(args), **kwargs)  # type: ignore[operator]  # a function
        if word == "next" and kind == "iterator":
            return next(target)  # type: ignore[call-overload]  # an iterator
        if word == "get" and kind == "function" and rest[0] in _DESCRIBE:
            return getattr(target, text_of(rest[0]), None)
        if kind != "object":
            raise Undecodable("the program asks for what the object cannot do")
        name = text_of(rest[0])
        if word == "operate" and name in _OPERATIONS:
            found = getattr(type(target), name)(target, *list_of(rest[1]))
            return (item for item in target) if found is target and name == "__iter__" else found
        if name.startswith("_"):
            raise AttributeError(name)
        if word == "get":
            return getattr(target, name)
        if word == "set" and type(target).__module__ in self.modules:
            setattr(target, name, rest[1])
            return None
        raise Undecodable("the program asks for what the object cannot do")


_OPERATIONS = (
    "__contains__",
    "__eq__",
    "__getitem__",
    "__hash__",
    "__iter__",
    "__len__",
    "__lt__",
    "__repr__",
    "__setitem__",
    "__str__",
)


def _operations(kind: type) -> list[str]:
    """The special methods that a class of the test code defines, of those a program may use."""
    return [name for name in _OPERATIONS if getattr(kind, name, None) is not getattr(object, name, None)]


def _standard_name(value: object) -> str | None:
    """``module.name`` of a function or class of the standard library."""
    if type(value) not in {_FUNCTION, _BUILTIN} and not isinstance(value, type):
        return None
    module = getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", "")
    if type(module) is not str or module.partition(".")[0] not in sys.stdlib_module_names or module == TEST_MODULE:
        return None
    return f"{module}:{name}" if getattr(sys.modules.get(module), name, None) is value else None
