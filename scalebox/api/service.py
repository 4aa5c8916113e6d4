"""What the routes share: the judge, ids, metrics. Turns bodies into replies; never builds a judge."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final, TypeVar, TypeVarTuple

from scalebox.api.admission import Ids, Outcome, Room
from scalebox.api.judges import Judges, OpenRegistry
from scalebox.api.neighbours import Ask, Neighbours, of_tenant, pack, tenant_and_body, unpack, whole_health
from scalebox.api.problem_files import ProblemFiles
from scalebox.api.problems import Problems, Registered
from scalebox.api.settings import ServiceSettings
from scalebox.api.tails import Tails
from scalebox.core.errors import DeadlineExceeded, JudgeUnreachable, QueueFull, RequestError, ScaleBoxError
from scalebox.core.ports import Judge
from scalebox.core.problem import Problem
from scalebox.core.result import Health, Judgement, Origin, RunReport
from scalebox.core.submission import Completion, Submission
from scalebox.core.verdict import Verdict
from scalebox.telemetry.logs import get_logger
from scalebox.telemetry.metrics import Metrics, join
from scalebox.wire import convert_client, v1
from scalebox.wire.canonical import check_id, id_of, read_problem
from scalebox.wire.convert_legacy import EvaluateCall
from scalebox.wire.convert_v1 import JudgeCall, RunCall, judge_call
from scalebox.wire.parse import parse_json, validate
from scalebox.wire.reply_v1 import health_reply, judgement_reply, reply_bytes

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_LONGEST_PAUSE_SECONDS: Final = 2.0
_LARGE_BYTES: Final = 128 << 10
"""Bodies from here on are read in a thread, one after the other, so that the loop goes on meanwhile."""
_MANY_CASES: Final = 500
_OPERATION_SECONDS: Final = 2.0
"""How long another cell may take to say how it is."""


class Service:
    """A judge behind HTTP.

    Args:
        judge: decides; opened and closed by whoever made it.
        settings: of the service.
        files: keeps registered problems on disk; None where memory alone does.
        neighbours: the other cells of this server, if it has any.
        open_registry: opens the registry of judges; None where there is none.
    """

    def __init__(
        self,
        judge: Judge,
        settings: ServiceSettings,
        files: ProblemFiles | None = None,
        neighbours: Neighbours | None = None,
        open_registry: OpenRegistry | None = None,
    ) -> None:
        self.judge = judge
        self.neighbours = neighbours
        self.metrics = Metrics()
        self.draining = False
        self.max_body_bytes = settings.max_body_mb << 20
        self.room = Room(max(settings.max_bodies_mb, settings.max_body_mb) << 20)
        self.node = settings.node
        self._reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="scalebox-body")
        self.problems = Problems(files, settings.problems_memory_mb << 20, self._beside, alone=neighbours is None)
        self.judges = Judges(open_registry)
        self.tails = Tails()
        self._ids = Ids(monotonic)
        self._log_programs = settings.log_programs
        self._log = get_logger("judge")

    async def aclose(self) -> None:
        """Cancel what still runs."""
        await self._ids.aclose()
        await self.judges.aclose()
        self._reader.shutdown(wait=False, cancel_futures=True)

    async def read(self, body: bytes, convert: Callable[[bytes], T]) -> T:
        """What a body means; a large one is converted in a thread.

        Raises:
            RequestError: the request is at fault.
        """
        if len(body) < _LARGE_BYTES:
            return convert(body)
        return await self._beside(convert, body)

    async def _beside(self, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Done in the thread that reads bodies, one after the other."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, work, *args)

    async def write(self, judgement: Judgement, convert: Callable[[], bytes]) -> bytes:
        """The bytes of a reply; one of many cases is written in a thread."""
        if len(judgement.cases) < _MANY_CASES:
            return convert()
        return await asyncio.to_thread(convert)

    async def judge_v1(self, body: bytes, tenant: str, *, patient: bool = False, owned: bool = False) -> bytes:
        """The reply to a v1 judge request.

        Args:
            body: JSON.
            tenant: whose it is.
            patient: wait where the queue is full, until the deadline.
            owned: its id, if it has one, is this cell's.

        Raises:
            RequestError: the request is at fault.
            QueueFull: too much waits.
        """
        asked = await self.read(body, _asked)

        async def work() -> Outcome:
            if asked.call is not None:
                return await self._outcome(asked.call, tenant, patient=patient)
            problem_id, seconds = asked.request.problem_id or "", asked.request.deadline_s
            deadline = monotonic() + seconds
            async with self.problems.lease(problem_id, seconds, patient=patient) as problem:
                call = _until(deadline, judge_call(asked.request, problem))
                return await self._outcome(call, tenant, patient=patient)

        if asked.request.id is None:
            return (await work()).body
        key = f"{tenant}/{asked.request.id}"
        if not owned and (answer := await self._at_owner(key, body, tenant, patient=patient)) is not None:
            return unpack(answer)
        return await self._ids.once(key, asked.fingerprint, work)

    async def _outcome(self, call: JudgeCall, tenant: str, *, patient: bool) -> Outcome:
        judgement = await self._judge(call, tenant, patient=patient)
        reply = await self.write(judgement, lambda: reply_bytes(judgement_reply(judgement, call.detail)))
        return Outcome(body=reply, remember=judgement.verdict is not Verdict.IE)

    async def register(self, body: bytes, problem_id: str | None = None) -> Registered:
        """Keep the problem that is the body.

        Args:
            body: JSON.
            problem_id: the id it must have; None where any will do.

        Raises:
            RequestError: the request is at fault.
            ShelfFull: there is no room to keep it.
        """
        problem, text, actual = await self.read(body, _identified)
        if problem_id is not None and problem_id != actual:
            hint = f"use that one, or POST /v1/problems, which answers the id; the canonical text has {len(text)} bytes"
            raise RequestError(f"the id of this problem is {actual}", field="id", hint=hint, code="id_mismatch")
        return await self.problems.register(actual, problem, text)

    async def judge_line(self, line: bytes, tenant: str, cell: int | None) -> bytes:
        """The reply to a line of a batch.

        Args:
            line: a v1 judge request.
            tenant: whose it is.
            cell: the cell that is to judge it; None for this one, which also takes it where the other one ends.

        Raises:
            RequestError, QueueFull: as ``judge_v1``.
        """
        if cell is not None and self.neighbours is not None:
            with contextlib.suppress(JudgeUnreachable):
                return unpack(await self.neighbours.ask(cell, Ask.LINE, of_tenant(tenant, line)))
        return await self.judge_v1(line, tenant, patient=True)

    async def _at_owner(self, key: str, body: bytes, tenant: str, *, patient: bool) -> bytes | None:
        """What the cell answers that remembers an id; None where it is this one."""
        if self.neighbours is None:
            return None
        for _ in range(self.neighbours.count):
            owner = self.neighbours.owner(key)
            if owner == self.neighbours.number:
                return None
            with contextlib.suppress(JudgeUnreachable):  # it ended: the id is another's now
                kind = Ask.OWNED_LINE if patient else Ask.OWNED
                return await self.neighbours.ask(owner, kind, of_tenant(tenant, body))
        return None

    async def answer(self, kind: int, payload: bytes) -> bytes:
        """The answer to another cell's question, an error of ours included."""
        try:
            match Ask(kind):
                case Ask.LINE:
                    tenant, line = tenant_and_body(payload)
                    return pack(await self.judge_v1(line, tenant, patient=True))
                case Ask.OWNED | Ask.OWNED_LINE:
                    tenant, body = tenant_and_body(payload)
                    return pack(await self.judge_v1(body, tenant, patient=kind == Ask.OWNED_LINE, owned=True))
                case Ask.HEALTH:
                    return pack(reply_bytes(health_reply(await self.judge.health())))
                case Ask.METRICS:
                    return pack(await self._own_metrics())
        except ScaleBoxError as error:
            return pack(error)
        except Exception:  # noqa: BLE001 - as the application does: logged, and the other side learns that we failed
            self._log.exception("a question of another cell failed", kind=kind)
            return pack(ScaleBoxError("the server's log says why"))

    async def health(self) -> Health:
        """What this server can do right now, all its cells together."""
        own = await self.judge.health()
        if self.neighbours is None:
            return own
        others = await self._ask_others(self.neighbours, Ask.HEALTH)
        parts = {cell: convert_client.health_from(text) for cell, text in others.items()}
        return whole_health({self.neighbours.number: own, **parts}, self.neighbours)

    async def scrape(self) -> bytes:
        """The metrics of this server, with the label ``cell`` where it has several."""
        own = await self._own_metrics()
        if self.neighbours is None:
            return own
        return join({self.neighbours.number: own, **await self._ask_others(self.neighbours, Ask.METRICS)})

    async def _own_metrics(self) -> bytes:
        health = await self.judge.health()
        ready = health.ready and not self.draining
        return self.metrics.render(queued=health.queued, busy=health.busy, slots=health.slots, ready=ready)

    async def _ask_others(self, neighbours: Neighbours, kind: Ask) -> dict[int, bytes]:
        """What the other cells say that are up; one that says nothing in time is left out."""
        answers: dict[int, bytes] = {}

        async def ask(cell: int) -> None:
            with contextlib.suppress(ScaleBoxError, TimeoutError):
                async with asyncio.timeout(_OPERATION_SECONDS):
                    answers[cell] = unpack(await neighbours.ask(cell, kind))

        await asyncio.gather(*(ask(cell) for cell in neighbours.up() if cell != neighbours.number))
        return answers

    async def _judge(self, call: JudgeCall | EvaluateCall, tenant: str, *, patient: bool) -> Judgement:
        started = monotonic()
        chosen = await self.judges.choose(call.problem) if call.options.registered_judge else None
        problem = call.problem if chosen is None else chosen.problem

        async def attempt(seconds: float) -> Judgement:
            options = replace(call.options, deadline_seconds=seconds, tenant=tenant)
            return await self.judge.judge(call.submission, problem, options)

        seconds = call.options.deadline_seconds
        with self._refusals(tenant):
            judgement = await (_patiently(attempt, seconds) if patient else attempt(seconds))
        judgement = self.judges.named(chosen, judgement)
        self.metrics.of_tenant(
            tenant,
            call.options.priority.value,
            queue_seconds=judgement.queue_seconds,
            cpu_seconds=judgement.usage.cpu_seconds if judgement.origin is Origin.RUN else 0.0,
        )
        self._record(call.submission, judgement, tenant, monotonic() - started)
        return judgement

    @contextlib.contextmanager
    def _refusals(self, tenant: str) -> Generator[None, None, None]:
        """Count a refusal."""
        try:
            yield
        except QueueFull:
            self.metrics.refused(tenant)
            raise

    async def evaluate(self, call: EvaluateCall, tenant: str) -> Judgement:
        """The judgement of a compatibility request, which waits where the queue is full.

        Raises:
            RequestError: the request is at fault.
            DeadlineExceeded: the queue stayed full until the deadline.
        """
        try:
            return await self._judge(call, tenant, patient=True)
        except QueueFull:
            raise DeadlineExceeded("the queue stayed full") from None

    def _record(self, submission: Submission | Completion, judgement: Judgement, tenant: str, seconds: float) -> None:
        queued = judgement.queue_seconds
        ran = judgement.ran if judgement.origin is Origin.RUN else 0
        self.metrics.judged(judgement.verdict.value, ran=ran, seconds=seconds, queue_seconds=queued)
        text: dict[str, str] = {}
        if self._log_programs:
            text["program"] = submission.text if isinstance(submission, Completion) else submission.source
        if judgement.judge is not None:
            text["judge"] = judgement.judge.id
        self._log.info(
            "judged",
            id=judgement.id,
            tenant=tenant,
            verdict=judgement.verdict.value,
            passed=judgement.passed,
            ran=judgement.ran,
            total=judgement.total,
            origin=judgement.origin.value,
            seconds=round(seconds, 4),
            queue_seconds=round(queued, 4),
            **text,
        )

    async def run(self, call: RunCall, tenant: str, *, patient: bool = False) -> RunReport:
        """One run.

        Args:
            call: what to run.
            tenant: whose it is.
            patient: wait where the queue is full, until the deadline.

        Raises:
            RequestError: the request is at fault.
            QueueFull: too much waits.
            DeadlineExceeded: the deadline passed first.
        """

        async def attempt(seconds: float) -> RunReport:
            return await self.judge.run(call.submission, replace(call.spec, deadline_seconds=seconds, tenant=tenant))

        seconds = call.spec.deadline_seconds
        try:
            with self._refusals(tenant):
                report = await (_patiently(attempt, seconds) if patient else attempt(seconds))
        except QueueFull:
            if not patient:
                raise
            raise DeadlineExceeded("the queue stayed full") from None
        self.metrics.ran()
        return report


