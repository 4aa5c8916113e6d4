"""Recorded replies, found by the key of their request. Holds no prompt: what a problem says stays with the problem.

One JSON object a line: ``key``, ``text``, ``finish_reason``, ``model``, ``input_tokens``, ``output_tokens``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scalebox.core.errors import ScaleBoxError
from scalebox.synthesis.model.request import Reply

_FIELDS: Final = ("text", "finish_reason", "model", "input_tokens", "output_tokens")


class CassetteError(ScaleBoxError):
    """The file holds something else than replies."""


class Cassette:
    """Replies in a file.

    Args:
        path: JSON lines, or the same under gzip where its name ends in ``.gz``; it may be absent where it is written to.

    Raises:
        CassetteError: a line is no reply.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._replies = dict(_read(path)) if path.exists() else {}

    def __len__(self) -> int:
        return len(self._replies)

    def find(self, key: str) -> Reply | None:
        """The reply to a request."""
        return self._replies.get(key)

    def record(self, key: str, reply: Reply) -> None:
        """Keep a reply; the file is appended to."""
        self._replies[key] = reply
        line = json.dumps({"key": key, **{name: getattr(reply, name) for name in _FIELDS}}) + "\n"
        if self._path.suffix == ".gz":
            with gzip.open(self._path, "at", encoding="utf-8") as file:
                file.write(line)
            return
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line)


def _read(path: Path) -> Iterator[tuple[str, Reply]]:
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line)
                yield record["key"], Reply(**{name: record[name] for name in _FIELDS})
            except (ValueError, KeyError, TypeError):
                raise CassetteError(f"{path}, line {number} is no recorded reply") from None
