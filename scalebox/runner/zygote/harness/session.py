"""The test code's end of the conversation: looks up names, calls, keeps the program's objects as stand-ins.

Only words of the protocol, names and argument values go out: never test code, its lines, or what it compares with. Nothing
that comes in is trusted; what no program's side of ours sends ends the session as the program's death.
"""

from __future__ import annotations

from scalebox.runner.zygote.harness import proxies, typed
from scalebox.runner.zygote.harness.channel import Channel, ChannelClosed
from scalebox.runner.zygote.harness.codec import Undecodable, list_of, quote, text_of
from scalebox.runner.zygote.harness.errors import Errors
from scalebox.runner.zygote.harness.given import Given, ProgramDied, Unsupported
from scalebox.runner.zygote.harness.peer import Peer, number_of
from scalebox.runner.zygote.harness.proxies import HANDLES, Handle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_OUT_OF_STEP = (ChannelClosed, Undecodable, RecursionError, MemoryError, LookupError, TypeError, ValueError)
"""What ends a conversation: after any of these a reply could be taken for another's."""


class Session(Peer):
    """Talks to one program."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.errors = Errors(self.attribute)
        self.handles: dict[int, object] = {}
        self.given = Given(self)
        self._coroutines: dict[int, tuple[object, int]] = {}
        """Identity of a coroutine that stands for one of the program -> it, and the program's number."""
        self._builders: set[int] = set()
        """Classes that the text of the test code builds objects of, whose ``in`` is the program's answer."""
        self._built: set[int] = set()
        self.raised_lines: dict[str, frozenset[int]] = {}
        """By file of the test code, the lines that raise for a context manager to swallow."""
        self.used = False
        """Whether the test code asked for anything of the program."""
        self.end: ProgramDied | Unsupported | None = None
        """Why the test code cannot go on; stays, whatever the test code catches."""

    # --- asking ---

    def _ask(self, frame: str, arguments: Sequence[object] = ()) -> object:
        self.used = True
        if self.end is not None:
            raise self.end
        try:
            reply = self.ask(frame, arguments)
        except _OUT_OF_STEP as error:
            raise self._died(str(error)) from None
        try:
            failure = self._settle(reply, arguments)
        except (LookupError, TypeError, ValueError, RecursionError, ImportError) as error:
            raise self._died(str(error)) from None
        if failure is not None:
            raise failure
        return reply[1] if reply[3] is None else arguments[number_of(reply[3])]

    def _died(self, reason: str) -> ProgramDied | Unsupported:
        self.end = self.end or ProgramDied(reason)
        return self.end

    def _settle(self, reply: list[object], arguments: Sequence[object]) -> BaseException | None:
        """Write changed arguments back; the exception that the reply carries, if it does."""
        for update in list_of(reply[2]):
            index, content = list_of(update)
            typed.refill(arguments[number_of(index)], content)
        if reply[0] == "!":
            if isinstance(reply[1], BaseException):
                self.given.came_back(reply[1])
            return self.errors.raised(reply[1])
        if reply[3] is not None and number_of(reply[3]) >= len(arguments):
            raise Undecodable("no such argument")
        return None

    def wait_until_ready(self) -> None:
        """Wait for the program's top level to end.

        Raises:
            ProgramDied: it did not end normally.
        """
        try:
            ready = self.read() == ["ready"]
        except (ChannelClosed, Undecodable) as error:
            raise self._died(str(error)) from None
        if not ready:
            raise self._died("the first word was another")

    def close(self) -> None:
        """Let the program end."""
        try:
            self.channel.send('["bye"]')
        except ChannelClosed:
            return

    def refuse(self, reason: str) -> Unsupported:
        """Note that the test code wants what cannot cross, and raise.

        Raises:
            Unsupported: always.
        """
        self.end = self.end or Unsupported(reason)
        raise self.end

    # --- what the test code and its stand-ins ask for ---

    def name(self, name: str) -> object:
        """A name of the program's module.

        Raises:
            KeyError: it has none such.
        """
        found, value = self._pair(self._ask(self.request("name", quote(name))))
        if found is not True:
            raise KeyError(name)
        return value

    def entry(self, function: str) -> object:
        """The function a case asks for.

        Raises:
            NameError: the program does not define it.
        """
        return self._ask(self.request("entry", quote(function)))

    def bind(self, name: str, value: object) -> None:
        """Bind a name of the program's module."""
        self._ask(self.request("bind", quote(name), self.text(value)))

    def names(self, word: str, *parts: str) -> list[str]:
        """The names that a request answers with."""
        value = self._ask(self.request(word, *parts))
        return [name for name in value if type(name) is str] if type(value) is list else []

    def call(self, handle: Handle, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        """Call an object of the program; arguments it changes in place are changed here too."""
        values = list(args)
        arguments = typed.containers([*values, *kwargs.values()])
        frame = self.request(
            "call", str(proxies.number(handle)), self.text(values), self.text(kwargs) if kwargs else "{}"
        )
        return self._ask(frame, arguments)

    def get(self, handle: Handle, name: str) -> object:
        """An attribute."""
        return self._ask(self.request("get", str(proxies.number(handle)), quote(name)))

    def set(self, handle: Handle, name: str, value: object) -> None:
        """Set an attribute."""
        self._ask(self.request("set", str(proxies.number(handle)), quote(name), self.text(value)))

    def delete(self, handle: Handle, name: str) -> None:
        """Delete an attribute."""
        self._ask(self.request("delete", str(proxies.number(handle)), quote(name)))

    def operate(self, handle: Handle, name: str, *args: object) -> object:
        """Apply an operation in the program's box."""
        frame = self.request("operate", str(proxies.number(handle)), quote(name), self.text(list(args)))
        value = self._ask(frame)
        if name in {"iter", "reversed"} and not hasattr(type(value), "__next__"):
            return iter(value)  # type: ignore[call-overload]  # a TypeError is right
        return value

    def content(self, handle: Handle) -> object:
        """The plain content of an object that is of a subclass of a plain type, else the object."""
        return self._ask(self.request("content", str(proxies.number(handle))))

    def class_of(self, handle: Handle) -> object:
        """The program's class of its object; never a class that plain values have."""
        kind = self.operate(handle, "type")
        return kind if type(kind) is proxies.ClassHandle else type(handle)

    def builds(self, kind: object) -> None:
        """Note a class that the text of the test code builds objects of."""
        if type(kind) is proxies.ClassHandle:
            self._builders.add(proxies.number(kind))

    def built(self, kind: Handle, value: object) -> object:
        """The value, noted where such a class built it."""
        if proxies.number(kind) in self._builders and issubclass(type(value), Handle):
            self._built.add(proxies.number(value))  # type: ignore[arg-type]  # a Handle
        return value

    def is_built(self, handle: Handle) -> bool:
        """Whether the text of the test code built the object."""
        return proxies.number(handle) in self._built

    def details(self, error: BaseException | None) -> tuple[tuple[object, object, object], bool]:
        """What a context manager of the program is told of an exception, and whether it may swallow it."""
        if error is None:
            return (None, None, None), False
        trace = error.__traceback__
        raised_here = (
            trace is not None
            and trace.tb_next is None
            and trace.tb_lineno in self.raised_lines.get(trace.tb_frame.f_code.co_filename, ())
        )
        if raised_here or self.errors.is_program_s(error):
            return (type(error), error, None), raised_here
        return (None, None, None), False

    def duplicate(self, handle: Handle) -> object:
        """A deep copy of an object of the program."""
        return self._ask(self.request("copy", str(proxies.number(handle))))

    def invoke(self, handle: Handle, name: str, *args: object) -> object:
        """Call a method."""
        method = self.get(handle, name)
        return method(*args)  # type: ignore[operator]  # a TypeError is right

    def pull(self, handle: Handle, count: int) -> tuple[list[object], bool]:
        """Items of an iterator, and whether it is at its end."""
        items, over = self._pair(self._ask(self.request("next", str(proxies.number(handle)), str(count))))
        if type(items) is not list:
            raise self._died("no items")
        return items, over is True or not items

    def pull_later(self, handle: Handle) -> list[object]:
        """One item of an asynchronous iterator, in a list; an empty one at its end."""
        items = self._ask(self.request("anext", str(proxies.number(handle))))
        if type(items) is not list:
            raise self._died("no items")
        return items

    def run_coroutine(self, handle: Handle) -> object:
        """Run a coroutine of the program to its end."""
        return self._ask(self.request("await", str(proxies.number(handle))))

    def attribute(self, number: int, name: str) -> object:
        """An attribute of the object with that number."""
        return self._ask(self.request("get", str(number), quote(name)))

    def is_instance(self, number: int, kind: Handle) -> bool:
        """Whether the program's object with that number is an instance of its class."""
        frame = self.request("isinstance", str(number), str(proxies.number(kind)))
        return self._ask(frame) is True

    def _pair(self, value: object) -> list[object]:
        if type(value) is not list or len(value) != 2:
            raise self._died("no pair")
        return value

    # --- objects of the program ---

    def proxy(self, description: list[object]) -> object:
        """A stand-in, the same one each time: identity holds."""
        number, kind = number_of(description[0]), text_of(description[1])
        if kind == "exception":
            return self.errors.class_from(description[2])
        if kind == "error":
            return self.errors.instance(description[2])
        if kind == "refined" and number not in self.handles:
            self.handles[number] = proxies.refined(self, number, description[2])
        if number not in self.handles:
            handle = HANDLES[kind](self, number)
            self.handles[number] = proxies.coroutine(self, handle) if kind == "coroutine" else handle
            if kind == "coroutine":
                self._coroutines[id(self.handles[number])] = (self.handles[number], number)
        return self.handles[number]

    # --- objects of the test code ---

    def present(self, value: object) -> str:
        """The program's own by number; the test code's as ``Given`` says."""
        if issubclass(type(value), Handle):
            return f'{{"$there":{proxies.number(value)}}}'  # type: ignore[arg-type]  # a Handle
        if type(value) in proxies.REFINED:
            return f'{{"$there":{proxies.refined_number(value)}}}'
        number = self.errors.number(value)
        if number is None and id(value) in self._coroutines:
            number = self._coroutines[id(value)][1]
        return self.given.text(value) if number is None else f'{{"$there":{number}}}'

    def answer(self, message: list[object]) -> str:
        """Let the program use what was passed to it."""
        return self.given.answer(message)
