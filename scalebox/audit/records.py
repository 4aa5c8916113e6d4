"""The raw results of an audit in a file: one line a problem, appended as it is measured. A torn last line is dropped, a whole one never.

A line carries a key made of the row's text and of what it was measured with, so results are found again in whatever order, and
those of another row or with other settings never are.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO, Final

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import to_json

from scalebox.audit.measurement import Fault, Measurement
from scalebox.core.errors import ScaleBoxError
from scalebox.rows.row import ReadOptions

_FORMAT: Final = 1
"""Raised when measurements change, so that old ones are made again."""


class ResultsError(ScaleBoxError):
    """The file holds something else than results."""


class _Record(BaseModel):
    """One line."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    key: str
    measurement: Measurement


def key_of(line: bytes, options: ReadOptions, runs: int) -> str:
    """The key of a row's result."""
    settings = json.dumps([_FORMAT, asdict(options), runs], sort_keys=True).encode()
    return hashlib.sha256(settings + b"\n" + line).hexdigest()[:32]


def is_final(measurement: Measurement) -> bool:
    """Whether measuring again would be of no use."""
    return measurement.fault is not Fault.UNJUDGED


def record_line(key: str, measurement: Measurement) -> bytes:
    """The line of one result."""
    return to_json(_Record(key=key, measurement=measurement)) + b"\n"


def resume(path: Path) -> dict[str, Measurement]:
    """The results in a file, by key; a line that was torn off is removed from it. The file may be absent.

    Raises:
        ResultsError: a whole line is no result.
    """
    done: dict[str, Measurement] = {}
    if not path.exists():
        return done
    whole = 0
    with path.open("r+b") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                file.truncate(whole)
                break
            whole += len(line)
            record = _read(line, path, number)
            done[record.key] = record.measurement
    return done


def _read(line: bytes, path: Path, number: int) -> _Record:
    try:
        return _Record.model_validate_json(line)
    except ValidationError:
        message = f"{path}, line {number} is no result of an audit; name another file with --results"
        raise ResultsError(message) from None


def append(file: BinaryIO, key: str, measurement: Measurement) -> None:
    """Write one result and hand it to the system."""
    file.write(record_line(key, measurement))
    file.flush()
