"""Many problems at once: as many in flight as are wanted, each to its end or to what stopped it. One that fails stops no other; a spent budget stops all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scalebox.core.errors import ScaleBoxError
from scalebox.synthesis.domain import ProblemRecord
from scalebox.synthesis.model.request import BudgetSpent, ModelError
from scalebox.synthesis.pipeline import End, Options, Synthesis, Tools


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A problem that goes on in the next run."""

    problem_name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A problem whose drafts were asked for, and no more."""

    problem_name: str
    drafts: int


Result = End | Unfinished | Drafted


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Who is told what happens."""

    stage: Callable[[str, str], None] = lambda _problem, _stage: None
    ended: Callable[[Result], None] = lambda _result: None


async def synthesize(
    tools: Tools,
    options: Options,
    problems: Sequence[ProblemRecord],
    jobs: int,
    progress: Progress,
    *,
    drafts_only: bool = False,
) -> list[Result]:
    """Results in the order of the problems.

    Raises:
        SandboxError: the judge cannot work.
    """
    room = asyncio.Semaphore(jobs)
    spent = asyncio.Event()

    async def one(problem: ProblemRecord) -> Result:
        async with room:
            if spent.is_set():
                return Unfinished(problem_name=problem.name, reason="the budget is spent")
            synthesis = Synthesis(tools, options, problem, lambda stage: progress.stage(problem.name, stage))
            try:
                if drafts_only:
                    return Drafted(problem_name=problem.name, drafts=await synthesis.draft_only())
                return await synthesis.run()
            except BudgetSpent as error:
                spent.set()
                return Unfinished(problem_name=problem.name, reason=str(error))
            except ModelError as error:
                return Unfinished(problem_name=problem.name, reason=str(error))

    async def told(problem: ProblemRecord) -> Result:
        result = await one(problem)
        progress.ended(result)
        return result

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(told(problem)) for problem in problems]
    except ExceptionGroup as failed:
        raise next(
            (error for error in failed.exceptions if isinstance(error, ScaleBoxError)), failed.exceptions[0]
        ) from None
    return [task.result() for task in tasks]
