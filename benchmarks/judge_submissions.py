"""Measure judges that the pipeline made on labelled submissions that it did not see. Prints Markdown.

    PYTHONPATH=tests python benchmarks/judge_submissions.py RUN_FOLDER [--seconds 60]

Each submission in a language that is here is judged twice on all cases of its problem, as in use: by the official checker and by the
pipeline's judge. A label counts where it was verified, and where it was published and the official checker says the same
here. A submission that ends otherwise than by a judge's word (a crash, a time-out) says nothing about judges, and is counted apart, and so is one whose cases together take longer than --seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from acceptance import gold, shared
from judge_problems import references
from judges import DraftRecord, Rates, read_run

from scalebox.assembly import open_judge
from scalebox.config import load_settings
from scalebox.core.ports import Judge
from scalebox.core.result import Judgement
from scalebox.core.submission import JudgeOptions
from scalebox.core.verdict import Verdict

LABELS: Final = frozenset({"verified", "as_published"})
VERDICTS: Final = frozenset({"AC", "WA"})
WORDS: Final = frozenset({Verdict.AC, Verdict.WA, Verdict.JE})
"""Verdicts that are a judge's."""


def unseen(row: gold.GoldRow) -> Iterator[gold.Gold]:
    """Submissions with a label that the pipeline was not given."""
    seen = {item["source"] for item in references(dict(row))}
    for submission in row["submissions"]:
        if submission["code"] in seen or submission["label"] not in LABELS or submission["expected"] not in VERDICTS:
            continue
        yield gold.Gold(row=row, submission=submission)


class Measurement:
    """What was counted.

    Args:
        judge: judges submissions.
        seconds: for all cases of a submission.
    """

    def __init__(self, judge: Judge, seconds: float) -> None:
        self._judge = judge
        self._options = JudgeOptions(stop_on_failure=True, fresh=True, deadline_seconds=seconds)
        self.by_label = {label: Rates() for label in sorted(LABELS)}
        self.left_out: Counter[str] = Counter()
        self.mistakes: list[str] = []

    async def add(self, record: DraftRecord, entry: gold.Gold) -> None:
        """Judge a submission by both, and count it."""
        reason = await self._judged(record, entry)
        if reason is not None:
            self.left_out[reason] += 1
        print(f"{entry.id}: {reason or 'counted'}", file=sys.stderr, flush=True)

    async def _judged(self, record: DraftRecord, entry: gold.Gold) -> str | None:
        """Why it was not counted; None where it was."""
        if not gold.is_whole(entry):
            return "needs files that are not here"
        problem = gold.problem(entry.row, gold.cpu_seconds(entry))
        due, label = entry.submission["expected"], entry.submission["label"]
        official = await self._judge.judge(gold.submission_of(entry), problem, self._options)
        if official.verdict not in WORDS:
            return _other_end(official)
        if official.verdict.value != due:
            return f"{label} as {due}, and judged {official.verdict.value} by the official checker here"
        ours = replace(problem, checker=record.draft.checker())
        judgement = await self._judge.judge(gold.submission_of(entry), ours, self._options)
        if judgement.verdict not in WORDS:
            return _other_end(judgement)
        self.by_label[label].add(due == "AC", judgement.verdict)
        if judgement.verdict.value != due:
            self.mistakes.append(f"{entry.id}: {due}, and {judgement.verdict.value} by our judge")
        return None


def _other_end(judgement: Judgement) -> str:
    return "takes too long here" if judgement.verdict is Verdict.IE else f"ends otherwise ({judgement.verdict.value})"


async def measure(folder: Path, seconds: float) -> None:
    """Print the table."""
    run = read_run(folder)
    finals = {name: run.drafts[name, digest] for name, digest in run.finals.items()}
    rows = [row for row in shared.read(gold.FILE, gold.GoldRow) if row["id"] in finals]
    async with open_judge(load_settings({})) as judge:
        ready = {status.id for status in await judge.languages() if status.available}
        measurement = Measurement(judge, seconds)
        for row in rows:
            for entry in unseen(row):
                if entry.submission["language"] in ready:
                    await measurement.add(finals[row["id"]], entry)
                else:
                    measurement.left_out["in a language that is not here"] += 1
    print("| label | right submissions accepted | wrong submissions refused |\n|---|---|---|")
    for label, rates in measurement.by_label.items():
        print(f"| {label} | {rates.cells()} |")
    for reason, count in measurement.left_out.most_common():
        print(f"left out, {reason}: {count}")
    for mistake in measurement.mistakes:
        print(f"mistake: {mistake}")


def main() -> None:
    """Measure a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    asyncio.run(measure(given.folder, given.seconds))


if __name__ == "__main__":
    main()
