"""What the proof is worth: judges with one small fault each, those that the weak test admits beside those that the full proof admits. Prints Markdown.

    PYTHONPATH=tests python benchmarks/judge_faults.py PROBLEMS.jsonl RUN_FOLDER [--each 2]

RUN_FOLDER is what `scalebox judges synthesize PROBLEMS.jsonl --out` wrote. The judges that it ended with are changed by the pipeline's own
mutation engine, each is put on the very bench that the judge itself passed, and all are asked about the labelled outputs of ``checker_gold``.
The weak test is the one used elsewhere: outputs of references and the jury's answers are accepted, an empty output is not.
A changed judge that is no worse than the judge itself is no broken one; how many are worse is in the table.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from judge_problems import DATA, KINDS, json_lines
from judges import ASK_LIMITS, DRAFT, Labelled, Rates, gold_outputs, read_run, seen_by_the_weak_test
from pydantic import TypeAdapter

from scalebox.assembly import open_judge
from scalebox.config import load_settings
from scalebox.core.ports import Judge
from scalebox.core.verdict import Verdict
from scalebox.synthesis.bench import make_bench, try_draft
from scalebox.synthesis.box import ask_draft
from scalebox.synthesis.cheap import gather
from scalebox.synthesis.domain import Classification, Draft, Outcome, ProblemRecord
from scalebox.synthesis.memory import Memory
from scalebox.synthesis.model.trail import Trail
from scalebox.synthesis.mutation.python import python_mutants
from scalebox.synthesis.pipeline import certain
from scalebox.synthesis.reading import read_problems
from scalebox.synthesis.trials import Item
from scalebox.telemetry.build import scalebox_version

CLASSIFICATION: Final = TypeAdapter(Classification)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A changed judge, who admits it, and how it did on labelled outputs."""

    weakly_admitted: bool
    proved: bool
    rates: Rates
    worse: bool
    """Wrong about more labelled outputs than the judge it was made of."""


async def rates_of(judge: Judge, draft: Draft, labelled: Sequence[Labelled]) -> Rates:
    """Rates of a draft."""
    words = await ask_draft(judge, draft, [one.question for one in labelled], ASK_LIMITS)
    verdicts = [word.verdict for word in words] + [Verdict.JE] * (len(labelled) - len(words))
    rates = Rates()
    for one, verdict in zip(labelled, verdicts, strict=True):
        rates.add(one.right, verdict)
    return rates


def mistakes(rates: Rates) -> int:
    """How many labelled outputs were told wrongly."""
    return rates.right - rates.right_accepted + rates.wrong - rates.wrong_refused


async def changed_judges(
    judge: Judge, draft: Draft, items: Sequence[Item], labelled: Sequence[Labelled], each: int
) -> list[Changed]:
    """Some changed versions of a judge."""
    own = mistakes(await rates_of(judge, draft, labelled))
    found = []
    for source, words in python_mutants(draft.source, each):
        changed = replace(draft, source=source, template=None, parameters={})
        proof = (await try_draft(judge, changed, items)).proof
        rates = await rates_of(judge, changed, labelled)
        one = Changed(
            weakly_admitted=not any(seen_by_the_weak_test(asdict(evidence)) for evidence in proof.convictions),
            proved=proof.outcome is Outcome.PROVED,
            rates=rates,
            worse=mistakes(rates) > own,
        )
        print(f"{words}: {one}", file=sys.stderr, flush=True)
        found.append(one)
    return found


async def bench_of(judge: Judge, trail: Trail, problem: ProblemRecord, proved: dict[str, Any]) -> list[Item]:
    """What the judge of a problem was tried with, made of the run's trail."""
    printed = await Memory(trail, problem, scalebox_version()).printed(judge)
    cheap = gather(problem, [*problem.good_outputs, *printed.references])
    category = certain(CLASSIFICATION.validate_python(proved["classification"]), [], cheap)
    return make_bench(problem, printed, category)


def line(name: str, judges: Iterable[Changed]) -> str:
    """One group of judges."""
    rates, worse, count = Rates(), 0, 0
    for one in judges:
        count, worse = count + 1, worse + one.worse
        rates.join(one.rates)
    return f"| {name} | {count} | {worse} | {rates.cells()} |"


async def measure(problems: Path, folder: Path, each: int) -> None:
    """Print the table."""
    run = read_run(folder)
    rows = {row["id"]: row for row in json_lines(DATA / "fidelity_gold.jsonl.gz") if row["checker"]["kind"] in KINDS}
    gold = gold_outputs(rows)
    trail = Trail(folder / "trail.jsonl")
    found: list[Changed] = []
    async with open_judge(load_settings({})) as judge:
        for problem in read_problems(problems):
            if problem.name not in run.finals or problem.name not in gold:
                continue
            proved = run.proved[problem.name]
            draft = DRAFT.validate_python(proved["draft"])
            if draft.template is None:  # the programs of templates are ours
                items = await bench_of(judge, trail, problem, proved)
                found += await changed_judges(judge, draft, items, gold[problem.name], each)
    trail.close()
    print("| judges with one fault | n | worse on labelled outputs | right outputs accepted | wrong outputs refused |")
    print("|---|---|---|---|---|")
    print(line("all", found))
    print(line("admitted by answer, reference and empty output", [one for one in found if one.weakly_admitted]))
    print(line("admitted by the full proof", [one for one in found if one.proved]))


def main() -> None:
    """Measure a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=2, help="changed versions of each judge")
    given = parser.parse_args()
    asyncio.run(measure(given.problems, given.folder, given.each))


if __name__ == "__main__":
    main()
