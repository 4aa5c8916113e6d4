"""Core's results to v1 replies. Never shows an answer, or an excerpt of it, unless the detail is full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pydantic_core import to_json

from scalebox.core.errors import RequestError
from scalebox.core.limits import Usage
from scalebox.core.result import (
    CaseResult,
    CompileResult,
    ExtractionResult,
    Health,
    Isolation,
    Judgement,
    LanguageStatus,
    Origin,
    RunReport,
    RunResult,
    UnitResult,
    bare_name,
)
from scalebox.core.verdict import Verdict
from scalebox.wire import v1
from scalebox.wire.fields import (
    clean,
    encode_base64,
    text_or_base64,
)

Body = dict[str, Any]
"""The JSON tree of a reply, in the shape that its model in ``v1`` describes. Building the models costs ten times more."""

EXCERPT_BYTES: Final = 64 * 1024


def judgement_reply(judgement: Judgement, detail: v1.Detail) -> Body:
    """A judgement as the client asked to see it; serialize it with ``reply_bytes``."""
    shown: Body = {}
    if detail != "verdict":
        shown["cases"] = [_case_reply(case, full=detail == "full") for case in judgement.cases]
    return dict(
        id=judgement.id,
        verdict=judgement.verdict.value,
        reason=_clean(judgement.reason),
        reward=judgement.reward,
        score=judgement.score,
        passed=judgement.passed,
        ran=judgement.ran,
        total=judgement.total,
        hardened=judgement.hardened,
        extraction=_extraction_reply(judgement.extraction, full=detail == "full"),
        compile=_compile_reply(judgement.compile),
        usage=dict(**_usage(judgement.usage), queue_s=judgement.queue_seconds),
        isolation=isolation_reply(judgement.isolation),
        versions=dict(judgement.versions),
        node=judgement.node,
        **recalled(judgement),
        **shown,
    )


def recalled(judgement: Judgement) -> Body:
    """What a judgement took from others, and the registered judge that was asked, where there is one."""
    told: Body = {} if judgement.origin is Origin.RUN else {"origin": judgement.origin.value}
    if judgement.learned_cpu_seconds is not None:
        told["learned_cpu_s"] = judgement.learned_cpu_seconds
    if judgement.judge is not None:
        told["judge"] = {
            "id": judgement.judge.id,
            "problem": clean(judgement.judge.problem),
            "version": judgement.judge.version,
        }
    return told


def _case_reply(case: CaseResult, *, full: bool) -> Body:
    check = None
    if case.check is not None:
        more: Body = {"answer_excerpt": _clean(case.check.answer_excerpt)} if full else {}
        if case.check.broke:
            more["broke"] = True
        check = dict(
            stage=case.check.stage,
            name=case.check.name,
            detail=_clean(case.check.detail),
            points=case.check.points,
            **more,
        )
    output: Body = {} if case.hardened else {"hardened": False}
    if case.tests is not None:
        output["tests"] = unit_reply(case.tests, full=full)
    if full:
        output |= _excerpt("stdout", case.stdout, truncated=case.stdout_truncated)
        output |= _excerpt("stderr", case.stderr, truncated=case.stderr_truncated)
        output |= _excerpt("transcript", case.transcript, truncated=case.transcript_truncated)
    return dict(
        name=case.name,
        verdict=case.verdict.value,
        reason=_clean(case.reason),
        exit_code=case.exit_code,
        signal=case.signal,
        **_usage(case.usage),
        checker=check,
        **output,
    )


def unit_reply(tests: Sequence[UnitResult], *, full: bool) -> list[Body]:
    """The tests of a unit case. Parameters in a name are of the test code, and often the answer, as is what the framework said."""
    shown: list[Body] = []
    numbers: dict[str, int] = {}
    for test in tests:
        bare = bare_name(test.name)
        numbers[bare] = number = numbers.get(bare, -1) + 1
        body: Body = {
            "name": clean(test.name if full or bare == test.name else f"{bare}[{number}]"),
            "outcome": test.outcome.value,
        }
        if not test.counts:
            body["counts"] = False
        if full:
            body["message"] = _clean(test.message)
        shown.append(body)
    return shown


def _excerpt(name: str, data: bytes | None, *, truncated: bool) -> Body:
    """The start of an output as text, with base64 where the text is lossy. A cut never splits a character."""
    if data is None:
        return {}
    head = data[:EXCERPT_BYTES]
    cut = truncated or len(head) < len(data)
    text, encoded = text_or_base64(_without_split_character(head) if cut else head)
    shown: Body = {name: text, f"{name}_truncated": cut}
    if encoded is not None:
        shown[f"{name}_base64"] = encoded
    return shown


def _without_split_character(head: bytes) -> bytes:
    for back in range(1, min(4, len(head) + 1)):
        byte = head[-back]
        if byte < 0x80:  # plain ASCII: nothing is split
            return head
        if byte >= 0xC0:  # the first byte of a character; its length is in its upper bits
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return head[:-back] if length > back else head
    return head


def run_reply(report: RunReport) -> Body:
    """What one run did. Without a run (compile error, no code) exit code and signal are null and output is empty."""
    run = report.run or RunResult(exit_code=None, signal=None, exceeded=None, usage=Usage(), stdout=b"", stderr=b"")
    stdout, stdout_base64 = text_or_base64(run.stdout)
    stderr, stderr_base64 = text_or_base64(run.stderr)
    lossy: Body = {}
    if stdout_base64 is not None:
        lossy["stdout_base64"] = stdout_base64
    if stderr_base64 is not None:
        lossy["stderr_base64"] = stderr_base64
    return dict(
        exit_code=run.exit_code,
        signal=run.signal,
        limit=run.exceeded.value if run.exceeded else None,
        reason=_clean(run.reason) if report.run else _no_run_reason(report),
        stdout=stdout,
        stderr=stderr,
        stderr_truncated=run.stderr_truncated,
        files={path: encode_base64(data) for path, data in run.files.items()},
        usage=dict(**_usage(run.usage)),
        compile=_compile_reply(report.compile),
        extraction=_extraction_reply(report.extraction, full=True),
        isolation=isolation_reply(report.isolation),
        **lossy,
    )


def _no_run_reason(report: RunReport) -> str:
    return "no_code" if report.compile is None or report.compile.verdict is None else "compile"


def _extraction_reply(extraction: ExtractionResult | None, *, full: bool) -> Body | None:
    if extraction is None:
        return None
    source: Body = {"source": clean(extraction.source)} if full else {}
    return dict(language=extraction.language, rule=extraction.rule, **source)


def _compile_reply(compiled: CompileResult | None) -> Body | None:
    if compiled is None:
        return None
    verdict = "ok"
    if compiled.verdict is not None:
        verdict = compiled.verdict.value if compiled.verdict in {Verdict.CE, Verdict.JE} else "IE"
    return dict(
        verdict=verdict,
        cached=compiled.cached,
        cpu_s=compiled.usage.cpu_seconds,
        wall_s=compiled.usage.wall_seconds,
        message=clean(compiled.message),
    )


def isolation_reply(isolation: Isolation) -> Body:
    """The level and the walls that were up."""
    return dict(level=isolation.level, walls=list(isolation.walls))


def registered_reply(*, problem_id: str, tests: int, size: int, on_disk: bool) -> Body:
    """What became of a registration."""
    return dict(id=problem_id, tests=tests, bytes=size, kept="disk" if on_disk else "memory")


def languages_reply(languages: Sequence[LanguageStatus]) -> Body:
    """Every language, available or not."""
    return dict(
        languages=[
            dict(
                id=status.id,
                name=status.name,
                aliases=list(status.aliases),
                available=status.available,
                version=status.version,
                reason=status.reason,
                compiled=status.compiled,
                world=dict(status.world),
            )
            for status in languages
        ]
    )


def health_reply(health: Health) -> Body:
    """What the judge can do right now."""
    return dict(
        status="ok",
        ready=health.ready,
        isolation=dict(
            level=health.isolation.level,
            walls=list(health.isolation.walls),
            missing_walls=dict(health.missing_walls),
        ),
        slots=dict(total=health.slots, busy=health.busy),
        queued=health.queued,
        cells=dict(total=health.cells, up=health.cells_up),
        languages=dict(health.languages),
        version=health.version,
        node=health.node,
    )


def reply_bytes(reply: Body) -> bytes:
    """The JSON of a reply: UTF-8, finite numbers only."""
    return to_json(reply, inf_nan_mode="null")


def error_reply(error: RequestError) -> Body:
    """The body of an error reply."""
    return dict(
        error=dict(
            code=error.code,
            field=_clean(error.field),
            message=clean(error.message),
            hint=_clean(error.hint),
        )
    )


def _usage(usage: Usage) -> Body:
    return {"cpu_s": usage.cpu_seconds, "wall_s": usage.wall_seconds, "memory_bytes": usage.memory_bytes}


def _clean(text: str | None) -> str | None:
    return None if text is None else clean(text)
