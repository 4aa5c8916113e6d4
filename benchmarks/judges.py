"""Measure judges that the pipeline made against official verdicts on outputs (``checker_gold``). Prints Markdown.

    PYTHONPATH=tests python benchmarks/judges.py RUN_FOLDER

RUN_FOLDER is what `scalebox judges synthesize --out` wrote. Nothing measured here was seen by the pipeline: it was given statements,
cases and right submissions (``benchmarks/judge_problems.py``). Words of drafts are kept in ``measured.jsonl`` there, so that a run
that was killed goes on. ``benchmarks/judge_submissions.py`` measures the same judges on submissions.

Some right outputs are labelled so because their official checker never reads to the end: it accepts them with garbage after them, too.
A judge that is proved has to refuse those; they are counted with the others, and once more without them.
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

from acceptance import gold as official
from judge_problems import DATA, KINDS, json_lines
from pydantic import TypeAdapter

from scalebox.assembly import open_judge
from scalebox.config import load_settings
from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import AskWhen
from scalebox.core.submission import JudgeOptions
from scalebox.core.verdict import Verdict
from scalebox.synthesis.box import Question, ask_draft
from scalebox.synthesis.domain import Draft

ASK_LIMITS: Final = Limits(cpu_seconds=10.0)
DRAFT: Final = TypeAdapter(Draft)
Z: Final = 1.96
LONGER: Final = "mutation:extra_token"
GARBAGE: Final = "trailing garbage\n"


@dataclass(slots=True)
class Rates:
    """Right and wrong outputs, and how many of each were told as such."""

    right: int = 0
    right_accepted: int = 0
    wrong: int = 0
    wrong_refused: int = 0

    def add(self, is_right: bool, said: Verdict) -> None:
        """Count one; a judge that broke is right neither way."""
        if is_right:
            self.right += 1
            self.right_accepted += said is Verdict.AC
        else:
            self.wrong += 1
            self.wrong_refused += said is Verdict.WA

    def join(self, other: Rates) -> None:
        self.right += other.right
        self.right_accepted += other.right_accepted
        self.wrong += other.wrong
        self.wrong_refused += other.wrong_refused

    def cells(self) -> str:
        return f"{share(self.right_accepted, self.right)} | {share(self.wrong_refused, self.wrong)}"


def share(part: int, whole: int) -> str:
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
    proved: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Problem -> its end, as it stands in the trail."""
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
                run.proved[record["problem"]] = record["proved"]
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
        self._known: dict[str, list[Verdict]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                self._known[record["key"]] = [Verdict(said) for said in record["said"]]

    async def of(self, judge: Judge, draft: Draft, key: str, questions: Sequence[Question]) -> list[Verdict]:
        """Its word on each output; that it broke, where it broke so often that it was asked no more."""
        key = f"{draft.digest} {key}"
        if key not in self._known:
            words = await ask_draft(judge, draft, questions, ASK_LIMITS)
            said = [word.verdict for word in words] + [Verdict.JE] * (len(questions) - len(words))
            self._known[key] = said
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "said": [verdict.value for verdict in said]}) + "\n")
        return self._known[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """An output and what its official checker said."""

    test: dict[str, Any]
    question: Question
    right: bool
    made: str
    """How it was made."""


Gold = dict[str, list[Labelled]]


def gold_outputs(rows: dict[str, dict[str, Any]]) -> Gold:
    """Labelled outputs of every problem."""
    found: Gold = defaultdict(list)
    for item in json_lines(DATA / "checker_gold.jsonl.gz"):
        row = rows.get(item["problem"])
        test = None if row is None else next((test for test in row["tests"] if test["name"] == item["test"]), None)
        if test is None or test.get("output") is None:
            continue
        question = Question(
            input=test["input"].encode(), answer=test["output"].encode(), output=item["output"].encode()
        )
        right = item["expected"] == "OK"
        found[item["problem"]].append(Labelled(test=test, question=question, right=right, made=item["from"]))
    return found


async def unread_ends(judge: Judge, rows: dict[str, dict[str, Any]], gold: Gold) -> set[int]:
    """Right outputs with a token more, by identity, whose official checker accepts the answer with garbage after it, too."""
    found: set[int] = set()
    for name, labelled in gold.items():
        longer = [one for one in labelled if one.right and one.made == LONGER]
        captured = [
            official.Captured(test=one.test, output=one.question.answer + GARBAGE.encode())  # type: ignore[arg-type]  # a row as it was read
            for one in longer
        ]
        if not longer:
            continue
        problem = official.printed_problem(rows[name], captured, AskWhen.ALWAYS)  # type: ignore[arg-type]  # likewise
        judgement = await judge.judge(official.PRINTS, problem, JudgeOptions(deadline_seconds=3600.0))
        found |= {id(one) for one, case in zip(longer, judgement.cases, strict=True) if case.verdict is Verdict.AC}
    return found


async def rates_of(
    judge: Judge, words: Words, records: Iterable[DraftRecord], gold: Gold, without: frozenset[int] = frozenset()
) -> Rates:
    """Rates over all labelled outputs of the drafts' problems, but some."""
    rates = Rates()
    for record in records:
        labelled = gold.get(record.problem, [])
        questions = [one.question for one in labelled]
        verdicts = await words.of(judge, record.draft, f"gold {record.problem}", questions) if questions else []
        for one, said in zip(labelled, verdicts, strict=True):
            if id(one) not in without:
                rates.add(one.right, said)
    return rates


async def measure(folder: Path) -> None:
    """Print the tables."""
    run = read_run(folder)
    rows = {row["id"]: row for row in json_lines(DATA / "fidelity_gold.jsonl.gz") if row["checker"]["kind"] in KINDS}
    gold = {name: found for name, found in gold_outputs(rows).items() if name in run.finals}
    words = Words(folder / "measured.jsonl")
    finals = [run.drafts[ended] for ended in run.finals.items()]
    first = [record for record in run.drafts.values() if record.draft.round == 0]
    groups = {
        "judges that the pipeline ended with": finals,
        "first drafts, all": first,
        "first drafts admitted by answer, reference and empty output": [one for one in first if one.weakly_admitted],
        "first drafts admitted by the full proof": [one for one in first if one.proved],
    }
    ended = len(run.finals) + len(run.discarded)
    print(f"{ended} problems ended, {len(run.finals)} with a judge; {len(run.drafts)} drafts, {run.replies} replies\n")
    print(
        "| judges | n | with labelled outputs | right outputs accepted | wrong outputs refused |\n|---|---|---|---|---|"
    )
    async with open_judge(load_settings({})) as judge:
        for name, records in groups.items():
            rates = await rates_of(judge, words, records, gold)
            labelled = sum(record.problem in gold for record in records)
            print(f"| {name} | {len(records)} | {labelled} | {rates.cells()} |")
        unread = frozenset(await unread_ends(judge, rows, gold))
        rates = await rates_of(judge, words, finals, gold, unread)
        print(
            f"| the first line, without {len(unread)} outputs whose end no official checker reads | | | {rates.cells()} |"
        )
        print("\n| problem | how | right outputs accepted | wrong outputs refused |\n|---|---|---|---|")
        for record in sorted(finals, key=lambda record: record.problem):
            rates = await rates_of(judge, words, [record], gold)
            how = f"{record.draft.template or 'program'}, {record.draft.round} repairs"
            print(f"| {record.problem} | {how} | {rates.cells()} |")
    for name, reason in sorted(run.discarded.items()):
        print(f"discarded: {name}: {reason}")


def main() -> None:
    """Measure a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    asyncio.run(measure(given.folder))


if __name__ == "__main__":
    main()
