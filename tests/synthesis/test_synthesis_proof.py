"""Broken judges are refused, each with the evidence that convicts it, and right ones pass: in the box, with real runs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from synthesis.small_problems import CATEGORIES, PROBLEMS, RIGHT, ROOT, SORTED, SUM, SUM_JUDGE, run_submissions

from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.problem import CheckerProtocol
from scalebox.synthesis.bench import make_bench, try_draft
from scalebox.synthesis.domain import Draft, Outcome, Trial
from scalebox.synthesis.templates.catalogue import draft_of
from scalebox.synthesis.trials import Item

pytestmark = pytest.mark.sandbox
SLOW = pytest.mark.slow
"""Of a judge that is convicted by what convicts another one here, too."""
Benches = dict[str, Sequence[Item]]


@pytest.fixture(scope="session")
async def benches(judge: Judge) -> Benches:
    """Everything that drafts of each problem are tried with."""
    return {
        name: make_bench(problem, await run_submissions(judge, problem), CATEGORIES[name])
        for name, problem in PROBLEMS.items()
    }


def _sum(body: str) -> Draft:
    """A judge of the two summands that begins as the right one does."""
    return Draft(
        source=SUM_JUDGE.rsplit("def validate_solution", 1)[0] + f"def validate_solution(i, a, o):\n    {body}\n"
    )


@pytest.mark.parametrize("name", PROBLEMS)
async def test_a_right_judge_is_proved(judge: Judge, benches: Benches, name: str) -> None:
    tried = await try_draft(judge, RIGHT[name], benches[name])
    assert not tried.proof.convictions
    assert tried.proof.outcome is Outcome.PROVED
    assert tried.proof.tallies[Trial.ANSWER].tried == len(PROBLEMS[name].tests)


@pytest.mark.parametrize(
    ("problem", "draft", "convicted_by"),
    [
        pytest.param(SUM.name, _sum("return True"), Trial.EMPTY, id="always true"),
        pytest.param(SUM.name, _sum("return False"), Trial.ANSWER, id="always false"),
        pytest.param(
            SUM.name,
            _sum("t = open(o, 'rb').read().split()[:2]; return len(t) == 2 and all(x.isdigit() for x in t) and sum(map(int, t)) == int(open(i).read())"),
            Trial.PADDED,
            id="prefix only",
        ),
        pytest.param(SUM.name, draft_of("tokens", {}), Trial.REFERENCE_OUTPUT, id="exact match"),
        pytest.param(SUM.name, _sum("return open(o).read() == open(a).read()"), Trial.GOOD_OUTPUT, id="byte for byte"),
        pytest.param(ROOT.name, draft_of("tolerance", {"absolute": 0.1}), Trial.MUTANT, id="tolerance too wide"),
        pytest.param(ROOT.name, draft_of("tolerance", {"absolute": 0, "relative": 0}), Trial.REFERENCE_OUTPUT, id="no tolerance", marks=SLOW),
        pytest.param(
            SUM.name,
            _sum("x, y = map(int, open(o).read().split()); return x != y and x > 0 < y and x + y == int(open(i).read())"),
            Trial.GARBAGE,
            id="crashes on odd output",
        ),
        pytest.param(
            SUM.name,
            _sum("p = numbers(o)\n    while p is None: pass\n    return p[0] != p[1] and sum(p) == int(open(i).read())"),
            Trial.EMPTY,
            id="infinite loop",
        ),
        pytest.param(SUM.name, _sum("p = numbers(a); return p[0] != p[1]"), Trial.EMPTY, id="reads the answer only", marks=SLOW),
        pytest.param(SUM.name, _sum("p = numbers(o); return p is not None and p[0] != p[1]"), Trial.FOREIGN_ANSWER, id="never reads the input"),
        pytest.param(SORTED.name, draft_of("multiset", {"elements": "tokens"}), Trial.MUTANT, id="unordered where order matters", marks=SLOW),
        pytest.param(
            SUM.name,
            _sum("try:\n        x, y = map(int, open(o).read().split()); return x + y == int(open(i).read())\n    except Exception: return True"),
            Trial.EMPTY,
            id="accepts what it cannot read", marks=SLOW,
        ),
        pytest.param(SUM.name, Draft(source="# no judge here\n"), Trial.ANSWER, id="nothing in it", marks=SLOW),
        pytest.param(SUM.name, Draft(source="def validate_solution(:\n"), Trial.SOURCE, id="no Python"),
        pytest.param(SUM.name, Draft(source="x = 1\n", protocol=CheckerProtocol.FILES), Trial.EMPTY, id="exits 0 whatever it sees", marks=SLOW),
        pytest.param(
            SUM.name,
            _sum("t = eval('[' + ','.join(open(o).read().split()) + ']'); return len(t) == 2 and t[0] != t[1] and sum(t) == int(open(i).read())"),
            Trial.SOURCE,
            id="evaluates the output", marks=SLOW,
        ),
        pytest.param(SUM.name, _sum("import random; p = numbers(o); return p is not None and sum(p) == int(open(i).read())"), Trial.SOURCE, id="throws dice", marks=SLOW),
        pytest.param(
            ROOT.name,
            Draft(source="def validate_solution(i, a, o):\n    x = [float(t) for t in open(o).read().split()]; y = [float(t) for t in open(a).read().split()]\n    return len(x) == len(y) and not any(abs(p - q) > 1e-6 for p, q in zip(x, y))\n"),
            Trial.NOT_A_NUMBER,
            id="lets NaN pass",
        ),
    ],
)  # fmt: skip
async def test_a_broken_judge_is_refused_with_the_evidence(
    judge: Judge, benches: Benches, problem: str, draft: Draft, convicted_by: Trial
) -> None:
    tried = await try_draft(judge, draft, benches[problem], Limits(cpu_seconds=0.2))
    assert tried.proof.outcome is Outcome.REFUTED
    found = [evidence for evidence in tried.proof.convictions if evidence.trial is convicted_by]
    assert found, {evidence.trial for evidence in tried.proof.convictions}
    assert all(evidence.words for evidence in found)
