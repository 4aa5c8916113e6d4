"""`scalebox judges synthesize`: problems in, proved judges out. Changes nothing but its output folder, and asks nothing twice.

In the folder: ``trail.jsonl`` (every prompt, reply, proof and end), ``judges.jsonl`` (judges that passed), ``discarded.jsonl``.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from scalebox.cli.examples import page
from scalebox.cli.shared import EXIT_FOUND, chosen_judge, fail, perform
from scalebox.config import ConfigError, Settings, load_settings
from scalebox.core.errors import ScaleBoxError
from scalebox.core.ports import Judge
from scalebox.synthesis import many
from scalebox.synthesis.domain import Discarded, ProblemRecord, ProvedJudge
from scalebox.synthesis.model.budget import Budget, Caps, Prices
from scalebox.synthesis.model.cassette import Cassette
from scalebox.synthesis.model.dry import DryModel
from scalebox.synthesis.model.request import Model
from scalebox.synthesis.model.trail import RememberingModel, Trail, now
from scalebox.synthesis.pipeline import Options, Tools
from scalebox.synthesis.reading import read_problems
from scalebox.telemetry.build import scalebox_version

UNLIMITED = float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the command line says."""

    out: Path
    options: Options = field(default_factory=Options)
    jobs: int = 8
    prices: Prices = field(default_factory=Prices)
    caps: Caps = field(default_factory=Caps)
    record: Path | None = None
    concurrency: int = 8
    requests_per_minute: float = 0.0
    tries: int = 5
    seconds: float = 600.0
    most_tokens: int = 8192
    temperature: float | None = None
    drafts_only: bool = False
    dry_run: bool = False


def command(
    source: Annotated[Path, typer.Argument(metavar="PROBLEMS.jsonl[.gz]", help="One problem a line.")],
    out: Annotated[Path, typer.Option(help="Folder of the trail and the judges; a run that was killed goes on there.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first problems.")] = None,
    drafts: Annotated[int, typer.Option(min=1, max=9, help="Independent drafts of each judge.")] = 2,
    repairs: Annotated[int, typer.Option(min=0, max=9, help="Rounds of repair of each draft.")] = 2,
    votes: Annotated[int, typer.Option(min=0, max=15, help="On the category, where it is unsure.")] = 3,
    drafts_only: Annotated[bool, typer.Option(help="Ask for drafts, prove nothing yet.")] = False,
    dry_run: Annotated[
        bool, typer.Option(help="Print the first prompts and what they cost at most; ask nothing.")
    ] = False,
    record: Annotated[Path | None, typer.Option(help="Keep replies here too, by the key of their request.")] = None,
    model_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint; SCALEBOX_LLM_URL.")] = None,
    model: Annotated[str | None, typer.Option(help="SCALEBOX_LLM_MODEL; the key is SCALEBOX_LLM_KEY.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Problems in flight.")] = 8,
    concurrency: Annotated[int, typer.Option(min=1, help="Requests to the model at once.")] = 8,
    requests_per_minute: Annotated[float, typer.Option(min=0, help="0 is no limit.")] = 0,
    tries: Annotated[int, typer.Option(min=1, help="Of each request.")] = 5,
    reply_seconds: Annotated[float, typer.Option(min=0.1, max=86400, help="For one try.")] = 600,
    reply_tokens: Annotated[int, typer.Option(min=16, help="The most of one reply.")] = 8192,
    temperature: Annotated[float | None, typer.Option(min=0, max=2, help="Default: the endpoint's.")] = None,
    input_price: Annotated[float, typer.Option(min=0, help="Money for a million tokens of prompts.")] = 0,
    output_price: Annotated[float, typer.Option(min=0, help="Money for a million tokens of replies.")] = 0,
    most_money: Annotated[float, typer.Option(min=0, help="Cap, over all runs into this folder.")] = UNLIMITED,
    tokens_cap: Annotated[float, typer.Option("--most-tokens", min=0, help="Cap, likewise.")] = UNLIMITED,
    url: Annotated[str | None, typer.Option("--url", "--server", help="Prove on this server instead of here.")] = None,
    slots: Annotated[int | None, typer.Option(help="Programs at once, without --url.")] = None,
    isolation: Annotated[str | None, typer.Option(help="strict, standard or none, without --url.")] = None,
) -> None:
    """Draft a special judge for every problem, prove it in the box, and keep those that pass.

    Ends with 1 where a problem is left without a judge.
    """
    overrides = {"slots": slots, "isolation": isolation, "llm_url": model_url, "llm_model": model}
    try:
        settings = load_settings(overrides)
    except ConfigError as error:
        fail(str(error))
    wishes = Wishes(
        out=out,
        options=Options(drafts=drafts, repairs=repairs, votes=votes),
        jobs=jobs,
        prices=Prices(input_per_million=input_price, output_per_million=output_price),
        caps=Caps(money=most_money, tokens=tokens_cap),
        record=record,
        concurrency=concurrency,
        requests_per_minute=requests_per_minute,
        tries=tries,
        seconds=reply_seconds,
        most_tokens=reply_tokens,
        temperature=temperature,
        drafts_only=drafts_only,
        dry_run=dry_run,
    )
    _check(source, wishes, settings)
    results = perform(work(source, limit, url, settings, wishes))
    if not dry_run and not all(isinstance(result, ProvedJudge | many.Drafted) for result in results):
        raise typer.Exit(EXIT_FOUND)


