"""The whole way, with a scripted model and real proofs: votes, mending, repair, tie-breaks, and a run that was killed."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from synthesis.small_problems import PARITY, SORTED, SUM, SUM_JUDGE, run_submissions

from scalebox.core.ports import Judge
from scalebox.core.problem import Problem
from scalebox.core.result import Judgement
from scalebox.core.submission import Completion, JudgeOptions, Submission
from scalebox.synthesis.bench import make_bench, try_draft
from scalebox.synthesis.domain import Category, Discarded, Draft, Outcome, ProblemRecord, ProvedJudge, Trial
from scalebox.synthesis.many import Drafted, Progress, Result, Unfinished, synthesize
from scalebox.synthesis.memory import EXCERPT, Memory
from scalebox.synthesis.model.request import BudgetSpent, ModelError, ModelRequest, Reply
from scalebox.synthesis.model.trail import RememberingModel, Trail
from scalebox.synthesis.pipeline import Options, Tools

pytestmark = pytest.mark.sandbox


def said(source: str, category: str = "any_construction", confidence: float = 0.9) -> str:
    """A reply with a program."""
    head = {"category": category, "confidence": confidence, "reason": "r", "judge": "program"}
    return f"```json\n{json.dumps(head)}\n```\n```python\n{source}\n```"


def template(name: str, category: str = "unique_answer") -> str:
    """A reply with a template."""
    return json.dumps({"category": category, "confidence": 0.9, "reason": "r", "judge": "template", "template": name})


GOOD = said(SUM_JUDGE)
ACCEPTS_ALL = said("def validate_solution(i, a, o):\n    return True")
ASCENDING = said(SUM_JUDGE.replace("pair[0] != pair[1]", "pair[0] < pair[1]"))


@dataclass(slots=True)
class ScriptedModel:
    """Replies by purpose and sample, the last for ever; counts what it was asked."""

    replies: dict[str, Sequence[str | Exception]]
    asked: Counter[str] = field(default_factory=Counter)
    requests: list[ModelRequest] = field(default_factory=list)

    async def ask(self, request: ModelRequest) -> Reply:
        """The next reply of its kind."""
        kind = f"{request.purpose} {request.sample}"
        kind = kind if kind in self.replies else request.purpose
        self.asked[request.purpose] += 1
        self.requests.append(request)
        replies = self.replies[kind]
        number = sum(1 for other in self.requests if f"{other.purpose} {other.sample}" == kind or other.purpose == kind)
        reply = replies[min(number, len(replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return Reply(text=reply, model="m", input_tokens=10, output_tokens=5, money=0.5)


@dataclass(slots=True)
class Bench:
    """A pipeline over a scripted model, its trail in a folder."""

    judge: Judge
    folder: Path

    async def run(
        self, model: ScriptedModel, *problems: ProblemRecord, drafts_only: bool = False, **options: int | bool
    ) -> list[Result]:
        """One run of the pipeline, as of a process of its own."""
        trail = Trail(self.folder / "trail.jsonl", clock=lambda: "now")
        try:
            tools = Tools(
                judge=self.judge,
                model=RememberingModel(model, "m", trail),
                model_name="m",
                trail=trail,
                version="1",
                clock=lambda: "now",
            )
            chosen = Options(**{"drafts": 1, "repairs": 1, "votes": 3} | options)  # type: ignore[arg-type]
            return await synthesize(tools, chosen, problems, 4, Progress(), drafts_only=drafts_only)
        finally:
            trail.close()


class CountingJudge:
    """A judge that counts what it judges."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.judged = 0

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - all else is the judge's own
        return getattr(self._judge, name)

    async def judge(self, submission: Submission | Completion, problem: Problem, options: JudgeOptions) -> Judgement:
        """As the judge does."""
        self.judged += 1
        return await self._judge.judge(submission, problem, options)


@pytest.fixture
def bench(judge: Judge, tmp_path: Path) -> Bench:
    """A pipeline with a folder of its own."""
    return Bench(judge, tmp_path)


async def test_a_good_draft_is_proved_and_never_asked_for_again(bench: Bench) -> None:
    model = ScriptedModel({"draft": [GOOD]})
    [end] = await bench.run(model, SUM)
    assert isinstance(end, ProvedJudge)
    assert end.problem_id == SUM.id
    assert end.classification.category is Category.ANY_CONSTRUCTION
    assert (end.provenance.cost.requests, end.provenance.cost.output_tokens, end.provenance.rounds) == (1, 5, 0)
    assert end.provenance.prompt_hashes == (model.requests[0].key,)
    nobody = ScriptedModel({"draft": [AssertionError("asked again")]})
    assert await bench.run(nobody, SUM) == [end]


