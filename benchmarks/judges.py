"""Measure judges that the pipeline made against official verdicts: outputs (``checker_gold``) and submissions with verified labels.

    python benchmarks/judges.py RUN_FOLDER [--outputs-only]

RUN_FOLDER is what `scalebox judges synthesize --out` wrote. Nothing measured here was seen by the pipeline: it was given statements,
cases and right submissions (``benchmarks/judge_problems.py``). Words of drafts are kept in ``measured.jsonl`` there, so that a run
that was killed goes on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from judge_problems import DATA, KINDS, json_lines, references
from pydantic import TypeAdapter

from scalebox.assembly import open_judge
from scalebox.config import load_settings
from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import Problem, StdioCase
from scalebox.core.submission import Submission
from scalebox.core.verdict import EVIDENCE, Verdict
from scalebox.synthesis.box import Question, ask_draft, patiently
from scalebox.synthesis.domain import Draft

ASK_LIMITS: Final = Limits(cpu_seconds=10.0)
DRAFT: Final = TypeAdapter(Draft)
Z: Final = 1.96
LANGUAGE: Final = "python"
MOST_CASES: Final = 20
MOST_BYTES: Final = 400_000


@dataclass(slots=True)
class Rates:
    """Right and wrong outputs, and how many of each were told as such."""

    right: int = 0
    right_accepted: int = 0
    wrong: int = 0
    wrong_refused: int = 0

    def add(self, is_right: bool, accepted: bool) -> None:
        if is_right:
            self.right += 1
            self.right_accepted += accepted
        else:
            self.wrong += 1
            self.wrong_refused += not accepted

    def join(self, other: Rates) -> None:
        self.right += other.right
        self.right_accepted += other.right_accepted
        self.wrong += other.wrong
        self.wrong_refused += other.wrong_refused

    def cells(self) -> str:
        return f"{_share(self.right_accepted, self.right)} | {_share(self.wrong_refused, self.wrong)}"


def _share(part: int, whole: int) -> str:
    """A share with its counts and Wilson's interval."""
    if not whole:
        return "-"
    p = part / whole
    centre = (p + Z * Z / (2 * whole)) / (1 + Z * Z / whole)
    half = Z * math.sqrt(p * (1 - p) / whole + Z * Z / (4 * whole * whole)) / (1 + Z * Z / whole)
    return f"{100 * p:.2f} % ({part} of {whole}; {100 * (centre - half):.1f} to {100 * min(1.0, centre + half):.1f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRecord:
    """A draft of the trail."""

    problem: str
    draft: Draft
    proved: bool
    weakly_admitted: bool


@dataclass(slots=True)
class Run:
    """What a run of the pipeline left behind."""

    drafts: dict[tuple[str, str], DraftRecord] = field(default_factory=dict)
    finals: dict[str, str] = field(default_factory=dict)
    """Problem -> digest of its judge; one template may be the judge of several."""
    discarded: dict[str, str] = field(default_factory=dict)
    replies: int = 0