def _check(source: Path, wishes: Wishes, settings: Settings) -> None:
    """End with a clear line where the work cannot be done, before anything is asked."""
    if not source.is_file():
        fail(f"there is no file {source}")
    if not wishes.dry_run and not (settings.llm_url and settings.llm_model):
        fail("which model? set SCALEBOX_LLM_URL and SCALEBOX_LLM_MODEL, or give --model-url and --model")
    if wishes.out.exists() and not wishes.out.is_dir():
        fail(f"{wishes.out} is no folder; name another with --out")


async def work(
    source: Path, limit: int | None, url: str | None, settings: Settings, wishes: Wishes
) -> list[many.Result]:
    """Make the judges of a file of problems.

    Raises:
        ScaleBoxError: it cannot be done.
    """
    problems = list(read_problems(source))[:limit]
    wishes.out.mkdir(parents=True, exist_ok=True)
    async with chosen_judge(url, settings) as judge:
        if wishes.dry_run:
            await _dry(judge, problems, settings, wishes)
            return []
        trail = Trail(wishes.out / "trail.jsonl")
        try:
            return await _synthesized(judge, problems, trail, settings, wishes)
        finally:
            trail.close()


async def _synthesized(
    judge: Judge, problems: Sequence[ProblemRecord], trail: Trail, settings: Settings, wishes: Wishes
) -> list[many.Result]:
    before = trail.fact("spent", "") or {"tokens": 0, "money": 0.0}
    budget = Budget(wishes.prices, wishes.caps, spent_tokens=before["tokens"], spent_money=before["money"])
    # With what is out: a run that is killed never hears what its last requests took, so that is spent when it goes on.
    budget.told = lambda: trail.note("spent", "", tokens=budget.most_tokens, money=budget.most_money)
    async with _endpoint(settings, wishes, budget) as endpoint:
        cassette = None if wishes.record is None else Cassette(wishes.record)
        model = RememberingModel(endpoint, settings.llm_model, trail, cassette)
        tools = Tools(
            judge=judge, model=model, model_name=settings.llm_model, trail=trail, version=scalebox_version(), clock=now
        )
        with _progress(len(problems), budget) as progress:
            results = await many.synthesize(
                tools, wishes.options, problems, wishes.jobs, progress, drafts_only=wishes.drafts_only
            )
    _write(results, wishes.out)
    _show(results, budget, page())
    return results


