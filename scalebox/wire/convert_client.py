"""The client's half of v1: the nouns of core to requests, and replies back to them. The inverse of ``convert_v1``."""

from __future__ import annotations

from typing import Any, Final

from scalebox.core.errors import (
    DeadlineExceeded,
    JudgeUnreachable,
    LanguageUnavailable,
    QueueFull,
    RequestError,
    ScaleBoxError,
)
from scalebox.core.limits import MIB, Limits, Usage
from scalebox.core.plain import to_json
from scalebox.core.problem import (
    AssertCase,
    CallCase,
    CheckerProtocol,
    CheckerSpec,
    InteractiveCase,
    Interactor,
    Problem,
    ProgramChecker,
    StdioCase,
    TestCase,
    UnitCase,
)
from scalebox.core.result import (
    CaseResult,
    CheckResult,
    CompileResult,
    Exceeded,
    ExtractionResult,
    Health,
    Isolation,
    Judgement,
    JudgeName,
    LanguageStatus,
    Origin,
    RunReport,
    RunResult,
    UnitOutcome,
    UnitResult,
)
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission
from scalebox.core.verdict import Verdict
from scalebox.wire import v1
from scalebox.wire.fields import decode_base64, encode_base64
from scalebox.wire.parse import parse_json, validate

Body = dict[str, Any]
_LANGUAGE_CODES: Final = frozenset({"unknown_language", "language_unavailable"})


def judge_body(submission: Submission | Completion, problem: Problem | str, options: JudgeOptions) -> Body:
    """The JSON tree of a judge request.

    Args:
        submission: to be judged.
        problem: itself, or its id where it is registered.
        options: of the judgement.

    Raises:
        RequestError: a kind of test that the HTTP API does not know.
    """
    named = {"problem_id": problem} if isinstance(problem, str) else {"problem": problem_body(problem)}
    body = _submission(submission) | {
        **named,
        "stop_on_failure": options.stop_on_failure,
        "detail": "full" if options.keep_output else "cases",
        "deadline_s": options.deadline_seconds,
        "hardened_only": options.hardened_only,
        "priority": options.priority.value,
    }
    asked = {"in_order": options.in_order, "learned_limits": options.learned_limits, "fresh": options.fresh}
    body |= {name: True for name, wanted in asked.items() if wanted}  # unknown to older servers, which refuse them
    body |= {} if options.registered_judge else {"registered_judge": False}  # likewise
    return body if options.id is None else body | {"id": options.id}


def problem_body(problem: Problem) -> Body:
    """The JSON tree of a problem.

    Raises:
        RequestError: a kind of test that the HTTP API does not know.
    """
    return {
        "tests": [_test(test) for test in problem.tests],
        "checker": checker_body(problem.checker),
        "interactor": None if problem.interactor is None else _program(problem.interactor),
        "groups": {name: rule.value for name, rule in problem.groups.items()},
        "limits": _limits(problem.limits),
    }


def run_body(submission: Submission | Completion, spec: RunSpec) -> Body:
    """The JSON tree of a run request."""
    return _submission(submission) | {
        "stdin_base64": encode_base64(spec.stdin),
        "args": list(spec.args),
        "files": {path: encode_base64(data) for path, data in spec.files.items()},
        "fetch_files": list(spec.fetch_files),
        "limits": _limits(spec.limits),
        "deadline_s": spec.deadline_seconds,
        "priority": spec.priority.value,
    }


def _submission(submission: Submission | Completion) -> Body:
    match submission:
        case Submission():
            return {"source": submission.source, "language": submission.language}
        case Completion():
            policy = submission.policy
            extraction = {
                "parts": policy.parts.value,
                "unfenced": policy.unfenced,
                "other_language": policy.other_language,
                "unclosed_thought": policy.unclosed_thought,
            }
            return {"completion": submission.text, "language": submission.language, "extraction": extraction}


def _limits(limits: Limits) -> Body:
    return {
        "cpu_s": limits.cpu_seconds,
        "wall_s": limits.wall_seconds,
        "memory_mb": limits.memory_bytes / MIB,
        "output_mb": limits.output_bytes / MIB,
        "processes": limits.processes,
        "disk_mb": limits.disk_bytes / MIB,
        "compile_s": limits.compile_seconds,
        "judge_s": limits.judge_seconds,
    }


def _program(judge: ProgramChecker | Interactor) -> Body:
    text = judge.program
    return {
        "protocol": judge.protocol.value,
        "language": text.language,
        "files": dict(text.files),
        "entry": text.entry,
        "flags": list(judge.flags),
        "limits": None if judge.limits is None else _limits(judge.limits),
    }