async def test_a_judge_that_minds_letter_case_where_any_is_allowed_is_sent_back_with_the_evidence(bench: Bench) -> None:
    lenient = json.loads(template("tokens")) | {"parameters": {"case_sensitive": False}}
    model = ScriptedModel({"draft": [template("tokens")], "repair": [json.dumps(lenient)]})
    [end] = await bench.run(model, PARITY)
    assert isinstance(end, ProvedJudge)
    assert (end.provenance.rounds, end.proof.tallies[Trial.LETTER_CASE].tried) == (1, 4)
    told = model.requests[1].messages[-1].content
    assert "case 0: the answer in lower case was not accepted, and letter case does not matter here" in told
    assert "known from: what the statement says of letter case" in told


async def test_a_run_killed_after_its_drafts_asks_only_for_what_is_missing(bench: Bench) -> None:
    assert await bench.run(ScriptedModel({"draft": [GOOD]}), SUM, drafts_only=True) == [
        Drafted(problem_name=SUM.name, drafts=1)
    ]
    [end] = await bench.run(ScriptedModel({"draft": [AssertionError("asked again")]}), SUM)
    assert isinstance(end, ProvedJudge)
    assert end.provenance.cost.replayed == 1


RANDOM = """\
import time
c = int(input())
print(c - 1, 1 if c else time.time_ns())
"""
"""A right program one of whose mutants prints something else every time."""


async def test_a_run_killed_before_a_repair_runs_nothing_again_and_quotes_the_same(bench: Bench) -> None:
    problem = dataclasses.replace(SUM, references=[Submission(source=RANDOM, language="python")])
    killed = ScriptedModel({"draft": [ACCEPTS_ALL], "repair": [ModelError("killed")]})
    [unfinished] = await bench.run(killed, problem)
    assert isinstance(unfinished, Unfinished)
    idle = CountingJudge(bench.judge)
    again = ScriptedModel({"draft": [AssertionError("asked again")], "repair": [ModelError("killed again")]})
    await Bench(idle, bench.folder).run(again, problem)
    assert idle.judged == 0
    assert [request.key for request in again.requests] == [killed.requests[-1].key]
    [end] = await Bench(idle, bench.folder).run(ScriptedModel({"repair": [GOOD]}), problem)
    assert isinstance(end, ProvedJudge)
    assert idle.judged > 0  # the repaired draft was put on trial
    kinds = Counter(json.loads(line)["kind"] for line in (bench.folder / "trail.jsonl").read_text().splitlines())
    assert (kinds["mutants"], kinds["bench"], kinds["proof"]) == (1, 1, 2)


async def test_what_is_known_of_a_draft_comes_back_whole(bench: Bench) -> None:
    printed = await run_submissions(bench.judge, SUM)
    items = make_bench(SUM, printed, Category.ANY_CONSTRUCTION)
    broken = SUM_JUDGE.replace("return None", "raise ValueError(tokens)")
    tried = await try_draft(bench.judge, Draft(source=broken), items)
    trail = Trail(bench.folder / "trail.jsonl")
    memory = Memory(trail, SUM, "1")
    key = memory.bench(items)
    assert memory.tried(tried.draft, key) is None
    memory.note_tried(tried, key)
    trail.close()
    trail = Trail(bench.folder / "trail.jsonl")
    assert Memory(trail, SUM, "1").tried(tried.draft, key) == tried
    assert Memory(trail, SUM, "2").bench(items) != key  # another version proves it anew
    trail.close()


async def test_a_broken_draft_is_repaired_with_the_evidence_quoted(bench: Bench) -> None:
    model = ScriptedModel({"draft": [ACCEPTS_ALL], "repair": [GOOD]})
    [end] = await bench.run(model, SUM)
    assert isinstance(end, ProvedJudge)
    assert end.provenance.rounds == end.draft.round == 1
    prompt = model.requests[-1].messages[1].content
    assert "garbage was accepted" in prompt
    assert "- any_construction: any construction" in prompt  # a category that is none cannot be used
    assert "<<<OUTPUT" in prompt


async def test_a_draft_that_stays_broken_is_discarded_with_what_convicted_it(bench: Bench) -> None:
    model = ScriptedModel({"draft": [ACCEPTS_ALL], "repair": [ACCEPTS_ALL.replace("True", "1 == 1")]})
    [end] = await bench.run(model, SUM, repairs=1)
    assert isinstance(end, Discarded)
    assert "empty" in end.reason
    [proof] = end.proofs
    assert proof.outcome is Outcome.REFUTED
    assert {evidence.trial for evidence in proof.convictions} >= {Trial.EMPTY, Trial.GARBAGE, Trial.PADDED}
    assert model.asked == {"draft": 1, "repair": 1}


