"""The trail of a run: every prompt, reply and proof, one JSON object a line, and the memory that a resumed run goes by.

Only whole lines count: one that a killed run tore off is removed. Nothing is written twice, and nothing is ever asked twice
that has a reply here from the same model. Of what was found out memory holds where it stands in the file, because the evidence on
thousands of problems is large.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from scalebox.core.errors import ScaleBoxError
from scalebox.synthesis.model.cassette import Cassette
from scalebox.synthesis.model.request import Model, ModelRequest, Reply

_ASKED: Final = "asked"


class TrailError(ScaleBoxError):
    """The file is no trail."""


def now() -> str:
    """The time, as it stands in the trail."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    model: str
    reply: Reply


class Trail:
    """One file, appended to.

    Args:
        path: of the file; it may be absent.
        clock: gives the time as text.

    Raises:
        TrailError: the file holds something else, or another run writes to it.
    """

    def __init__(self, path: Path, clock: Callable[[], str] = now) -> None:
        self._clock = clock
        self._replies: dict[str, _Known] = {}
        self._facts: dict[tuple[str, str], int] = {}
        """Where the line begins."""
        self._file = path.open("ab")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise TrailError(
                f"{path} is in use by another run; wait for it, or name another folder with --out"
            ) from None
        self._lines = path.open("rb")
        try:
            self._read(path)
        except TrailError:
            self.close()
            raise

    def close(self) -> None:
        """Write no more."""
        self._file.close()
        self._lines.close()

    def note(self, kind: str, key: str, **facts: object) -> None:
        """Write down what was found out; ``key`` finds it again."""
        self._facts[kind, key] = self._write({"kind": kind, "key": key, "at": self._clock(), **facts})

    def fact(self, kind: str, key: str) -> Mapping[str, Any] | None:
        """What was noted last under a key."""
        start = self._facts.get((kind, key))
        if start is None:
            return None
        self._lines.seek(start)
        record: dict[str, Any] = json.loads(self._lines.readline())
        return record

    def reply(self, key: str, model: str) -> Reply | None:
        """What a model replied to a request."""
        known = self._replies.get(key)
        return known.reply if known is not None and known.model == model else None

    def keep(self, request: ModelRequest, model: str, reply: Reply) -> None:
        """Write down a prompt and its reply."""
        key = request.key
        self._replies[key] = _Known(model=model, reply=reply)
        facts = asdict(reply)
        del facts["replayed"], facts["model"]
        self._write({
            "kind": _ASKED,
            "key": key,
            "at": self._clock(),
            "purpose": request.purpose,
            "problem": request.problem,
            "sample": request.sample,
            "model": model,
            "messages": [asdict(message) for message in request.messages],
            "reply": facts,
        })

    def _write(self, record: Mapping[str, object]) -> int:
        """Write a line; where it begins."""
        start = self._file.tell()
        self._file.write(json.dumps(record).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        return start

    def _read(self, path: Path) -> None:
        whole = 0
        with path.open("r+b") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    file.truncate(whole)
                    break
                self._take(line, whole, f"{path}, line {number}")
                whole += len(line)
        self._file.seek(0, os.SEEK_END)

    def _take(self, line: bytes, start: int, where: str) -> None:
        try:
            record = json.loads(line)
            kind, key = record.pop("kind"), record.pop("key")
            if kind == _ASKED:
                reply = Reply(**record["reply"], model=record["model"])
                self._replies[key] = _Known(model=record["model"], reply=reply)
            else:
                self._facts[kind, key] = start
        except (ValueError, KeyError, TypeError, AttributeError):
            raise TrailError(f"{where} is no line of a trail; name another folder with --out") from None


class RememberingModel:
    """A model that is asked only what has no reply in the trail, and whose replies go there.

    Args:
        model: who is asked.
        name: of the model.
        trail: where replies are found and kept.
        cassette: keeps replies too, without their prompts.
    """

    def __init__(self, model: Model, name: str, trail: Trail, cassette: Cassette | None = None) -> None:
        self._model = model
        self._name = name
        self._trail = trail
        self._cassette = cassette

    async def ask(self, request: ModelRequest) -> Reply:
        """One reply, known or new.

        Raises:
            ModelError, BudgetSpent: as the model does.
        """
        known = self._trail.reply(request.key, self._name)
        if known is not None:
            if self._cassette is not None and self._cassette.find(request.key) is None:
                self._cassette.record(request.key, known)
            return replace(known, replayed=True)
        reply = await self._model.ask(request)
        self._trail.keep(request, self._name, reply)
        if self._cassette is not None:
            self._cassette.record(request.key, reply)
        return reply
