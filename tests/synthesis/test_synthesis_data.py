"""Public problems with a language model's recorded replies: the pipeline ends with proved judges, and asks nothing that was not recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from judge_problems import DATA, line, problems
from synthesis.serving import served

from scalebox.core.ports import Judge
from scalebox.synthesis.domain import ProblemRecord, ProvedJudge
from scalebox.synthesis.many import Progress, synthesize
from scalebox.synthesis.model.budget import Budget, Caps, Prices
from scalebox.synthesis.model.cassette import Cassette
from scalebox.synthesis.model.endpoint import EndpointSettings, open_endpoint
from scalebox.synthesis.model.replay import replay_app
from scalebox.synthesis.model.trail import RememberingModel, Trail
from scalebox.synthesis.pipeline import Options, Tools
from scalebox.synthesis.reading import read_problem

pytestmark = [
    pytest.mark.data,
    pytest.mark.sandbox,
    pytest.mark.skipif(not DATA.is_dir(), reason="the public data is not beside the checkout"),
]
CASSETTE = Path(__file__).parent / "cassettes" / "fidelity_gold.jsonl.gz"
COUNT = 6
REPAIRS = 13
"""Of drafts that minded the letter case of fixed words."""


def records() -> list[ProblemRecord]:
    """The first problems, as the replies were recorded for."""
    return [read_problem(json.dumps(line(row)).encode(), row["id"]) for row in list(problems())[:COUNT]]


async def test_public_problems_end_with_the_recorded_replies(judge: Judge, tmp_path: Path) -> None:
    trail = Trail(tmp_path / "trail.jsonl")
    settings = {"model": "recorded", "tries": 1, "concurrency": 2}
    async with served(replay_app(Cassette(CASSETTE))) as url:
        chosen = EndpointSettings(url=f"{url}/v1", **settings)  # type: ignore[arg-type]
        async with open_endpoint(chosen, Budget(Prices(), Caps())) as endpoint:
            model = RememberingModel(endpoint, "recorded", trail)
            tools = Tools(
                judge=judge, model=model, model_name="recorded", trail=trail, version="1", clock=lambda: "now"
            )
            results = await synthesize(tools, Options(), records(), 2, Progress())
    trail.close()
    assert len(results) == COUNT
    assert not [result for result in results if not isinstance(result, ProvedJudge)]


def test_every_public_problem_has_its_replies() -> None:
    assert len(Cassette(CASSETTE)) == Options().drafts * len(list(problems())) + REPAIRS
