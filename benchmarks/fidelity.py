"""False rejects and false accepts on real contest problems: ScaleBox beside comparing tokens and comparing bytes. Prints Markdown.

Every submission runs once on each test of its problem, and the three comparisons are made of the same outputs: ScaleBox's
by a program that prints what was captured, judged by the problem's own checker. A run that ended badly is rejected by all
three. A conversation has no answer to compare with, so that interactive problems are judged by ScaleBox alone. Right
are the verified submissions, however long they may take; wrong are those verified as wrong, and those published as
wrong where all tests are at hand.

``outputs``  the recorded outputs of ``checker_gold``, with what the official checkers said of them
``judges``   the judges of ``aethercode_checkers``, which a model wrote: how each ends on an output that equals the answer

    PYTHONPATH=tests python benchmarks/fidelity.py [--part submissions] [--part outputs] [--part judges] [--kind python]
                                                   [--heavy-seconds 5] [--one-in 1] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from acceptance import aethercode, gold, shared
from acceptance.gold import Gold

from scalebox.assembly import open_judge
from scalebox.config import load_settings
from scalebox.core.ports import Judge
from scalebox.core.problem import AskWhen
from scalebox.core.submission import JudgeOptions, RunSpec
from scalebox.core.verdict import Verdict

PARTS: Final = ("submissions", "outputs", "judges")
COMPARISONS: Final = ("ScaleBox", "tokens", "bytes")
DEADLINE_SECONDS: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Something of a kind that is right or wrong, and who accepts it; None where a comparison cannot be made."""

    kind: str
    id: str
    right: bool
    accepts: dict[str, bool | None]
    seconds: float


async def capture(judge: Judge, entry: Gold) -> list[gold.Captured] | None:
    """The submission's outputs on all tests; None where a run ended badly."""
    problem = gold.problem(entry.row, gold.cpu_seconds(entry))
    captured = []
    for test in entry.row["tests"]:
        spec = RunSpec(stdin=test["input"].encode(), limits=problem.limits, deadline_seconds=DEADLINE_SECONDS)
        run = (await judge.run(gold.submission_of(entry), spec)).run
        if run is None or run.exit_code != 0 or run.exceeded is not None:
            return None
        captured.append(gold.Captured(test=test, output=run.stdout))
    return captured


async def accepted(judge: Judge, row: gold.GoldRow, captured: Sequence[gold.Captured], when: AskWhen) -> list[bool]:
    """Whether ScaleBox accepts each output.

    Raises:
        RuntimeError: a verdict that says nothing about the output.
    """
    problem = gold.printed_problem(row, captured, when)
    options = JudgeOptions(deadline_seconds=DEADLINE_SECONDS)
    judgement = await judge.judge(gold.PRINTS, problem, options)
    for case in judgement.cases:
        if case.verdict not in {Verdict.AC, Verdict.WA}:
            message = f"{row['id']} {case.name}: {case.verdict} ({case.reason})"
            raise RuntimeError(message)
    return [case.verdict is Verdict.AC for case in judgement.cases]


async def compare(judge: Judge, entry: Gold) -> dict[str, bool | None]:
    """Who accepts a submission."""
    if entry.row["checker"]["kind"] in gold.INTERACTIVE:
        problem = gold.problem(entry.row, gold.cpu_seconds(entry))
        options = JudgeOptions(stop_on_failure=True, deadline_seconds=DEADLINE_SECONDS)
        judgement = await judge.judge(gold.submission_of(entry), problem, options)
        return {"ScaleBox": judgement.verdict is Verdict.AC, "tokens": None, "bytes": None}
    captured = await capture(judge, entry)
    if captured is None:
        return dict.fromkeys(COMPARISONS, False)
    return {
        "ScaleBox": all(await accepted(judge, entry.row, captured, AskWhen.UNDECIDED)),
        "tokens": all(one.output.split() == one.test["output"].encode().split() for one in captured),
        "bytes": all(one.output == one.test["output"].encode() for one in captured),
    }


async def of_submissions(judge: Judge, kinds: Iterable[str], heavy_seconds: float, one_in: int) -> list[Row]:
    """Every submission whose label is proof, in a language that is here."""
    ready = {status.id for status in await judge.languages() if status.available}
    found = []
    for kind in kinds:
        if lacking := gold.lacking(kind):
            print(f"{kind}: {lacking}", file=sys.stderr)
            continue
        for entry in gold.evidence(kind):
            if entry.submission["language"] not in ready or not chosen(entry.row["id"], one_in):
                continue
            if gold.seconds_of(entry) > heavy_seconds or not gold.is_whole(entry):
                print(f"left out, {'too slow' if gold.is_whole(entry) else 'not whole'}: {entry.id}", file=sys.stderr)
                continue
            began = time.monotonic()
            accepts = await compare(judge, entry)
            row = Row(
                kind=kind, id=entry.id, right=gold.is_right(entry), accepts=accepts, seconds=time.monotonic() - began
            )
            found.append(row)
            print(row, file=sys.stderr, flush=True)
    return found


async def of_outputs(judge: Judge, kinds: Iterable[str], one_in: int) -> list[Row]:
    """Every recorded output, by itself, as its problem's official checker judged it; the judges are always asked."""
    by_problem: dict[str, list[gold.OutputRow]] = defaultdict(list)
    for output in shared.read(gold.OUTPUTS, gold.OutputRow):
        by_problem[output["problem"]].append(output)
    found = []
    for kind in kinds:
        if kind in gold.INTERACTIVE or gold.lacking(kind):
            continue
        for row in gold.rows(kind):
            if by_problem[row["id"]] and chosen(row["id"], one_in):
                found += await _of_problem(judge, row, by_problem[row["id"]])
    return found