def checker_body(checker: CheckerSpec | ProgramChecker | None) -> Body | None:
    """The JSON tree of a checker."""
    if checker is None:
        return None
    if isinstance(checker, ProgramChecker):
        order = list(checker.order) if checker.protocol is CheckerProtocol.ARGV else None
        return {"name": "program", "order": order, "when": checker.when.value, **_program(checker)}
    return {
        "name": checker.name,
        "case_sensitive": checker.case_sensitive,
        "abs": checker.absolute,
        "rel": checker.relative,
        "mode": checker.mode,
        "exact_integers": checker.exact_integers,
        "space_sensitive": checker.space_sensitive,
        "ordered": checker.ordered,
        "unit": checker.unit,
        "as_set": checker.as_set,
        "tokens_any_order": checker.tokens_any_order,
    }


def _test(test: TestCase) -> Body:
    shared = {"name": test.name, "group": test.group, "weight": test.weight, "checker": checker_body(test.checker)}
    match test:
        case StdioCase():
            return shared | {
                "kind": "stdio",
                "input_base64": encode_base64(test.input),
                "answer_base64": encode_base64(test.answer),
                "args": list(test.args),
                "files": {path: encode_base64(data) for path, data in test.files.items()},
            }
        case CallCase():
            return shared | _call(test)
        case AssertCase():
            return shared | {
                "kind": "assert",
                "code": test.code,
                "style": test.style.value,
                "entry_point": test.entry_point,
                "prompt": test.prompt,
                "stop_tokens": list(test.stop_tokens),
            }
        case UnitCase():
            return shared | {
                "kind": "unit",
                "framework": test.framework,
                "files": dict(test.files),
                "program": test.program,
                "tests": list(test.tests),
                "score": "share" if test.partial else "all",
            }
        case InteractiveCase():
            return shared | {
                "kind": "interactive",
                "input_base64": encode_base64(test.input),
                "answer_base64": encode_base64(test.answer),
                "args": list(test.args),
            }
        case _:
            message = f"a {type(test).__name__} cannot be sent"
            raise RequestError(
                message, field="problem.tests", hint="use stdio, call, assert, unit or interactive cases"
            )


def _call(test: CallCase) -> Body:
    tolerance = None
    if test.tolerance is not None:
        tolerance = {"abs": test.tolerance.absolute, "rel": test.tolerance.relative}
    return {
        "kind": "call",
        "function": test.function,
        "args": [to_json(arg) for arg in test.args],
        "kwargs": {name: to_json(arg) for name, arg in test.kwargs.items()},
        "answer": to_json(test.answer),
        "mutated": test.mutated,
        "tolerance": tolerance,
        "arg_types": list(test.arg_types),
        "return_type": test.return_type,
    }


def judgement_from(body: bytes) -> Judgement:
    """The judgement in a reply.

    Raises:
        JudgeUnreachable: the reply is not one of ours.
    """
    reply = _read(v1.JudgementV1, body)
    return Judgement(
        id=reply.id,
        verdict=_verdict(reply.verdict),
        reason=reply.reason,
        reward=reply.reward,
        score=reply.score,
        passed=reply.passed,
        ran=reply.ran,
        total=reply.total,
        hardened=reply.hardened,
        cases=[_case(case) for case in reply.cases],
        extraction=_extraction(reply.extraction),
        compile=_compile(reply.compile),
        usage=_usage(reply.usage),
        queue_seconds=reply.usage.queue_s,
        isolation=_isolation(reply.isolation),
        versions=reply.versions,
        node=reply.node,
        origin=Origin(reply.origin),
        learned_cpu_seconds=reply.learned_cpu_s,
        judge=None if reply.judge is None else JudgeName(**reply.judge.model_dump()),
    )


def _read(model: type[v1.ReplyT], body: bytes) -> v1.ReplyT:
    try:
        return validate(model, parse_json(body))
    except RequestError as error:
        message = f"the reply is not ScaleBox's: {error.field or ''} {error.message}"
        raise JudgeUnreachable(message) from None


def _verdict(name: str) -> Verdict:
    try:
        return Verdict(name)
    except ValueError:
        message = f"the reply has the unknown verdict {name[:20]!r}"
        raise JudgeUnreachable(message) from None


def _usage(usage: v1.UsageV1 | v1.CaseV1) -> Usage:
    return Usage(cpu_seconds=usage.cpu_s, wall_seconds=usage.wall_s, memory_bytes=usage.memory_bytes)


