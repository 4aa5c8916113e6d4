"""Write what became of the tests of a unit-test framework, in the words of ``scalebox.core.unit_report``."""

from __future__ import annotations

from scalebox.runner.zygote.harness.channel import write_all
from scalebox.runner.zygote.harness.codec import quote, to_bytes

FINISHED = "finished"
PROGRAM_DIED = "program_died"
BROKEN = "broken_test"
UNSUPPORTED = "unsupported"

PASSED = "passed"
FAILED = "failed"
ERROR = "error"
SKIPPED = "skipped"
NOT_RUN = "not_run"

_MOST_MESSAGE = 800
_MOST_NAME = 300
_MOST_MESSAGES = 256 << 10


def short(name: str) -> str:
    """A name of bounded length; two that are cut stay two."""
    return name if len(name) <= _MOST_NAME else f"{name[:_MOST_NAME]}~{hash(name) & 0xFFFFFFFFFFFF:x}"


class Tests:
    """The tests of a run, in order."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}
        self.messages: dict[str, str] = {}
        self.uncounted: set[str] = set()
        self._left = _MOST_MESSAGES

    def note(self, name: str, outcome: str, message: str = "") -> None:
        """Note what became of a test; a later word takes the place of an earlier one."""
        self.outcomes[name] = outcome
        message = message[: min(_MOST_MESSAGE, self._left)]
        self._left -= len(message)
        self.messages[name] = message

    def write(self, fd: int, end: str, message: str = "", token: str = "") -> None:
        """Write the report whole."""
        tests = ",".join(self._line(name) for name in self.outcomes)
        parts = [f'"token":{quote(token)}', f'"end":{quote(end)}', f'"message":{quote(message[:_MOST_MESSAGE])}']
        write_all(fd, to_bytes(f'{{{",".join(parts)},"tests":[{tests}]}}\n'))

    def tell(self, fd: int, name: str) -> None:
        """Write what became of one test so far, for the case that the whole is never written."""
        write_all(fd, to_bytes(f'{{"test":{self._line(name)}}}\n'))

    def _line(self, name: str) -> str:
        counts = "false" if name in self.uncounted else "true"
        return f"[{quote(name)},{quote(self.outcomes[name])},{counts},{quote(self.messages.get(name, ''))}]"
