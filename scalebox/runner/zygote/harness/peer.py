"""One end of the conversation between program and test code: asks, and while it waits, serves what the other asks.

Theory of operation: two processes, one stream socket, one thread of control. A side that sent a request reads frames until
its reply comes; frames in between are requests of the other side (a callback inside a call, a call inside the callback),
answered at once. So requests nest like the calls they stand for, and nobody ever polls.

A frame is a JSON array. Replies: ``["=", value, updates, alias]``, ``["!", error, updates]``. Requests: the word and its
arguments, as ``Peer.answer`` of each side defines them. Objects that stay are numbered by their owner.
"""

from __future__ import annotations

import _thread

from scalebox.runner.zygote.harness import typed
from scalebox.runner.zygote.harness.codec import Undecodable, decoder, list_of, quote
from scalebox.runner.zygote.harness.typed import TypedEncoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scalebox.runner.zygote.harness.channel import Channel


class Peer:
    """What both sides share; each defines how its objects are presented and what it answers."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.objects: list[object] = []
        self.numbers: dict[int, int] = {}
        self.arguments: Sequence[object] = ()
        """The containers that ``$arg`` names in the frame being read."""
        self.lock = _thread.RLock()
        self.decode = decoder({
            **typed.TAGS,
            **self.more_tags(),
            "$here": lambda value: self.proxy(list_of(value)),
            "$there": lambda value: self.objects[number_of(value)],
            "$arg": lambda value: self.arguments[number_of(value)],
        })

    def number(self, value: object) -> int:
        """The number of an object of ours; it is kept from now on, so that its identity stays taken."""
        known = self.numbers.get(id(value))
        if known is None:
            known = self.numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        return known

    def more_tags(self) -> dict[str, Callable[[object], object]]:
        """Tags that only this side reads."""
        return {}

    def proxy(self, description: list[object]) -> object:
        """What stands here for an object of the other side."""
        raise NotImplementedError

    def present(self, value: object) -> str:
        """Text for an object that does not cross."""
        raise NotImplementedError

    def answer(self, message: list[object]) -> str:
        """The reply to a request."""
        raise NotImplementedError

    def text(self, value: object, known: dict[int, int] | None = None) -> str:
        """The text of a value; containers in ``known`` are named, not copied."""
        return PeerEncoder(self, known).text(value)

    def request(self, word: str, *parts: str) -> str:
        """The frame of a request, its arguments encoded already."""
        return f"[{','.join((quote(word), *parts))}]"

    def ask(self, frame: str, arguments: Sequence[object] = ()) -> list[object]:
        """Send a request, serve until its reply comes, and return the reply.

        Raises:
            ChannelClosed: the other side is gone.
            Undecodable: it sent what no side of ours sends.
        """
        with self.lock:
            self.channel.send(frame)
            while True:
                message = self.read(arguments)
                if message[0] in {"=", "!"}:
                    return message
                self.channel.send(self.answer(message))

    def read(self, arguments: Sequence[object] = ()) -> list[object]:
        """The next frame."""
        frame = self.channel.receive()
        self.arguments = arguments
        message = list_of(self.decode(frame))
        if not message or type(message[0]) is not str:
            raise Undecodable("no message")
        return message


class PeerEncoder(TypedEncoder):
    """Presents what does not cross as its side does."""

    __slots__ = ("peer",)

    def __init__(self, peer: Peer, known: dict[int, int] | None) -> None:
        super().__init__(known)
        self.peer = peer

    def stay(self, value: object) -> str:
        """As the side presents it."""
        return self.peer.present(value)


def number_of(value: object) -> int:
    """The value, which is to be a number of an object.

    Raises:
        Undecodable: it is none.
    """
    if type(value) is not int or value < 0:
        raise Undecodable("a number was due")
    return value