async def test_prose_is_asked_to_be_mended(bench: Bench) -> None:
    model = ScriptedModel({"draft": ["Sure! A judge could look like this.", GOOD]})
    [end] = await bench.run(model, SUM)
    assert isinstance(end, ProvedJudge)
    assert model.asked["draft"] == 2
    assert "no JSON object" in model.requests[1].messages[-1].content


async def test_a_model_that_never_makes_sense_ends_in_a_discarded_problem(bench: Bench) -> None:
    [end] = await bench.run(ScriptedModel({"draft": ["", "{", "prose"]}), SUM, drafts=2)
    assert isinstance(end, Discarded)
    assert end.reason == "no reply held a judge"


@pytest.mark.parametrize("error", [ModelError("nobody there"), BudgetSpent("all gone")])
async def test_a_problem_whose_model_fails_goes_on_in_the_next_run(bench: Bench, error: Exception) -> None:
    other = dataclasses.replace(SUM, name="other")
    results = await bench.run(ScriptedModel({"draft": [error]}), SUM, other)
    assert all(isinstance(result, Unfinished) for result in results)
    [end, _] = await bench.run(ScriptedModel({"draft": [GOOD]}), SUM, other)
    assert isinstance(end, ProvedJudge)


async def test_what_contradicts_the_outputs_is_voted_on(bench: Bench) -> None:
    vote = json.dumps({"category": "any_construction", "confidence": 0.9, "reason": "r"})
    model = ScriptedModel({"draft": [template("tokens")], "classify": [vote], "repair": [GOOD]})
    [end] = await bench.run(model, SUM)
    assert isinstance(end, ProvedJudge)
    assert model.asked["classify"] == 3
    assert end.classification.category is Category.ANY_CONSTRUCTION


async def test_a_third_draft_breaks_the_tie(bench: Bench) -> None:
    model = ScriptedModel({"draft 0": [ASCENDING], "draft 1": [GOOD], "draft 2": [GOOD + "\n"]})
    [end] = await bench.run(model, dataclasses.replace(SUM, references=(), good_outputs=()), drafts=2)
    assert isinstance(end, ProvedJudge)
    assert model.asked["draft"] == 3
    assert "pair[0] != pair[1]" in end.draft.source


async def test_references_that_print_nothing_are_run_again_in_the_next_run(bench: Bench) -> None:
    missing = dataclasses.replace(SUM, references=[dataclasses.replace(SUM.references[0], language="no such one")])
    await bench.run(ScriptedModel({"draft": [GOOD]}), missing, drafts_only=True)
    records = [json.loads(line) for line in (bench.folder / "trail.jsonl").read_text().splitlines()]
    assert "references" not in {record["kind"] for record in records}


async def test_an_interactive_problem_has_no_judge(bench: Bench) -> None:
    [end] = await bench.run(ScriptedModel({"draft": [said("", "interactive")]}), SORTED)
    assert isinstance(end, Discarded)
    assert "interactive" in end.reason


async def test_the_trail_tells_it_all(bench: Bench) -> None:
    await bench.run(ScriptedModel({"draft": [ACCEPTS_ALL], "repair": [GOOD]}), SUM)
    records = [json.loads(line) for line in (bench.folder / "trail.jsonl").read_text().splitlines()]
    kinds = Counter(record["kind"] for record in records)
    assert kinds == {"references": 1, "asked": 2, "mutants": 1, "bench": 1, "proof": 2, "end": 1}
    asked = next(record for record in records if record["kind"] == "asked")
    assert asked["messages"][0]["role"] == "system"
    assert asked["reply"]["text"] == ACCEPTS_ALL
    proof = next(record for record in records if record["kind"] == "proof")
    assert proof["proof"]["convictions"][0]["words"]
    laid = next(record for record in records if record["kind"] == "bench")
    assert laid["key"] == proof["bench"]
    said = dict(zip([item["sha256"] for item in laid["items"]], proof["words"], strict=True))
    assert all(word[0] == "AC" for word in said.values())  # of a judge that accepts all
    mutants = next(record for record in records if record["kind"] == "mutants")
    printed = {hashlib.sha256(base64.b64decode(known["output"])).hexdigest() for known in mutants["outputs"]}
    assert printed & {item["sha256"] for item in laid["items"] if item["trial"] == "mutant"}
    long = [item for item in laid["items"] if item["bytes"] > EXCERPT]
    assert long
    assert max(len(item["output"]) for item in long) < 2 * EXCERPT
