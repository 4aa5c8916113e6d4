"""What large problems cost: 64 rollouts of one 20 MB problem, sent with each, registered once, and compressed.

A real server with one slot a CPU; each way has a new one, so that its CPU seconds (of the service process, without the
programs) and its peak of resident memory are its own. The programs do nothing, and all but the first case are skipped.
Bodies are made beforehand; the client is asynchronous and keeps 8 requests in flight.

    python benchmarks/payloads.py [--megabytes 20] [--rollouts 64] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import httpx2
from common import server
from meter import used_by

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PORT: Final = 18230
IN_FLIGHT: Final = 8
CASES: Final = 20

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One way of sending."""

    way: str
    sent_megabytes: float
    wall_seconds: float
    server_cpu_seconds: float
    peak_megabytes: float
    p50_seconds: float


def numbers(size: int) -> list[tuple[str, str]]:
    """Inputs and answers of about so many bytes together: numbers, one a line."""
    dice = random.Random(1)  # noqa: S311 - data, no secret
    lines = [f"{dice.randrange(10**9)}" for _ in range(size // 10)]
    step = max(1, len(lines) // CASES)
    return [("\n".join(lines[start : start + step]) + "\n", "1") for start in range(0, len(lines), step)]


def v1_body(problem: Json, number: int) -> bytes:
    """A rollout that brings the problem."""
    return json.dumps({**rollout(number), "problem": problem}).encode()


def rollout(number: int) -> Json:
    """A rollout without its problem: wrong at the first case."""
    return {"source": f"print(0)  # {number}", "language": "python", "stop_on_failure": True, "detail": "verdict"}


def legacy_body(cases: list[tuple[str, str]], number: int) -> bytes:
    """A rollout in the shape of ``/common_evaluate_batch``."""
    columns = {"type": "stdin_stdout", "input": [given for given, _ in cases], "output": [due for _, due in cases]}
    config = {"language": "python", "provided_data": {"test_cases": columns}}
    return json.dumps({"completion": f"```python\nprint(0)  # {number}\n```", "config": config}).encode()


def peak_megabytes(pid: int) -> float:
    """The most memory that a process had."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


async def drive(
    path: str, make: Callable[[int], bytes], headers: dict[str, str], rollouts: int, register: Json | None
) -> tuple[int, list[float]]:
    """Send all; the bytes sent, and the seconds of each."""
    gate = asyncio.Semaphore(IN_FLIGHT)
    seconds: list[float] = []
    sent = 0
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{PORT}", timeout=300) as client:
        named: Json = {}
        if register is not None:
            body = json.dumps(register).encode()
            sent += len(body)
            reply = await client.post("/v1/problems", content=body)
            named = {"problem_id": reply.raise_for_status().json()["id"]}

        async def one(number: int) -> int:
            body = json.dumps({**rollout(number), **named}).encode() if named else make(number)
            async with gate:
                began = time.perf_counter()
                reply = await client.post(path, content=body, headers=headers)
                seconds.append(time.perf_counter() - began)
            found = reply.raise_for_status().json()
            if found.get("verdict") != "WA" and found.get("accepted") is not False:
                raise RuntimeError(f"not judged as due: {reply.text[:300]}")
            return len(body)

        sent += sum(await asyncio.gather(*map(one, range(rollouts))))
    return sent, seconds


def measure(
    way: str, path: str, make: Callable[[int], bytes], rollouts: int, encoding: str = "", register: Json | None = None
) -> Figures:
    """One way, on a new server."""
    headers = {"Content-Type": "application/json"} | ({"Content-Encoding": encoding} if encoding else {})
    with tempfile.TemporaryDirectory() as folder, server(PORT, state_dir=folder, log_level="error") as ours:
        asyncio.run(drive(path, lambda _: small_body(path), {"Content-Type": "application/json"}, 1, None))  # warm
        before, began = used_by(ours.pid)[0], time.perf_counter()
        sent, seconds = asyncio.run(drive(path, make, headers, rollouts, register))
        wall = time.perf_counter() - began
        return Figures(
            way=way,
            sent_megabytes=sent / 1e6,
            wall_seconds=wall,
            server_cpu_seconds=(used_by(ours.pid)[0] - before).both,
            peak_megabytes=peak_megabytes(ours.pid),
            p50_seconds=statistics.median(seconds),
        )


def small_body(path: str) -> bytes:
    """A first request, so that nothing is measured that only the first one costs."""
    cases = [("1\n", "2")]
    return legacy_body(cases, 0) if path.startswith("/common") else v1_body(problem_of(cases), 0)


def problem_of(cases: list[tuple[str, str]]) -> Json:
    """The problem of a v1 request."""
    return {"tests": [{"kind": "stdio", "input": given, "answer": due} for given, due in cases]}


def prepared(make: Callable[[int], bytes], rollouts: int) -> Callable[[int], bytes]:
    """The bodies, made beforehand."""
    bodies = list(map(make, range(rollouts)))
    return bodies.__getitem__


def run(megabytes: int, rollouts: int) -> list[Figures]:
    """Every way, one after the other."""
    cases = numbers(megabytes * 1_000_000)
    problem = problem_of(cases)
    plain = prepared(lambda number: v1_body(problem, number), rollouts)
    judge, batch = "/v1/judge", "/common_evaluate_batch"
    found = [measure("inline", judge, plain, rollouts)]
    found.append(measure("registered", judge, plain, rollouts, register=problem))
    packed = [gzip.compress(plain(number), 1) for number in range(rollouts)]
    found.append(measure("inline, gzip", judge, packed.__getitem__, rollouts, "gzip"))
    packed = [zstd.compress(plain(number), 1) for number in range(rollouts)]
    found.append(measure("inline, zstd", judge, packed.__getitem__, rollouts, "zstd"))
    old = prepared(lambda number: legacy_body(cases, number), rollouts)
    found.append(measure("compatibility, inline", batch, old, rollouts))
    return found


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=20)
    parser.add_argument("--rollouts", type=int, default=64)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = run(options.megabytes, options.rollouts)
    print(f"{options.rollouts} rollouts of one problem of {options.megabytes} MB, {os.cpu_count()} CPUs")
    print("| way | sent MB | wall s | server CPU s | CPU ms a rollout | peak RSS MB | p50 s |")
    print("|---|---|---|---|---|---|---|")
    for one in found:
        each = one.server_cpu_seconds * 1000 / options.rollouts
        print(
            f"| {one.way} | {one.sent_megabytes:.0f} | {one.wall_seconds:.2f} | {one.server_cpu_seconds:.2f} "
            f"| {each:.1f} | {one.peak_megabytes:.0f} | {one.p50_seconds:.3f} |"
        )
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