def _case(case: v1.CaseV1) -> CaseResult:
    verdict = _verdict(case.verdict)
    check = None
    if case.checker is not None:
        check = CheckResult(
            verdict=verdict,
            name=case.checker.name,
            stage=case.checker.stage,
            detail=case.checker.detail,
            answer_excerpt=case.checker.answer_excerpt,
            points=case.checker.points,
            broke=case.checker.broke,
        )
    return CaseResult(
        name=case.name,
        verdict=verdict,
        reason=case.reason,
        exit_code=case.exit_code,
        signal=case.signal,
        usage=_usage(case),
        check=check,
        hardened=case.hardened,
        stdout=None if case.stdout is None else _output(case.stdout, case.stdout_base64),
        stderr=None if case.stderr is None else _output(case.stderr, case.stderr_base64),
        stdout_truncated=case.stdout_truncated,
        stderr_truncated=case.stderr_truncated,
        transcript=None if case.transcript is None else _output(case.transcript, case.transcript_base64),
        transcript_truncated=case.transcript_truncated,
        tests=None if case.tests is None else [_unit_result(one) for one in case.tests],
    )


def _unit_result(one: v1.UnitResultV1) -> UnitResult:
    return UnitResult(name=one.name, outcome=UnitOutcome(one.outcome), counts=one.counts, message=one.message)


def _output(text: str, encoded: str | None) -> bytes:
    return text.encode() if encoded is None else decode_base64(encoded, "reply")


def _extraction(extraction: v1.ExtractionV1 | None) -> ExtractionResult | None:
    if extraction is None:
        return None
    return ExtractionResult(language=extraction.language, rule=extraction.rule, source=extraction.source or "")


def _compile(compiled: v1.CompileV1 | None) -> CompileResult | None:
    if compiled is None:
        return None
    return CompileResult(
        verdict=None if compiled.verdict == "ok" else Verdict(compiled.verdict),
        cached=compiled.cached,
        usage=Usage(cpu_seconds=compiled.cpu_s, wall_seconds=compiled.wall_s),
        message=compiled.message,
    )


def _isolation(isolation: v1.IsolationV1) -> Isolation:
    return Isolation(level=isolation.level, walls=tuple(isolation.walls))


def run_report_from(body: bytes) -> RunReport:
    """The run report in a reply.

    Raises:
        JudgeUnreachable: the reply is not one of ours.
    """
    reply = _read(v1.RunReplyV1, body)
    run = None
    if reply.exit_code is not None or reply.signal is not None or reply.limit is not None:
        run = RunResult(
            exit_code=reply.exit_code,
            signal=reply.signal,
            exceeded=None if reply.limit is None else Exceeded(reply.limit),
            reason=reply.reason,
            usage=_usage(reply.usage),
            stdout=_output(reply.stdout, reply.stdout_base64),
            stderr=_output(reply.stderr, reply.stderr_base64),
            stderr_truncated=reply.stderr_truncated,
            files={path: decode_base64(data, "reply") for path, data in reply.files.items()},
        )
    return RunReport(
        run=run,
        compile=_compile(reply.compile),
        extraction=_extraction(reply.extraction),
        isolation=_isolation(reply.isolation),
    )


def registered_id_from(body: bytes) -> str:
    """The id in the reply to a registration.

    Raises:
        JudgeUnreachable: the reply is not one of ours.
    """
    return _read(v1.RegisteredV1, body).id


def languages_from(body: bytes) -> list[LanguageStatus]:
    """The languages in a reply.

    Raises:
        JudgeUnreachable: the reply is not one of ours.
    """
    return [
        LanguageStatus(**language.model_dump(exclude={"aliases"}), aliases=tuple(language.aliases))
        for language in _read(v1.LanguagesV1, body).languages
    ]


def health_from(body: bytes) -> Health:
    """The health in a reply.

    Raises:
        JudgeUnreachable: the reply is not one of ours.
    """
    reply = _read(v1.HealthV1, body)
    return Health(
        ready=reply.ready,
        isolation=_isolation(reply.isolation),
        missing_walls=reply.isolation.missing_walls,
        slots=reply.slots.total,
        busy=reply.slots.busy,
        queued=reply.queued,
        languages=reply.languages,
        version=reply.version,
        node=reply.node,
        cells=reply.cells.total,
        cells_up=reply.cells.up,
    )


def error_from(status: int, body: bytes, retry_after_seconds: float) -> ScaleBoxError:
    """The error in a reply that is not 200."""
    try:
        fault = _read(v1.ErrorV1, body).error
    except JudgeUnreachable:
        return JudgeUnreachable(f"HTTP {status} without an error body of ScaleBox's")
    match status:
        case 429:
            return QueueFull(retry_after_seconds)
        case 504:
            return DeadlineExceeded(fault.message)
        case 400 | 404 | 405 | 409 | 413 | 422:
            kind = LanguageUnavailable if fault.code in _LANGUAGE_CODES else RequestError
            return kind(fault.message, field=fault.field, hint=fault.hint, code=fault.code)
        case 401:
            return RequestError(fault.message, hint=fault.hint, code=fault.code)
        case _:
            return JudgeUnreachable(f"HTTP {status}: {fault.message}")
