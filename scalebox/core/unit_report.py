"""What a unit-test framework says of the tests it ran, as the harness in the box reports it. Reading trusts nothing.

A report is lines of JSON. Each ``{"test": […]}`` tells of one test as it ended; the last line tells of all of them, carries the
token where the program shares the framework's process, and is the only one that anything is earned by. A line that cannot be
read is none: what follows from a report without its last line is a verdict against the program.
"""

from __future__ import annotations

import enum
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scalebox.core.result import UnitOutcome, UnitResult

MOST_TESTS: Final = 10_000
_MOST_BYTES: Final = 8 << 20
_MOST_MESSAGE: Final = 1000
_MOST_NAME: Final = 500


class End(enum.StrEnum):
    """How a run of a framework ended."""

    FINISHED = "finished"
    """It ran every test that it found."""
    UNFINISHED = "unfinished"
    """It never came to its end, or nobody can prove that it did."""
    PROGRAM_DIED = "program_died"
    """The program ended, or broke the protocol, before the tests were through."""
    BROKEN = "broken_test"
    """The test files do not compile, hold no test, or never use the program."""
    UNSUPPORTED = "unsupported"
    """The tests want what cannot cross between boxes; they are to run in one box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitReport:
    """What came of a run."""

    end: End
    message: str
    tests: tuple[UnitResult, ...]
    """In the order in which the framework knows them."""


def parse_unit_report(data: bytes, token: str) -> UnitReport:
    """Read a report, whatever it holds.

    Args:
        data: what came over the value channel.
        token: what the last line must carry; empty where the program was in another box.
    """
    last: Mapping[str, object] = {}
    tests: dict[str, UnitResult] = {}
    for last in _lines(data) if len(data) <= _MOST_BYTES else ():
        found = _told(last.get("test"))
        if found is not None and (len(tests) < MOST_TESTS or found[0] in tests):
            tests[found[0]] = found[1]
    if "end" not in last or last.get("token", "") != token:
        return UnitReport(end=End.UNFINISHED, message="", tests=tuple(tests.values()))
    listed = last.get("tests")
    results = [_told(one) for one in listed] if isinstance(listed, list) else [None]
    known = dict(result for result in results if result is not None)
    end = last["end"]
    if (
        not isinstance(end, str)
        or end not in set(End)
        or None in results
        or len(known) != len(results)
        or len(results) > MOST_TESTS
    ):
        return UnitReport(end=End.UNFINISHED, message="the report makes no sense", tests=())
    return UnitReport(end=End(end), message=_text(last.get("message"), _MOST_MESSAGE), tests=tuple(known.values()))


def _lines(data: bytes) -> Iterator[Mapping[str, object]]:
    """The objects of all complete lines; an empty one for a line that is none."""
    for line in io.BytesIO(data):
        if not line.endswith(b"\n"):
            return
        try:
            tree = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            tree = None
        yield tree if isinstance(tree, dict) else {}


def _told(value: object) -> tuple[str, UnitResult] | None:
    """``[name, outcome, counts, message]``."""
    if not isinstance(value, list) or len(value) != 4:
        return None
    name, outcome, counts, message = value
    if not isinstance(name, str) or not isinstance(outcome, str) or not isinstance(counts, bool):
        return None
    if outcome not in set(UnitOutcome):
        return None
    if len(name) > _MOST_NAME:
        name = f"{name[:_MOST_NAME]}~{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:12]}"  # two stay two
    name = _text(name, 2 * _MOST_NAME)
    told = _text(message, _MOST_MESSAGE) or None
    return name, UnitResult(name=name, outcome=UnitOutcome(outcome), counts=counts, message=told)


def _text(value: object, most: int) -> str:
    """Without lone surrogates, which no reply can carry."""
    return value[:most].encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""
