"""Requests of the benchmarks' own: small submissions to ``/v1/judge``, and threads that send them."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_TIMEOUT_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Small:
    """A submission with its tests, all of which it passes."""

    source: str
    language: str
    inputs: tuple[str, ...]
    answers: tuple[str, ...]

    def body(self, priority: str = "training") -> bytes:
        """The request."""
        tests = [
            {"kind": "stdio", "input": stdin, "answer": answer}
            for stdin, answer in zip(self.inputs, self.answers, strict=True)
        ]
        asked = {"source": self.source, "language": self.language, "problem": {"tests": tests}, "detail": "verdict"}
        return json.dumps({**asked, "priority": priority}).encode()


class Connection:
    """One connection that is kept; the request after the first finds it open."""

    def __init__(self, url: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_TIMEOUT_SECONDS)

    def judge(self, body: bytes) -> float:
        """Seconds from sending the request to having the verdict, which must be AC.

        Raises:
            RuntimeError: it is another.
        """
        return self.ask(body, "AC")

    def ask(self, body: bytes, due: str) -> float:
        """Seconds from sending the request to having the verdict.

        Raises:
            RuntimeError: it is not the one that is due.
        """
        began = time.perf_counter()
        self._connection.request("POST", "/v1/judge", body, {"Content-Type": "application/json"})
        reply = self._connection.getresponse()
        text = reply.read()
        taken = time.perf_counter() - began
        if reply.status != 200 or json.loads(text)["verdict"] != due:
            message = f"a program that is due {due} was answered {reply.status}: {text[:500]!r}"
            raise RuntimeError(message)
        return taken

    def close(self) -> None:
        """Let it go."""
        self._connection.close()


def all_at_once(url: str, bodies: Sequence[bytes]) -> list[float]:
    """Send all together, each on a connection of its own; seconds each took."""
    with ThreadPoolExecutor(len(bodies)) as threads:
        return list(threads.map(lambda body: _once(url, body), bodies))


def in_time(url: str, body: bytes, count: int, every_seconds: float) -> list[float]:
    """Send one each so many seconds, whether or not those before are answered; seconds each took."""
    began = time.perf_counter()

    def later(number: int) -> float:
        time.sleep(max(began + number * every_seconds - time.perf_counter(), 0.0))
        return _once(url, body)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(later, range(count)))


def _once(url: str, body: bytes) -> float:
    connection = Connection(url)
    try:
        return connection.judge(body)
    finally:
        connection.close()


def kept_up(url: str, body: bytes, depth: int, until: Callable[[], bool]) -> list[float]:
    """Keep so many submissions in flight until told otherwise; seconds each took, the last ones waited for."""

    def one(_: int) -> list[float]:
        connection, taken = Connection(url), []
        try:
            while not until():
                taken.append(connection.judge(body))
        finally:
            connection.close()
        return taken

    with ThreadPoolExecutor(depth) as threads:
        return [seconds for each in threads.map(one, range(depth)) for seconds in each]
