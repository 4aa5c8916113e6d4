"""A file of result lines: what is in it, and what of it is final. A torn last line is dropped, a whole one never.

A result line is a judgement or an error with its input line's ``index``. What says nothing about the request (verdict
IE, a full queue, a server that is away) is not final and is judged again on resumption.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from scalebox.core.errors import RequestError
from scalebox.wire.parse import parse_json, validate

PASSING: Final = frozenset({"queue_full", "no_room", "deadline", "internal", "unreachable"})
"""Codes of errors that say nothing about the request."""


class _Fault(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    code: str


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    index: int
    id: str | None = None
    verdict: str | None = None
    error: _Fault | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A final result: the id in it, and its verdict, or None for an error."""

    id: str | None
    verdict: str | None


def resume(path: Path) -> dict[int, Done]:
    """The final results in a file, which is left with just those.

    Args:
        path: a file of result lines; it may be absent.
    """
    if not path.exists():
        return {}
    done: dict[int, Done] = {}
    kept = path.with_name(f"{path.name}.resume")
    with path.open("rb") as lines, kept.open("wb") as out:
        for line in lines:
            record = _read(line)
            if record is None or record.index in done:
                continue
            done[record.index] = Done(id=record.id, verdict=record.verdict)
            out.write(line)
        out.flush()
        os.fsync(out.fileno())
    kept.replace(path)
    return done


def _read(line: bytes) -> _Record | None:
    """The record in a line; None where it is torn or not final."""
    if not line.endswith(b"\n"):
        return None
    try:
        record = validate(_Record, parse_json(line))
    except RequestError:
        return None
    if record.error is not None:
        return None if record.error.code in PASSING else record
    return None if record.verdict in {None, "IE"} else record