async def _dry(judge: Judge, problems: Sequence[ProblemRecord], settings: Settings, wishes: Wishes) -> None:
    """Print what would be asked first of every problem."""
    model = DryModel(prices=wishes.prices, most_tokens=wishes.most_tokens)
    trail = Trail(wishes.out / "dry-run.jsonl")
    try:
        tools = Tools(
            judge=judge,
            model=model,
            model_name=settings.llm_model,
            trail=trail,
            version=scalebox_version(),
            clock=now,
        )
        await many.synthesize(tools, wishes.options, problems, wishes.jobs, many.Progress(), drafts_only=True)
    finally:
        trail.close()
    for request in model.requests:
        typer.echo(f"===== {request.problem}: {request.purpose} {request.sample} ({request.key})")
        for message in request.messages:
            typer.echo(f"--- {message.role}\n{message.content}")
    given, most = model.tokens
    cost = f"{model.money:.4f} at most at these prices" if wishes.prices != Prices() else "no prices given"
    typer.echo(
        f"===== {len(model.requests)} first requests, about {given} tokens of prompts, at most {most} of replies; {cost}. Repairs come on top."
    )


@asynccontextmanager
async def _endpoint(settings: Settings, wishes: Wishes, budget: Budget) -> AsyncGenerator[Model, None]:
    """The model, or a clear line where its client is not installed."""
    try:
        from scalebox.synthesis.model.endpoint import EndpointSettings, open_endpoint
    except ModuleNotFoundError:
        raise ScaleBoxError("the openai package is missing: pip install 'scalebox[synthesis]'") from None
    chosen = EndpointSettings(
        url=settings.llm_url,
        model=settings.llm_model,
        concurrency=wishes.concurrency,
        requests_per_minute=wishes.requests_per_minute,
        tries=wishes.tries,
        seconds=wishes.seconds,
        most_tokens=wishes.most_tokens,
        temperature=wishes.temperature,
        extra_body=settings.llm_extra_body,
    )
    if settings.llm_key is not None:
        chosen = replace(chosen, key=settings.llm_key.get_secret_value())
    async with open_endpoint(chosen, budget) as endpoint:
        yield endpoint


@contextmanager
def _progress(total: int, budget: Budget) -> Generator[many.Progress, None, None]:
    """A bar on standard error with what was spent and what is under way, or nothing where that is no terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[spent]}"),
    )
    stages: dict[str, str] = {}
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("judges", total=total, spent="")

        def show() -> None:
            counted = ", ".join(f"{name} {list(stages.values()).count(name)}" for name in sorted(set(stages.values())))
            bar.update(task, description=counted or "judges", spent=f"{budget.tokens} tokens, {budget.money:.4f}")

        def stage(problem: str, name: str) -> None:
            stages[problem] = name
            show()

        def ended(result: many.Result) -> None:
            stages.pop(result.problem_name, None)
            bar.advance(task)
            show()

        yield many.Progress(stage=stage, ended=ended)


def _write(results: Sequence[many.Result], out: Path) -> None:
    """Judges and discarded problems, one a line, in the order of the problems."""
    judges = [result for result in results if isinstance(result, ProvedJudge)]
    discarded = [result for result in results if isinstance(result, Discarded)]
    judge_lines = [TypeAdapter(ProvedJudge).dump_json(judge) + b"\n" for judge in judges]
    discarded_lines = [TypeAdapter(Discarded).dump_json(one) + b"\n" for one in discarded]
    (out / "judges.jsonl").write_bytes(b"".join(judge_lines))
    (out / "discarded.jsonl").write_bytes(b"".join(discarded_lines))


def _show(results: Sequence[many.Result], budget: Budget, console: Console) -> None:
    for result in results:
        match result:
            case ProvedJudge():
                how = result.draft.template or "program"
                line = f"proved      {result.problem_name}: {result.classification.category.value}, {how}, {result.provenance.rounds} repairs"
            case Discarded():
                line = f"discarded   {result.problem_name}: {result.reason}"
            case many.Unfinished():
                line = f"unfinished  {result.problem_name}: {result.reason}"
            case many.Drafted():
                line = f"drafted     {result.problem_name}: {result.drafts} drafts"
        console.print(line, markup=False, highlight=False)
    proved = sum(isinstance(result, ProvedJudge) for result in results)
    console.print(
        f"{proved} of {len(results)} problems have a proved judge; {budget.tokens} tokens, {budget.money:.4f} spent in all runs",
        highlight=False,
    )
