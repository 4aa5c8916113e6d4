"""The Judge port on this machine: intake, plan, slots, boxes, checkers, judgement. Keeps every deadline it is given."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Final, ParamSpec, TypeVar

from scalebox.core.errors import DeadlineExceeded, LanguageUnavailable, RequestError, SandboxError
from scalebox.core.limits import Limits, Usage
from scalebox.core.plain import is_larger
from scalebox.core.problem import CallCase, Problem, StdioCase, UnitCase
from scalebox.core.result import (
    CaseResult,
    CompileResult,
    Health,
    Isolation,
    Judgement,
    LanguageStatus,
    Origin,
    RunReport,
)
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission
from scalebox.core.verdict import Verdict
from scalebox.judge.aggregate import Circumstances, refused, unrun
from scalebox.judge.course import Course, SlotSource, Stop, stop_of
from scalebox.judge.execute import run_step
from scalebox.judge.history import Histories
from scalebox.judge.identity import LARGE_BYTES, problem_key, size_of
from scalebox.judge.intake import Taken, entry_of, is_started, take
from scalebox.judge.plan import (
    Step,
    check_args,
    check_files,
    check_names,
    check_path,
    encode_source,
    framework_of,
    make_steps,
    validate_problem,
)
from scalebox.judge.policy import Ticket
from scalebox.judge.programs import JudgePrograms, Soundness, check_text, known
from scalebox.judge.progress import Asked, Progress, concluded
from scalebox.judge.recall import Recall, RecallSettings, mark_learned
from scalebox.judge.scheduler import Scheduler
from scalebox.judge.sharing import Flights
from scalebox.judge.special import judge_texts
from scalebox.judge.verdict_cache import Kept, is_lasting
from scalebox.languages.catalogue import Catalogue
from scalebox.languages.definition import Language
from scalebox.runner.compiler import Toolchain
from scalebox.runner.pool import Pair, Pool
from scalebox.runner.program import Program
from scalebox.runner.runner import Input, Runner
from scalebox.runner.toolchains import prove

_MAX_ID: Final = 128
_LONG_TEXT: Final = 200_000
_MANY_TESTS: Final = 500
_MANY_VALUES: Final = 50_000

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a judge runs: what every judgement reports."""

    isolation: Isolation
    missing_walls: Mapping[str, str]
    version: str
    node: str
    world: Mapping[str, str]
    """What programs find, whatever their language."""
    work_folder: str