def read_run(folder: Path) -> Run:
    """Drafts with their proofs, and how problems ended."""
    run = Run()
    for line in (folder / "trail.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["kind"] == "proof":
            draft = DRAFT.validate_python(record["draft"])
            run.drafts[record["problem"], draft.digest] = DraftRecord(
                problem=record["problem"],
                draft=draft,
                proved=record["proof"]["outcome"] == "proved",
                weakly_admitted=not any(map(seen_by_the_weak_test, record["proof"]["convictions"])),
            )
        elif record["kind"] == "end":
            if record["end"] == "proved":
                run.finals[record["problem"]] = DRAFT.validate_python(record["proved"]["draft"]).digest
            else:
                run.discarded[record["problem"]] = record["discarded"]["reason"]
        elif record["kind"] == "asked":
            run.replies += 1
    return run


def seen_by_the_weak_test(evidence: dict[str, Any]) -> bool:
    """Whether it would convict where judges are admitted elsewhere: they accept what the reference prints and do not accept an empty output."""
    if evidence["trial"] == "empty":
        return bool(evidence["got"] == "AC")
    return evidence["trial"] in {"answer", "reference_output"}


class Words:
    """What drafts said to labelled outputs, remembered in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, list[bool]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                self._known[record["key"]] = record["accepted"]

    async def of(self, judge: Judge, draft: Draft, key: str, questions: Sequence[Question]) -> list[bool]:
        """Whether each output is accepted; a judge that breaks accepts nothing."""
        known = self._known.get(f"{draft.digest} {key}")
        if known is not None:
            return known
        words = await ask_draft(judge, draft, questions, ASK_LIMITS)
        accepted = [word.verdict is Verdict.AC for word in words]
        accepted += [False] * (len(questions) - len(words))
        self._known[f"{draft.digest} {key}"] = accepted
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": f"{draft.digest} {key}", "accepted": accepted}) + "\n")
        return accepted


def gold_questions(rows: dict[str, dict[str, Any]]) -> dict[str, list[tuple[Question, bool]]]:
    """Labelled outputs of every problem."""
    found: dict[str, list[tuple[Question, bool]]] = defaultdict(list)
    for item in json_lines(DATA / "checker_gold.jsonl.gz"):
        row = rows.get(item["problem"])
        test = None if row is None else next((test for test in row["tests"] if test["name"] == item["test"]), None)
        if test is None or test.get("output") is None:
            continue
        question = Question(
            input=test["input"].encode(), answer=test["output"].encode(), output=item["output"].encode()
        )
        found[item["problem"]].append((question, item["expected"] == "OK"))
    return found


async def rates_on_outputs(
    judge: Judge, words: Words, record: DraftRecord, gold: Sequence[tuple[Question, bool]]
) -> Rates:
    rates = Rates()
    accepted = await words.of(judge, record.draft, f"gold {record.problem}", [question for question, _ in gold])
    for (_, is_right), said in zip(gold, accepted, strict=True):
        rates.add(is_right, said)
    return rates


async def rates_on_submissions(judge: Judge, record: DraftRecord, row: dict[str, Any]) -> Rates:
    """Submissions with verified labels that the pipeline did not see."""
    rates = Rates()
    seen = {item["source"] for item in references(row)}
    problem = _problem(record, row)
    for item in row["submissions"]:
        if item["label"] != "verified" or item["language"] != LANGUAGE or item["code"] in seen:
            continue
        if item["expected"] not in {"AC", "WA"}:
            continue
        judgement = await patiently(judge, Submission(source=item["code"], language=LANGUAGE), problem)
        if judgement.verdict in EVIDENCE or judgement.verdict is Verdict.JE:
            rates.add(item["expected"] == "AC", judgement.verdict is Verdict.AC)
    return rates


def _problem(record: DraftRecord, row: dict[str, Any]) -> Problem:
    cases: list[StdioCase] = []
    size = 0
    for test in sorted(row["tests"], key=lambda test: len(test["input"])):
        size += len(test["input"])
        if test.get("output") is not None and len(cases) < MOST_CASES and size < MOST_BYTES:
            cases.append(StdioCase(name=test["name"], input=test["input"].encode(), answer=test["output"].encode()))
    limit = row["time_limit_s"]
    seconds = 30.0 if limit is None else 3 * float(limit) + 1
    return Problem(tests=cases, checker=record.draft.checker(), limits=Limits(cpu_seconds=seconds))


async def rates_of(
    judge: Judge, words: Words, records: Iterable[DraftRecord], gold: dict[str, list[tuple[Question, bool]]]
) -> Rates:
    whole = Rates()
    for record in records:
        if record.problem in gold:
            whole.join(await rates_on_outputs(judge, words, record, gold[record.problem]))
    return whole


async def measure(folder: Path, *, submissions_too: bool) -> None:
    """Print the tables."""
    run = read_run(folder)
    rows = {row["id"]: row for row in json_lines(DATA / "fidelity_gold.jsonl.gz") if row["checker"]["kind"] in KINDS}
    gold = gold_questions(rows)
    words = Words(folder / "measured.jsonl")
    finals = [run.drafts[ended] for ended in run.finals.items()]
    first = [record for record in run.drafts.values() if record.draft.round == 0]
    groups = {
        "judges that the pipeline ended with": finals,
        "first drafts, all": first,
        "first drafts admitted by answer, reference and empty output": [one for one in first if one.weakly_admitted],
        "first drafts admitted by the full proof": [one for one in first if one.proved],
    }
    settings = load_settings({})
    async with open_judge(settings) as judge:
        ended = len(run.finals) + len(run.discarded)
        print(
            f"{ended} problems ended, {len(run.finals)} with a judge; {len(run.drafts)} drafts, {run.replies} replies\n"
        )
        print(
            "| judges | n | with labelled outputs | right outputs accepted | wrong outputs refused |\n|---|---|---|---|---|"
        )
        for name, records in groups.items():
            rates = await rates_of(judge, words, records, gold)
            labelled = sum(record.problem in gold for record in records)
            print(f"| {name} | {len(records)} | {labelled} | {rates.cells()} |")
        submissions = Rates()
        print(
            "\n| problem | how | right outputs accepted | wrong outputs refused | right submissions | wrong submissions |\n|---|---|---|---|---|---|"
        )
        for record in sorted(finals, key=lambda record: record.problem):
            rates = await rates_of(judge, words, [record], gold)
            own = await rates_on_submissions(judge, record, rows[record.problem]) if submissions_too else Rates()
            submissions.join(own)
            how = f"{record.draft.template or 'program'}, {record.draft.round} repairs"
            print(f"| {record.problem} | {how} | {rates.cells()} | {own.cells()} |")
        print(f"\nSubmissions not seen by the pipeline: {submissions.cells()}")
    for name, reason in sorted(run.discarded.items()):
        print(f"discarded: {name}: {reason}")


def main() -> None:
    """Measure a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--outputs-only", action="store_true", help="run no submissions")
    given = parser.parse_args()
    asyncio.run(measure(given.folder, submissions_too=not given.outputs_only))


if __name__ == "__main__":
    main()
