"""Our own failures, as a small tree. A program's failure is a value, never one of these.

ScaleBoxError
├── RequestError            the request cannot be judged; the client must change it
│   └── LanguageUnavailable the language is unknown, or its toolchain is missing here
├── QueueFull               too much is waiting; try again later
│   └── QuotaFull           of this tenant's
├── DeadlineExceeded        the request's deadline passed before a run could end
├── JudgeUnreachable        a judge elsewhere cannot be reached, or its reply cannot be read
├── SandboxError            a slot failed; the case may be tried again
└── IsolationUnavailable    the level demanded cannot be had on this machine
"""

from __future__ import annotations


class ScaleBoxError(Exception):
    """Base of all errors that ScaleBox raises on purpose."""


class RequestError(ScaleBoxError):
    """The request cannot be judged.

    Args:
        message: what is wrong, in words.
        field: dotted path of the field at fault, as the client wrote it.
        hint: what to do about it.
        code: stable machine-readable name.
    """

    def __init__(
        self, message: str, *, field: str | None = None, hint: str | None = None, code: str = "invalid"
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.hint = hint
        self.code = code


class LanguageUnavailable(RequestError):
    """The language is unknown here, or its toolchain is missing or broken."""


class QueueFull(ScaleBoxError):
    """Too many submissions are waiting.

    Args:
        retry_after_seconds: a guess at when there will be room.
    """

    def __init__(self, retry_after_seconds: float) -> None:
        super().__init__("the queue is full")
        self.retry_after_seconds = retry_after_seconds


class QuotaFull(QueueFull):
    """As many submissions of this tenant are here as it may have at once."""


class DeadlineExceeded(ScaleBoxError):
    """The request's deadline passed."""


class JudgeUnreachable(ScaleBoxError):
    """A judge on another machine cannot be reached, or answered what cannot be read."""


class SandboxError(ScaleBoxError):
    """A slot died, misbehaved or could not be made; never the program's fault."""


class IsolationUnavailable(ScaleBoxError):
    """The isolation level demanded cannot be had on this machine."""