class LocalJudge:
    """Judges on this machine.

    Args:
        catalogue: the languages defined.
        toolchains: what was found of each, by id; completed as languages are first used.
        pool: the slots, started.
        runner: compiles and runs in them.
        scheduler: hands them out.
        place: what every judgement reports.
        support: files that judges may name without bringing them (``testlib.h``): name -> content.
        recall: what one judgement takes from others.
    """

    def __init__(
        self,
        *,
        catalogue: Catalogue,
        toolchains: dict[str, Toolchain],
        pool: Pool,
        runner: Runner,
        scheduler: Scheduler,
        place: Place,
        support: Mapping[str, bytes] = MappingProxyType({}),
        recall: Recall | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._toolchains = toolchains
        self._pool = pool
        self._runner = runner
        self._scheduler = scheduler
        self._place = place
        self._support = support
        self._recall = recall or Recall(RecallSettings())
        self._flights: Flights[Progress] = Flights()
        self._soundness = Soundness()
        self._proofs: dict[str, asyncio.Task[None]] = {}

    async def judge(
        self, submission: Submission | Completion, problem: Problem, options: JudgeOptions | None = None
    ) -> Judgement:
        """Judge one submission (see `scalebox.core.ports.Judge.judge`)."""
        options = options or JudgeOptions()
        if options.id is not None and len(options.id) > _MAX_ID:
            msg = f"the id has {len(options.id)} characters"
            raise RequestError(msg, field="id", hint=f"use at most {_MAX_ID}")
        await _apart(problem, validate_problem, problem)
        taken = self._spoken(await self._take(submission, entry_of(problem), started=is_started(problem)), problem)
        if taken is None or taken.source is None:
            around = self._around(options, taken, Progress(cases=[]))
            return refused(Verdict.CE, "no_code", problem, around)
        asked = await self._asked(taken.language, taken.source, problem, options)
        progress = await self._progress(asked)
        return concluded(progress, problem, options, self._around(options, taken, progress, problem))

    async def _asked(self, language: Language, source: str, problem: Problem, options: JudgeOptions) -> Asked:
        problem_key = await self._recall.keys.of(problem, partial(_problem_key, problem))
        place = (self._place.version, self._place.isolation.level)  # toolchains do not change while we live
        key = self._recall.judgement_key(problem_key, language.id, source, options, place)
        return Asked(
            language=language, source=source, problem=problem, options=options, problem_key=problem_key, key=key
        )

    async def _progress(self, asked: Asked) -> Progress:
        """How far a judgement comes before its deadline: remembered, shared with an identical submission, or its own."""
        fresh = asked.options.fresh
        kept = None if asked.key is None or fresh else self._recall.verdicts.get(asked.key)
        if kept is not None:
            return Progress(cases=list(kept.cases), compiled=kept.compiled, origin=Origin.CACHED)
        shared = None if fresh or not self._recall.settings.share else asked.key
        progress, origin = Progress(cases=unrun(asked.problem)), Origin.RUN
        try:
            async with asyncio.timeout(asked.options.deadline_seconds):
                if shared is not None and (flight := self._flights.find(shared)) is not None:
                    progress, origin = flight.carried, Origin.SHARED
                    await flight.land()
                    if not progress.is_ours():
                        return replace(progress, origin=origin)
                    # Shared once more, many who wait would fail one after the other where the failure lasts.
                    shared, progress, origin = None, Progress(cases=unrun(asked.problem)), Origin.RUN
                await self._flights.start(shared, progress, partial(self._work, asked)).land()
        except TimeoutError:
            return replace(progress, cases=[*progress.cases], broken_off="deadline", origin=origin)
        return progress

    async def _work(self, asked: Asked, progress: Progress) -> None:
        """All that is done for a submission, however many wait for it; their deadlines are their own."""
        problem = self._limited(asked, progress)
        options = asked.options
        # Whoever waits for it has a deadline of its own; when the last of them has passed, this task is cancelled.
        expected = self._recall.expected_seconds(asked.problem_key, len(problem.tests))
        with self._scheduler.admit(
            tenant=options.tenant, priority=options.priority, expected_seconds=expected
        ) as ticket:
            try:
                await self._ready(asked.language)
                await self._judges_ready(problem)
                await self._frameworks_ready(problem)
                steps = await _apart(problem, make_steps, asked.language, asked.source, problem, self._catalogue)
                if await self._compile(steps, problem.limits, ticket, progress):
                    seconds = await self._run_steps(steps, problem, asked, ticket, progress)
                    self._remember(asked, progress, seconds)
            except SandboxError as error:
                progress.broken_off = str(error)

    def _limited(self, asked: Asked, progress: Progress) -> Problem:
        """The problem, with the time limit that was learned where one is wanted and known."""
        problem, recall = asked.problem, self._recall
        if not asked.options.learned_limits or asked.problem_key is None:
            return problem
        history = recall.histories.of(asked.problem_key, len(problem.tests))
        given, rule = problem.limits.cpu_seconds, recall.settings.time_limits
        progress.learned_cpu_seconds = enough = history.enough_seconds(asked.language.id, given, rule)
        if enough is None:
            return problem
        # Nothing is learned of waiting, so the wall limit stays the one given.
        limits = replace(problem.limits, cpu_seconds=enough, wall_seconds=problem.limits.wall)
        return replace(problem, limits=limits)

    def _remember(self, asked: Asked, progress: Progress, seconds: Mapping[int, float]) -> None:
        """Let later judgements have what this one found."""
        if asked.problem_key is not None:
            program = encode_source(asked.source)
            self._recall.learn(asked.problem_key, asked.language.id, program, progress.cases, seconds)
        lasting = progress.learned_cpu_seconds is None and is_lasting(progress.cases, asked.problem.limits)
        if asked.key is not None and lasting:
            self._recall.verdicts.put(asked.key, Kept(cases=tuple(progress.cases), compiled=progress.compiled))

    async def run(self, submission: Submission | Completion, spec: RunSpec) -> RunReport:
        """Run a program once (see `scalebox.core.ports.Judge.run`)."""
        check_files(spec.files, spec.limits.disk_bytes, "files")
        check_args(spec.args, "args")
        for path in spec.fetch_files:
            check_path(path, "fetch_files")
        taken = await self._take(submission, None, started=True)
        if taken is None or taken.source is None:
            extraction = None if taken is None else taken.extraction
            return RunReport(run=None, compile=None, extraction=extraction, isolation=self._place.isolation)
        check_names(spec.files, taken.language, "files")
        given = Input(stdin=spec.stdin, args=spec.args, files=spec.files, fetch=spec.fetch_files)
        with self._scheduler.admit(
            tenant=spec.tenant, priority=spec.priority, deadline_seconds=spec.deadline_seconds
        ) as ticket:
            try:
                async with asyncio.timeout(spec.deadline_seconds):
                    await self._ready(taken.language)
                    return await self._run(taken, taken.source, given, spec.limits, ticket)
            except TimeoutError:
                msg = f"the run did not end within {spec.deadline_seconds:g} s"
                raise DeadlineExceeded(msg) from None

    async def _take(self, submission: Submission | Completion, entry: str | None, *, started: bool) -> Taken | None:
        """Extraction in a thread where the text is long, so that nobody else waits for it."""
        if isinstance(submission, Completion) and len(submission.text) > _LONG_TEXT:
            return await asyncio.to_thread(take, submission, self._catalogue, entry, started=started)
        return take(submission, self._catalogue, entry, started=started)

    def _spoken(self, taken: Taken | None, problem: Problem) -> Taken | None:
        """A unit-test framework's name stands for the language that it tests, unless the program is only to be run."""
        if taken is None or taken.language.unit is None or all(isinstance(case, StdioCase) for case in problem.tests):
            return taken
        language = self._catalogue.get(taken.language.unit.languages[0])
        return taken if language is None else replace(taken, language=language)

    async def _run(self, taken: Taken, source: str, given: Input, limits: Limits, ticket: Ticket) -> RunReport:
        async with self._scheduler.slot(ticket) as pair:
            made = await self._compiled(pair, taken.language, encode_source(source), limits)
            if isinstance(made, CompileResult):
                compiled, run = made, None
            else:
                compiled, run = made.compiled, await self._runner.run(pair, made, given, limits)
        return RunReport(run=run, compile=compiled, extraction=taken.extraction, isolation=self._place.isolation)

    async def languages(self, only: Collection[str] = ()) -> Sequence[LanguageStatus]:
        """Every language, after each (of ``only``, where given) that is not yet proved has judged its self-test; as many at once
        as there are slots for."""
        wanted = [self._catalogue.get(name) for name in only] if only else list(self._catalogue)
        proofs = [self._proved(language) for language in wanted if language is not None]
        for failure in await asyncio.gather(*proofs, return_exceptions=True):
            # Our own failure says nothing of the language, which is proved when next asked for.
            if isinstance(failure, BaseException) and not isinstance(failure, SandboxError):
                raise failure
        return [self._status(language) for language in self._catalogue]

    @property
    def histories(self) -> Histories:
        """What was learned of each problem's cases."""
        return self._recall.histories

    async def warm(self) -> None:
        """Make ready what only some requests need, so that the first of them does not wait for it."""
        await self._pool.warm()

    async def health(self) -> Health:
        """What can be done right now; asks nothing of the slots."""
        return Health(
            ready=True,
            isolation=self._place.isolation,
            missing_walls=self._place.missing_walls,
            slots=self._pool.size,
            busy=self._scheduler.busy,
            queued=self._scheduler.queued,
            languages={name: found.here for name, found in sorted(self._toolchains.items())},
            version=self._place.version,
            node=self._place.node,
        )

    async def _compile(self, steps: Sequence[Step], limits: Limits, ticket: Ticket, progress: Progress) -> bool:
        """Compile every distinct text of a judgement; False when one does not compile."""
        for text, step in {step.text: step for step in steps}.items():
            found = self._runner.cached(step.language, step.source, step.beside)
            if found is not None:
                made: Program | CompileResult = replace(found, compiled=replace(found.compiled, cached=True))
            else:
                async with self._slot(ticket, progress) as pair:
                    made = await self._compiled(pair, step.language, step.source, limits, step.beside)
            if isinstance(made, CompileResult):
                progress.compiled = replace(made, message=await asyncio.to_thread(step.shown, made.message))
                return False
            progress.programs[text] = made
            progress.compiled = progress.compiled or made.compiled
        return True

    async def _compiled(
        self,
        pair: Pair,
        language: Language,
        source: bytes,
        limits: Limits,
        beside: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Program | CompileResult:
        try:
            return await self._runner.compile(pair, language, source, limits, beside)
        except SandboxError as error:
            return CompileResult(verdict=Verdict.IE, cached=False, usage=Usage(), message=str(error))

    async def _run_steps(
        self, steps: Sequence[Step], problem: Problem, asked: Asked, ticket: Ticket, progress: Progress
    ) -> Mapping[int, float]:
        """Run the steps on as many slots as are given; returns how long each that ran to its end held one."""
        judges = JudgePrograms(self._runner, self._catalogue, self._support, self._soundness)
        options = asked.options

        async def run(pair: Pair, step: Step) -> CaseResult:
            result = await run_step(
                self._runner,
                pair,
                progress.programs[step.text],
                step,
                problem,
                judges=judges,
                hardened_only=options.hardened_only,
                keep_output=options.keep_output,
            )
            learned = progress.learned_cpu_seconds
            return result if learned is None else mark_learned(result, learned, asked.problem.limits.cpu_seconds)

        stop = stop_of(options)
        if stop is Stop.AT_ONCE and asked.problem_key is not None:
            steps = [steps[case] for case in self._recall.order(asked.problem_key, len(steps))]
        course = Course(steps, progress.cases, run, stop)
        await course.over(
            SlotSource(
                lease=lambda: self._slot(ticket, progress),
                wanted=lambda: self._scheduler.wanted(ticket),
                most=self._pool.size,
            )
        )
        return course.seconds

    async def _ready(self, language: Language, field: str = "language") -> None:
        """Make sure a language can be judged here.

        Raises:
            LanguageUnavailable: its toolchain is missing or broken.
        """
        await self._proved(language)
        found = self._toolchains[language.id]
        if found.version is None:
            msg = f"{language.name} cannot be judged here: {found.reason}"
            raise LanguageUnavailable(msg, field=field, hint=language.install.hint, code="language_unavailable")

    async def _judges_ready(self, problem: Problem) -> None:
        """Make sure the programs that judge outputs can be run here; they are compiled when first asked.

        Raises:
            RequestError, LanguageUnavailable: one cannot be.
        """
        for judge in judge_texts(problem):
            field = f"{judge.field}.language"
            language = known(judge.text.language, self._catalogue, field)
            check_text(judge, language, self._support)
            await self._ready(language, field)

    async def _frameworks_ready(self, problem: Problem) -> None:
        """Make sure the unit-test frameworks can be run here.

        Raises:
            RequestError, LanguageUnavailable: one cannot be.
        """
        for number, case in enumerate(problem.tests):
            if isinstance(case, UnitCase):
                field = f"problem.tests.{number}.framework"
                await self._ready(framework_of(case, self._catalogue, field), field)

    async def _proved(self, language: Language) -> None:
        """Wait for the language's self-test, which runs once, whoever asks first; one that our own failure ended is made anew.

        Raises:
            SandboxError: no box could be had for it, twice.
        """
        proof = self._proofs.get(language.id)
        if proof is None or (proof.done() and proof.exception() is not None):
            proof = self._proofs[language.id] = asyncio.create_task(self._prove(language))
        await asyncio.shield(proof)

    async def _prove(self, language: Language) -> None:
        async with self._scheduler.slot(self._scheduler.errand()) as pair:
            found = self._toolchains[language.id]
            self._toolchains[language.id] = await prove(pair, language, found, self._place.work_folder)

    @contextlib.asynccontextmanager
    async def _slot(self, ticket: Ticket, progress: Progress) -> AsyncGenerator[Pair, None]:
        asked = time.monotonic()
        async with self._scheduler.slot(ticket) as pair:
            if not progress.queue_seconds:
                progress.queue_seconds = time.monotonic() - asked
            yield pair

    def _around(
        self, options: JudgeOptions, taken: Taken | None, progress: Progress, problem: Problem | None = None
    ) -> Circumstances:
        versions = {"scalebox": self._place.version}
        used = [] if taken is None else [taken.language]
        if problem is not None:
            found = [self._catalogue.get(case.framework) for case in problem.tests if isinstance(case, UnitCase)]
            used += [framework for framework in found if framework is not None]
        for language in used:
            versions[language.id] = self._toolchains[language.id].version or ""
        return Circumstances(
            id=options.id or secrets.token_hex(12),
            extraction=None if taken is None else taken.extraction,
            compiled=progress.compiled,
            queue_seconds=progress.queue_seconds,
            isolation=self._place.isolation,
            versions=versions,
            node=self._place.node,
            origin=progress.origin,
            learned_cpu_seconds=progress.learned_cpu_seconds,
        )

    def _status(self, language: Language) -> LanguageStatus:
        found = self._toolchains[language.id]
        return LanguageStatus(
            id=language.id,
            name=language.name,
            aliases=language.aliases,
            available=found.here,
            version=found.version,
            reason=found.reason,
            compiled=language.compile is not None,
            world={**self._place.world, **language.environment},
        )


async def _apart(problem: Problem, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of some work on a problem: in a thread where that is large, so that nobody else waits for it."""
    values = [(case.args, case.kwargs, case.answer) for case in problem.tests if isinstance(case, CallCase)]
    if len(problem.tests) > _MANY_TESTS or is_larger(values, _MANY_VALUES):
        return await asyncio.to_thread(work, *args, **kwargs)
    return work(*args, **kwargs)


async def _problem_key(problem: Problem) -> bytes | None:
    if size_of(problem) >= LARGE_BYTES:
        return await asyncio.to_thread(problem_key, problem)
    return await _apart(problem, problem_key, problem)
