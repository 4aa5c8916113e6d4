"""What a server process spends on each case itself, and from it how many slots one cell can feed.

CPU time of the service's process only: not of the slots, the boxes or the client. Submissions of 1 case and of 100 (a program
that adds 1, each source another) give what a submission costs and what a case adds; without HTTP the judge is called in one
process. A cell's loop is one thread, so it feeds as many slots as together give it less than one CPU's work; the
table takes 70 % of one, because waiting grows near all of it.

    taskset -c 0,1 python benchmarks/cell_cost.py [--rounds 5] [--cases 2000] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import itertools
import json
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from common import server
from meter import children_of, used_by

from scalebox.assembly import open_judge
from scalebox.config import load_settings
from scalebox.core.problem import Problem, StdioCase
from scalebox.core.submission import JudgeOptions, Submission

PORT: Final = 18261
FEW: Final = 1
MANY: Final = 100
SHARE: Final = 0.7
CASE_MILLISECONDS: Final = (5, 20, 100)
TESTS_PER_SUBMISSION: Final = (1, 20)
_numbers = itertools.count()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Microseconds of the server process."""

    submission: float
    case: float

    def each(self, tests: int) -> float:
        """For one case of a submission of so many."""
        return self.case + self.submission / tests


def source() -> str:
    """A program that was never judged before."""
    return f"print(int(input()) + 1)  # {next(_numbers)}"


def fit(few: float, many: float) -> Cost:
    """From microseconds a submission of few cases and of many."""
    case = (many - few) / (MANY - FEW)
    return Cost(submission=few - FEW * case, case=case)


async def inside(cases: int) -> Cost:
    """The judge in this process."""
    async with open_judge(load_settings({"slots": 1})) as judge:
        spent = []
        for tests in (FEW, MANY):
            problem = Problem(
                tests=[StdioCase(name=str(n), input=b"%d\n" % n, answer=b"%d\n" % (n + 1)) for n in range(tests)]
            )
            count = max(2, cases // tests)
            for warm_up in (True, False):
                began = time.process_time()
                for _ in range(2 if warm_up else count):
                    judgement = await judge.judge(
                        Submission(source=source(), language="python"), problem, JudgeOptions()
                    )
                    if judgement.passed != tests:
                        raise RuntimeError(f"a right program was rejected: {judgement.verdict}")
            spent.append((time.process_time() - began) / count * 1e6)
    return fit(*spent)


def spent_by(pids: Sequence[int]) -> float:
    """CPU seconds of processes themselves."""
    return sum(used_by(pid)[0].both for pid in pids)


def body(tests: int, *, ids: bool) -> bytes:
    """A request."""
    cases = [{"kind": "stdio", "input": f"{n}\n", "answer": f"{n + 1}\n"} for n in range(tests)]
    text = source()
    request = {"source": text, "language": "python", "problem": {"tests": cases}}
    return json.dumps(request | ({"id": text} if ids else {})).encode()


def send(bodies: Sequence[bytes], tests: int) -> None:
    """Requests over one connection, one after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=600)
    for data in bodies:
        connection.request("POST", "/v1/judge", data)
        reply = json.loads(connection.getresponse().read())
        if reply["passed"] != tests:
            raise RuntimeError(f"a right program was rejected: {reply}")
    connection.close()


def by_http(pids: Sequence[int], cases: int, tests: int, *, ids: bool = False, connections: int = 2) -> float:
    """Microseconds of the server's processes for a submission; two connections keep its slot busy."""
    each = max(2, cases // tests // connections)
    send([body(tests, ids=ids) for _ in range(4)], tests)
    shares = [[body(tests, ids=ids) for _ in range(each)] for _ in range(connections)]
    senders = [threading.Thread(target=send, args=(share, tests)) for share in shares]
    before = spent_by(pids)
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    return (spent_by(pids) - before) / (each * connections) * 1e6


def over_http(cases: int) -> Cost:
    """A server of one cell."""
    with server(PORT, slots="1", cells="1") as ours:
        return fit(by_http([ours.pid], cases, FEW), by_http([ours.pid], cases, MANY))


def with_ids(cases: int) -> tuple[float, float]:
    """Microseconds that both of two cells spend on a submission of one case, without an id and with one."""
    with server(PORT, slots="2", cells="2") as ours:
        cells = children_of(ours.pid)
        return by_http(cells, cases, 1), by_http(cells, cases, 1, ids=True)


def median_of(costs: Sequence[Cost]) -> Cost:
    """Medians."""
    return Cost(
        submission=statistics.median(cost.submission for cost in costs),
        case=statistics.median(cost.case for cost in costs),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rounds = range(arguments.rounds)
    direct = median_of([asyncio.run(inside(arguments.cases)) for _ in rounds])
    served = median_of([over_http(arguments.cases) for _ in rounds])
    pairs = [with_ids(arguments.cases) for _ in rounds]
    plain, owned = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"CPU microseconds of the server process, medians of {arguments.rounds} rounds")
    print(f"{'':12} {'a submission':>12} {'a case more':>12}")
    print(f"{'the judge':12} {direct.submission:12.0f} {direct.case:12.0f}")
    print(f"{'with HTTP':12} {served.submission:12.0f} {served.case:12.0f}")
    print(f"two cells, one case: {plain:.0f} without an id, {owned:.0f} with one")
    print(f"slots that {SHARE:.0%} of one CPU feeds, by what a case takes and the cases of a submission")
    for tests in TESTS_PER_SUBMISSION:
        fed = [int(SHARE * case * 1000 / served.each(tests)) for case in CASE_MILLISECONDS]
        print(f"{tests:4} cases: " + "  ".join(f"{ms} ms {n:4}" for ms, n in zip(CASE_MILLISECONDS, fed, strict=True)))
    if arguments.json:
        figures = {"judge": asdict(direct), "http": asdict(served), "two_cells": {"plain": plain, "id": owned}}
        arguments.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
