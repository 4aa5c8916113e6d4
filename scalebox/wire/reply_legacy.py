"""Judgements and runs to the compatibility replies.

What fails through no fault of the program is ``SandboxError`` there, which their clients retry; a program's own
fault never is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from scalebox.core.limits import Usage
from scalebox.core.result import CaseResult, CompileResult, Exceeded, ExtractionResult, Judgement, RunReport
from scalebox.core.verdict import AGAINST, Verdict
from scalebox.wire.convert_legacy import EvaluateCall
from scalebox.wire.fields import clean, encode_base64
from scalebox.wire.reply_v1 import Body, recalled

_INCOMPLETE: Final = frozenset({"unclosed-fence", "stray-closer"})
_HEURISTIC: Final = frozenset({"whole-text", "code-region"})

Status = Literal["Success", "Failed", "SandboxError"]
ExtractedType = Literal["fenced", "incomplete_fenced", "heuristic", "empty"]


def evaluate_reply(call: EvaluateCall, judgement: Judgement) -> Body:
    """The reply of an evaluation route. Stopping at a failure, ``tests`` are those that ran up to the first one in case order."""
    tests = []
    shown = _shown(judgement) if call.options.stop_on_failure else range(len(judgement.cases))
    for number in shown:
        case = judgement.cases[number]
        exec_info = _exec_info(case, judgement)
        passed = case.verdict is Verdict.AC
        tests.append(dict(passed=passed, exec_info=exec_info, test_info=call.test_infos[number], index=number))
    source = clean(judgement.extraction.source) if judgement.extraction else ""
    return dict(
        id=call.id,
        accepted=judgement.verdict is Verdict.AC,
        extracted_code=source,
        full_code=source or None,
        test_code=call.test_code,
        tests=tests,
        extracted_type=extracted_type(judgement.extraction),
        extra=None,
        verdict=judgement.verdict.value,
        reason=None if judgement.reason is None else clean(judgement.reason),
        reward=judgement.reward,
        score=judgement.score,
        hardened=judgement.hardened,
        **recalled(judgement),
    )


def _shown(judgement: Judgement) -> Sequence[int]:
    """The cases that ran, up to the first that is evidence against the program; without one, all up to the first that was not run."""
    verdicts = [case.verdict for case in judgement.cases]
    failed = next((number for number, verdict in enumerate(verdicts) if verdict in AGAINST), None)
    if failed is not None:
        return [number for number in range(failed + 1) if verdicts[number] is not Verdict.SK]
    missing = next((number for number, verdict in enumerate(verdicts) if verdict is Verdict.SK), len(verdicts))
    return range(min(missing + 1, len(verdicts)))


def extracted_type(extraction: ExtractionResult | None) -> ExtractedType:
    """The original's name for the rule that found the source; a name it does not know would break its clients."""
    if extraction is None:
        return "empty"
    if extraction.rule in _HEURISTIC:
        return "heuristic"
    return "incomplete_fenced" if extraction.rule in _INCOMPLETE else "fenced"


def _exec_info(case: CaseResult, judgement: Judgement) -> Body:
    verdict = case.verdict
    if verdict is Verdict.SK and judgement.verdict is Verdict.CE:
        verdict = Verdict.CE
    reason = case.reason or judgement.reason
    if verdict is Verdict.CE:
        run = _no_run(judgement.compile, reason)
    else:
        run = _run_result(
            exceeded=Exceeded(verdict.value) if verdict in {Verdict.TLE, Verdict.MLE, Verdict.OLE} else None,
            failed=verdict is Verdict.RTE,
            exit_code=case.exit_code,
            signal=case.signal,
            usage=case.usage,
            stdout=case.stdout or b"",
            stderr=case.stderr or b"",
        )
    status = _status(verdict)
    return dict(
        status=status,
        message="" if status == "Success" else clean(reason or verdict.value),
        compile_result=_compile_result(judgement.compile),
        run_result=run,
        executor_pod_name=judgement.node,
        files={},
        verdict=verdict.value,
        reason=None if reason is None else clean(reason),
    )


def _status(verdict: Verdict) -> Status:
    """``Success`` says that the run ended normally, also where its output is wrong."""
    if verdict in {Verdict.AC, Verdict.WA}:
        return "Success"
    return "Failed" if verdict in AGAINST else "SandboxError"


def _run_result(
    *,
    exceeded: Exceeded | None,
    failed: bool,
    exit_code: int | None,
    signal: int | None,
    usage: Usage,
    stdout: bytes,
    stderr: bytes,
) -> Body:
    code = -signal if signal is not None else exit_code or 0
    if (exceeded or failed) and code == 0:
        code = 1
    return dict(
        status="TimeLimitExceeded" if exceeded is Exceeded.TIME else "Finished",
        execution_time=usage.wall_seconds,
        cpu_time=usage.cpu_seconds,
        return_code=code,
        stdout=stdout.decode(errors="replace"),
        stderr=stderr.decode(errors="replace"),
    )


def _compile_result(compiled: CompileResult | None) -> Body | None:
    if compiled is None:
        return None
    return dict(
        status="Finished",
        execution_time=compiled.usage.wall_seconds,
        cpu_time=compiled.usage.cpu_seconds,
        return_code=0 if compiled.verdict is None else 1,
        stdout="",
        stderr=clean(compiled.message),
    )


def _no_run(compiled: CompileResult | None, reason: str | None) -> Body:
    """Stands where a run would, because clients read its stderr without asking whether there was one."""
    message = compiled.message if compiled is not None and compiled.message else reason or ""
    stderr = message.encode(errors="replace")
    return _run_result(exceeded=None, failed=True, exit_code=1, signal=None, usage=Usage(), stdout=b"", stderr=stderr)


def run_code_reply(report: RunReport, node: str) -> Body:
    """The reply of ``/run_code``."""
    files: dict[str, str] = {}
    verdict = report.compile.verdict if report.compile else None
    if report.run is None:
        run = _no_run(report.compile, "the program did not run")
        status: Status = "SandboxError" if verdict is Verdict.IE else "Failed"
    else:
        run = _run_result(
            exceeded=report.run.exceeded,
            failed=False,
            exit_code=report.run.exit_code,
            signal=report.run.signal,
            usage=report.run.usage,
            stdout=report.run.stdout,
            stderr=report.run.stderr,
        )
        files = {path: encode_base64(data) for path, data in report.run.files.items()}
        verdict = _run_verdict(report.run.exceeded, run["return_code"])
        status = "Success" if verdict is None else "Failed"
    reason = report.run.reason if report.run else None
    return dict(
        status=status,
        message=clean(reason or ""),
        compile_result=_compile_result(report.compile),
        run_result=run,
        executor_pod_name=node,
        files=files,
        verdict=None if verdict is None else verdict.value,
        reason=None if reason is None else clean(reason),
    )


def _run_verdict(exceeded: Exceeded | None, return_code: int) -> Verdict | None:
    if exceeded is not None:
        return Verdict(exceeded.value)
    return Verdict.RTE if return_code else None