async def _of_problem(judge: Judge, row: gold.GoldRow, outputs: Sequence[gold.OutputRow]) -> list[Row]:
    tests = {test["name"]: test for test in row["tests"]}
    captured = [gold.Captured(test=tests[output["test"]], output=output["output"].encode()) for output in outputs]
    began = time.monotonic()
    ours = await accepted(judge, row, captured, AskWhen.ALWAYS)
    seconds = (time.monotonic() - began) / len(outputs)
    return [
        Row(
            kind=row["checker"]["kind"],
            id=f"{row['id']} {output['test']}",
            right=output["expected"] == "OK",
            accepts={
                "ScaleBox": ac,
                "tokens": one.output.split() == one.test["output"].encode().split(),
                "bytes": one.output == one.test["output"].encode(),
            },
            seconds=seconds,
        )
        for output, one, ac in zip(outputs, captured, ours, strict=True)
    ]


def chosen(name: str, one_in: int) -> bool:
    """Whether a bounded run takes the item of this name."""
    return one_in == 1 or shared.falls_in(name, one_in)


def table(rows: Sequence[Row], what: str) -> list[str]:
    """One line a kind, and one for all."""
    kinds = [kind for kind in gold.KINDS if any(row.kind == kind for row in rows)]
    head = ["checker", f"right {what}", *(f"rejected by {name}" for name in COMPARISONS)]
    head += [f"wrong {what}", *(f"accepted by {name}" for name in COMPARISONS)]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for kind in [*kinds, "all"]:
        mine = [row for row in rows if kind in {row.kind, "all"}]
        cells = [kind]
        for right in (True, False):
            some = [row for row in mine if row.right is right]
            cells += [str(len(some)), *(_faults(some, name) for name in COMPARISONS)]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _faults(rows: Sequence[Row], name: str) -> str:
    """How many a comparison got wrong, of those that it can be made of."""
    made = [row for row in rows if row.accepts[name] is not None]
    return str(sum(row.accepts[name] is not row.right for row in made)) if made else "-"


def named(rows: Sequence[Row]) -> list[str]:
    """What ScaleBox gets wrong, by name."""
    return [
        f"- {'rejects' if row.right else 'accepts'} {row.kind} {row.id}"
        for row in rows
        if row.accepts["ScaleBox"] is not row.right
    ]


async def of_judges(judge: Judge, one_in: int) -> list[aethercode.Tried]:
    """What AetherCode's judges do."""
    found = []
    for row in aethercode.rows():
        if chosen(str(row["id"]), one_in):
            found.append(await aethercode.tried(judge, row))
            print(found[-1], file=sys.stderr, flush=True)
    return found


def judges_table(found: Sequence[aethercode.Tried]) -> list[str]:
    """How the judges ended, by pair; the best end of each; and which are broken."""
    ends = [
        aethercode.ACCEPTS,
        aethercode.REFUSES,
        aethercode.NO_COMPILE,
        aethercode.CRASH,
        aethercode.TIME,
        aethercode.ODD,
    ]
    lines = ["| pair | " + " | ".join(ends) + " |", "|---" + "|---:" * len(ends) + "|"]
    for index, name in enumerate(aethercode.PAIRS):
        counts = Counter(one.ends[index] for one in found)
        lines.append(f"| {name} | " + " | ".join(str(counts[end]) for end in ends) + " |")
    best = Counter(min(one.ends, key=ends.index) for one in found)
    lines.append("| the best of them | " + " | ".join(str(best[end]) for end in ends) + " |")
    internal = sum(Verdict.IE in one.verdicts for one in found)
    sound = {aethercode.ACCEPTS, aethercode.REFUSES}
    broken = [
        f"- {one.id} {' and '.join(sorted(set(one.ends) - sound))}" for one in found if not sound.issuperset(one.ends)
    ]
    return [*lines, "", f"{len(found)} judges; {internal} internal errors. Broken are {len(broken)}:", *broken]


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--kind", action="append", choices=gold.KINDS)
    parser.add_argument("--heavy-seconds", type=float, default=math.inf, help="leave out what was slower on some test")
    parser.add_argument("--one-in", type=int, default=1, help="take a part of the problems, or of the judges")
    parser.add_argument("--json", type=Path, help="also write every row there")
    return parser.parse_args()


async def main() -> None:
    """Measure and print."""
    asked = arguments()
    parts, kinds = asked.part or PARTS, asked.kind or gold.KINDS
    rows: dict[str, list[Row] | list[aethercode.Tried]] = {}
    async with open_judge(load_settings()) as judge:
        if "submissions" in parts:
            submissions = await of_submissions(judge, kinds, asked.heavy_seconds, asked.one_in)
            print("\n".join([*table(submissions, "submissions"), "", *named(submissions)]))
            rows["submissions"] = submissions
        if "outputs" in parts:
            outputs = await of_outputs(judge, kinds, asked.one_in)
            print("\n".join([*table(outputs, "outputs"), "", *named(outputs)]))
            rows["outputs"] = outputs
        if "judges" in parts:
            judges = await of_judges(judge, asked.one_in)
            print("\n".join(judges_table(judges)))
            rows["judges"] = judges
    if asked.json:
        asked.json.write_text(
            json.dumps({name: [asdict(row) for row in some] for name, some in rows.items()}, indent=1)
        )


if __name__ == "__main__":
    asyncio.run(main())