async def _patiently(attempt: Callable[[float], Awaitable[T]], seconds: float) -> T:
    """Try until the queue has room. ``attempt`` gets the seconds that are left.

    Raises:
        QueueFull: it had none until the deadline.
    """
    deadline = monotonic() + seconds
    left = seconds
    while True:
        try:
            return await attempt(left)
        except QueueFull as error:
            pause = min(error.retry_after_seconds, _LONGEST_PAUSE_SECONDS)
            left = deadline - monotonic() - pause
            if left <= 0:
                raise
            await asyncio.sleep(pause)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A judge request, and its call where it brings its problem."""

    request: v1.JudgeV1
    call: JudgeCall | None
    fingerprint: bytes


def _asked(body: bytes) -> _Asked:
    """What a judge request means, and its fingerprint."""
    tree = parse_json(body)
    request = validate(v1.JudgeV1, tree)
    call = None
    if request.problem_id is None or request.problem is not None:
        call = judge_call(request)
    else:
        check_id(request.problem_id, "problem_id")
    return _Asked(request=request, call=call, fingerprint=b"" if request.id is None else _fingerprint(body, tree))


def _until(deadline: float, call: JudgeCall) -> JudgeCall:
    """A call that has only the time that is left.

    Raises:
        DeadlineExceeded: there is none.
    """
    left = deadline - monotonic()
    if left <= 0:
        raise DeadlineExceeded("the problem was not ready in time")
    return replace(call, options=replace(call.options, deadline_seconds=left))


def _identified(body: bytes) -> tuple[Problem, bytes, str]:
    """A problem, its canonical text and its id."""
    problem, text = read_problem(body)
    return problem, text, id_of(text)


def _fingerprint(body: bytes, tree: object) -> bytes:
    """Tells requests apart by meaning, not by the order of keys or white space; large ones by their bytes.

    To write a large tree again would stop every other thread for as long as it takes.
    """
    if len(body) >= _LARGE_BYTES:
        return hashlib.sha256(body).digest()
    text = json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()
