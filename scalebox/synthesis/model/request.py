"""What is asked of a language model and what it replies, with the key that tells requests apart. Pure values.

The key is made of what is asked (messages, the schema of the reply, the sample's number), not of who is asked or how patiently, so
that a recorded reply is found again whatever the model is called.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from scalebox.core.errors import ScaleBoxError

_KEYED: Final = ("messages", "response_format", "seed")
_BYTES_OF_A_MESSAGE: Final = 16
"""More than the marks around a message take, in tokens."""


class ModelError(ScaleBoxError):
    """The model cannot be asked, or did not reply in time, however often it was tried."""


class BudgetSpent(ScaleBoxError):
    """One request more might cost more than may be spent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One thing to ask."""

    purpose: str
    """Which stage asks; not part of what is sent."""
    problem: str
    """Name of the problem; not part of what is sent."""
    messages: tuple[Message, ...]
    schema: Mapping[str, object] | None = None
    """JSON schema that the reply is to follow; models that cannot are understood all the same."""
    sample: int = 0
    """Tells apart replies to one and the same question."""

    def body(self) -> dict[str, object]:
        """What is asked, as the endpoint wants it, without model and limits."""
        body: dict[str, object] = {
            "messages": [{"role": message.role, "content": message.content} for message in self.messages],
            "seed": self.sample,
        }
        if self.schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": self.purpose, "schema": self.schema},
            }
        return body

    @property
    def key(self) -> str:
        """Tells requests apart."""
        return key_of(self.body())

    @property
    def most_input_tokens(self) -> int:
        """No fewer than the tokens of the prompt: a token is at least one byte."""
        return sum(len(message.content.encode()) + _BYTES_OF_A_MESSAGE for message in self.messages)


def key_of(body: Mapping[str, object]) -> str:
    """The key of a request's body."""
    asked = {name: body.get(name) for name in _KEYED}
    asked["messages"] = _plain_messages(body.get("messages"))
    text = json.dumps(asked, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain_messages(messages: object) -> list[object]:
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
        return []
    return [
        [message.get("role"), message.get("content")] if isinstance(message, Mapping) else message
        for message in messages
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model replied."""

    text: str
    """Empty where it said nothing."""
    finish_reason: str = "stop"
    """``length`` where it was cut off."""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0
    replayed: bool = False
    """It was known already, and nothing was asked."""


class Model(Protocol):
    """Answers requests."""

    async def ask(self, request: ModelRequest) -> Reply:
        """One reply.

        Raises:
            ModelError: there is none to be had.
            BudgetSpent: it might cost too much.
        """
        ...
