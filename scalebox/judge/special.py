"""Ask a checker that is a program about one output, in a box of its own. What the judge does is never held against the program.

A judge is asked once the submission is dead, on copies that its box makes: the input, the jury's answer, the output.
The protocols are those that judges in the field are written for; only here do their file names occur. A judge that
says that it failed itself is a broken judge (JE). So is one that crashes, returns or ends as its protocol does not provide
for, gives points that cannot be had, or is stopped for what it spends; unless it accepts the jury's own answer to that case
(and with far less, if that is why it was stopped): then it is sound there, and broke over an output that is none (WA); else
a program could escape its verdict by printing what a judge cannot bear. Where a case has no answer, coming to a decision about
nothing at all is what shows a judge to be sound. What a judge says may quote the answer, so it is shown only with full detail.
"""

from __future__ import annotations

import hashlib
import math
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from scalebox.core import plain
from scalebox.core.limits import Limits
from scalebox.core.problem import AskWhen, CheckerProtocol, Problem, ProgramChecker
from scalebox.core.result import CheckResult, Exceeded, RunResult
from scalebox.core.verdict import Verdict
from scalebox.judge.programs import UNSOUND, Effort, JudgePrograms, JudgeText
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.runner import UNCAUGHT, Input

_COMPILE_SECONDS: Final = 60.0
"""Judges are compiled once and may include headers of 100 kB: more than programs are given."""
FUNCTION: Final = "validate_solution"
FILES: Final = {"input": "stdin.txt", "answer": "stdout.txt", "output": "answer.txt"}
"""ScaleBox's names: ``stdout.txt`` is what the jury's program printed, ``answer.txt`` what the submission did."""
PATHS: Final = {"input": "input.txt", "answer": "answer.txt", "output": "output.txt"}
GIVEN_NAMES: Final = tuple(sorted({*FILES.values(), *PATHS.values()}))
"""What lies beside every judge that is asked, and so is removed after it by name."""
FEEDBACK: Final = "feedback/"
_SCORE: Final = FEEDBACK + "score.txt"
_MULTIPLIER: Final = FEEDBACK + "score_multiplier.txt"
_MESSAGE: Final = FEEDBACK + "judgemessage.txt"
_TESTLIB_ORDER: Final = ("input", "output", "answer")
_KATTIS_ACCEPTS: Final = 42
_KATTIS_REJECTS: Final = 43
_TESTLIB_REJECTS: Final = frozenset({1, 2, 4, 8})
"""Wrong, badly formed, more than was wanted, less than was wanted."""
_TESTLIB_FAILS: Final = 3
_TESTLIB_POINTS: Final = 7
_PARTLY: Final = b"partially correct"
_FAR_LESS: Final = 0.25
"""Of a limit: what a judge may spend on the jury's answer, so that running into the limit is the output's doing."""
_POINTS: Final = re.compile(rb"\s*points\s+(?P<points>\S+)")
_NUMBER: Final = re.compile(r"\d{1,30}(\.\d{0,30})?([eE][+-]?\d{1,3})?", re.ASCII)
_ROUNDING: Final = 1e-9
_MESSAGE_BYTES: Final = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a judge is asked about."""

    input: bytes
    answer: bytes
    output: bytes
    weight: float = 1.0
    """The points that can be had."""


def stage_name(checker: ProgramChecker) -> str:
    """How the stage is called in a judgement."""
    return f"program:{checker.protocol.value}"


def judge_limits(checker: ProgramChecker, limits: Limits) -> Limits:
    """What a judge may spend.

    Args:
        limits: of the problem; a judge is given their ``judge_seconds``, and memory of its own.
    """
    if checker.limits is not None:
        return checker.limits
    return Limits(cpu_seconds=limits.judge_seconds, compile_seconds=max(_COMPILE_SECONDS, limits.compile_seconds))


async def check_output(
    programs: JudgePrograms, pair: Pair, checker: ProgramChecker, evidence: Evidence, limits: Limits
) -> CheckResult:
    """Decide one output: at once where it is byte-equal to the answer and that suffices, else by the judge alone.

    Raises:
        SandboxError: no box could be had, twice.
    """
    if checker.when is AskWhen.UNDECIDED and evidence.output == evidence.answer:
        return CheckResult(verdict=Verdict.AC, name="exact")
    bounds = judge_limits(checker, limits)
    program = await programs.get(pair, checker.program, bounds)
    if not isinstance(program, Program):
        words = "the judge does not compile"
        missing = (
            "" if "testlib.h:" not in program.message else ": testlib.h is not here; SCALEBOX_TESTLIB may name one"
        )
        return _broken(checker, words + missing, program.message)
    run = await _ask(programs, pair, program, checker, evidence, bounds)
    result = read_end(checker, run, evidence.weight)
    most = most_effort(checker, result, run)
    if most is None or evidence.output == evidence.answer:
        return result
    known = await _effort(programs, pair, program, checker, evidence, bounds)
    if known.cpu > most.cpu or known.memory > most.memory:
        return result
    does = "accepts the jury's own answer" if evidence.answer else "can decide about an empty output"
    words = f"the judge broke over the output, and {does} ({result.detail})"
    return replace(result, verdict=Verdict.WA, detail=words, broke=True)


async def _ask(
    programs: JudgePrograms, pair: Pair, program: Program, checker: ProgramChecker, evidence: Evidence, bounds: Limits
) -> RunResult:
    """Run a judge once."""
    function = FUNCTION if checker.protocol is CheckerProtocol.FUNCTION else None
    given = _given(checker, evidence)
    bounds = _with_room(bounds, sum(map(len, (given.files or {}).values())))
    return await programs.runner.inspect(pair, program, given, bounds, function=function)


async def _effort(
    programs: JudgePrograms, pair: Pair, program: Program, checker: ProgramChecker, evidence: Evidence, bounds: Limits
) -> Effort:
    """What a judge spends on the jury's own answer, or on nothing where there is none; remembered, so that it is asked once a case."""
    key = _digest(checker, evidence, bounds)
    effort = programs.soundness.get(key)
    if effort is None:
        evidence = replace(evidence, output=evidence.answer)
        run = await _ask(programs, pair, program, checker, evidence, bounds)
        verdict = read_end(checker, run, evidence.weight).verdict
        decided = verdict is Verdict.AC or (verdict is Verdict.WA and not evidence.answer)
        effort = effort_of(run, bounds) if decided else UNSOUND
        programs.soundness.put(key, effort)
    return effort


def effort_of(run: RunResult, bounds: Limits) -> Effort:
    """Shares of its limits that a run spent."""
    return Effort(
        cpu=run.usage.cpu_seconds / bounds.cpu_seconds, memory=run.usage.memory_bytes / max(bounds.memory_bytes, 1)
    )


def _digest(checker: ProgramChecker, evidence: Evidence, bounds: Limits) -> bytes:
    """Tells apart whatever a judge's word on the answer depends on."""
    text = checker.program
    told = (checker.protocol.value, text.language, text.entry, sorted(text.files.items()), checker.order, checker.flags)
    whole = hashlib.sha256(repr((told, bounds, evidence.weight)).encode("utf-8", "backslashreplace"))
    for part in (evidence.input, evidence.answer):
        whole.update(hashlib.sha256(part).digest())
    return whole.digest()


def most_effort(checker: ProgramChecker, result: CheckResult, run: RunResult) -> Effort | None:
    """How much of its limits a judge that broke may spend on the jury's answer, if the output is what it broke over.

    Returns:
        None where the fault is its own in any case: it decided, said that it failed itself, or was killed (as for want of memory).
    """
    if result.verdict is not Verdict.JE:
        return None
    if run.exceeded is Exceeded.TIME:
        return Effort(cpu=_FAR_LESS, memory=1.0)
    if run.exceeded is Exceeded.MEMORY:
        return Effort(cpu=1.0, memory=_FAR_LESS)
    own_fault = checker.protocol is CheckerProtocol.TESTLIB and run.exit_code == _TESTLIB_FAILS
    killed = run.signal == signal.SIGKILL and run.exceeded is None and run.reason is None
    partly = run.stderr.startswith(_PARTLY)
    return None if killed or (own_fault and not partly) else Effort(cpu=1.0, memory=1.0)


def _with_room(limits: Limits, room: int) -> Limits:
    """The copies that a judge works on are not its own doing."""
    return replace(limits, memory_bytes=limits.memory_bytes + room, disk_bytes=limits.disk_bytes + room)


def _given(checker: ProgramChecker, evidence: Evidence) -> Input:
    """Files, arguments and standard input of a judge, as its protocol has them."""
    content = {"input": evidence.input, "answer": evidence.answer, "output": evidence.output}
    match checker.protocol:
        case CheckerProtocol.FUNCTION:
            return Input(files=_named(FILES, content), args=tuple(FILES.values()))
        case CheckerProtocol.FILES:
            return Input(files=_named(FILES, content), args=checker.flags)
        case CheckerProtocol.ARGV:
            return Input(files=_named(PATHS, content), args=[*(PATHS[name] for name in checker.order), *checker.flags])
        case CheckerProtocol.TESTLIB:
            return Input(files=_named(PATHS, content), args=[*(PATHS[name] for name in _TESTLIB_ORDER), *checker.flags])
        case CheckerProtocol.KATTIS:
            files = {PATHS["input"]: evidence.input, PATHS["answer"]: evidence.answer, FEEDBACK: b""}
            args = [PATHS["input"], PATHS["answer"], FEEDBACK, *checker.flags]
            fetch = (_SCORE, _MULTIPLIER, _MESSAGE)  # the message last: it may be too long for what is fetched
            return Input(stdin=evidence.output, files=files, args=args, fetch=fetch)


def _named(names: Mapping[str, str], content: Mapping[str, bytes]) -> Mapping[str, bytes]:
    return {names[key]: data for key, data in content.items()}


def judge_texts(problem: Problem) -> list[JudgeText]:
    """Every program that may be asked about a problem's outputs, each once."""
    checkers = [(problem.checker, "problem.checker")]
    checkers += [
        (case.checker, f"problem.tests.{index}.checker")
        for index, case in enumerate(problem.tests)
        if case.checker is not None
    ]
    texts = {
        id(checker): JudgeText(
            text=checker.program,
            reserved=reserved_names(checker.protocol),
            called=checker.protocol is CheckerProtocol.FUNCTION,
            field=field,
        )
        for checker, field in reversed(checkers)
        if isinstance(checker, ProgramChecker)
    }
    if problem.interactor is not None:
        reserved = reserved_names(CheckerProtocol.KATTIS)
        text = JudgeText(text=problem.interactor.program, reserved=reserved, called=False, field="problem.interactor")
        texts[id(problem.interactor)] = text
    return list(texts.values())


def reserved_names(protocol: CheckerProtocol) -> frozenset[str]:
    """Names in the work folder of a judge that its own files cannot have."""
    if protocol in {CheckerProtocol.FUNCTION, CheckerProtocol.FILES}:
        return frozenset(FILES.values())
    return frozenset({*PATHS.values(), FEEDBACK.rstrip("/")})


def read_end(checker: ProgramChecker, run: RunResult, weight: float = 1.0) -> CheckResult:
    """What a judge's end means by its protocol.

    Args:
        weight: of the case: the points that can be had.
    """
    ended = _ended_badly(run)
    if ended is not None:
        return _broken(checker, ended, _said(run))
    match checker.protocol:
        case CheckerProtocol.FUNCTION:
            return _by_value(checker, run)
        case CheckerProtocol.FILES | CheckerProtocol.ARGV:
            return _by_code(checker, run, accepts=0, rejects=1)
        case CheckerProtocol.TESTLIB:
            return _by_testlib(checker, run, weight)
        case CheckerProtocol.KATTIS:
            return _by_kattis(checker, run, weight)


def _ended_badly(run: RunResult) -> str | None:
    """How a judge ended that did not come to an end of its own; None where it did."""
    if run.reason is not None or run.exceeded is not None:
        return f"the judge was stopped: {run.reason or 'a limit was exceeded'}"
    if run.signal is not None:
        return f"the judge was killed by {_signal_name(run.signal)}"
    if run.exit_code == UNCAUGHT:
        return "the judge raised an exception"
    return None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _by_code(checker: ProgramChecker, run: RunResult, *, accepts: int, rejects: int) -> CheckResult:
    if run.exit_code == accepts:
        return _told(checker, Verdict.AC, None, run)
    if run.exit_code == rejects:
        return _told(checker, Verdict.WA, f"the judge rejected the output (exit code {rejects})", run)
    words = f"the judge ended with exit code {run.exit_code}, which is neither {accepts} nor {rejects}"
    return _broken(checker, words, _said(run))


def _by_value(checker: ProgramChecker, run: RunResult) -> CheckResult:
    """By what the function returned; a judge that exits instead says it by its exit code."""
    if not run.value:
        return _by_code(checker, run, accepts=0, rejects=1)
    if run.exit_code != 0:
        return _broken(
            checker, f"the judge ended with exit code {run.exit_code} after its function returned", _said(run)
        )
    try:
        value = plain.loads(run.value.removesuffix(b"\n"))
    except plain.PlainError as error:
        return _broken(checker, "what the judge's function returned cannot be read", str(error))
    if not value:
        return _told(checker, Verdict.WA, f"the judge rejected the output ({FUNCTION} returned no True)", run)
    if isinstance(value, bool | int | float) and value == 1:
        return _told(checker, Verdict.AC, None, run)
    name = value.type_name if isinstance(value, plain.Opaque) else type(value).__name__
    return _broken(checker, f"the judge's function returned a {name}, which is neither True nor False", _said(run))


def _by_testlib(checker: ProgramChecker, run: RunResult, weight: float) -> CheckResult:
    code = run.exit_code
    if run.stderr.startswith(_PARTLY):  # its exit code may be any, that of an acceptance too
        words = "the judge gave a partial score without a scale; testlib's quitp gives points"
        return _broken(checker, words, _said(run))
    if code == _TESTLIB_POINTS:
        found = _POINTS.match(run.stderr)
        text = "" if found is None else found["points"].decode("ascii", "replace")
        return _by_points(checker, run, _share(text, weight))
    if code == 0:
        return _told(checker, Verdict.AC, None, run)
    if code in _TESTLIB_REJECTS:
        return _told(checker, Verdict.WA, f"the judge rejected the output (exit code {code})", run)
    if code == _TESTLIB_FAILS:
        return _broken(checker, "the judge says that it failed itself (exit code 3)", _said(run))
    return _broken(checker, f"the judge ended with exit code {code}, which testlib does not have", _said(run))


def _by_points(checker: ProgramChecker, run: RunResult, share: float | None) -> CheckResult:
    """Full points accept; anything less is an output that is not right, with its share of the score."""
    if share is None or share > 1 + _ROUNDING:  # without knowing the most, 37 might be all or a third
        words = "the judge gave points that are no number from 0 to the case's weight"
        return _broken(checker, words, _said(run))
    if share >= 1 - _ROUNDING:
        return _told(checker, Verdict.AC, None, run, points=1.0)
    return _told(checker, Verdict.WA, f"the judge gave {share:.4g} of the points", run, points=share)


def _by_kattis(checker: ProgramChecker, run: RunResult, weight: float) -> CheckResult:
    result = _by_code(checker, run, accepts=_KATTIS_ACCEPTS, rejects=_KATTIS_REJECTS)
    if result.verdict is not Verdict.AC:
        return result
    for path, scale in ((_SCORE, weight), (_MULTIPLIER, 1.0)):
        if path in run.files:  # what is accepted stays accepted, whatever its score
            share = _share(run.files[path][:_MESSAGE_BYTES].decode("ascii", "replace"), scale)
            if share is None:
                name = path.removeprefix(FEEDBACK)
                return _broken(checker, f"the judge's {name} holds no number that is zero or more", _said(run))
            return replace(result, points=share)
    return result


def _share(text: str, weight: float) -> float | None:
    """The share that points are of a case's weight; None where the text is no number that is zero or more."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    share = float(text) / (weight or 1.0)
    return share if math.isfinite(share) else None


def _told(
    checker: ProgramChecker, verdict: Verdict, words: str | None, run: RunResult, points: float | None = None
) -> CheckResult:
    return CheckResult(
        verdict=verdict,
        name=stage_name(checker),
        stage="judge",
        detail=words,
        answer_excerpt=_said(run) or None,
        points=points,
    )


def _broken(checker: ProgramChecker, words: str, message: str) -> CheckResult:
    return CheckResult(
        verdict=Verdict.JE,
        name=stage_name(checker),
        stage="judge",
        detail=words,
        answer_excerpt=excerpt(message.encode("utf-8", "replace")) or None,
    )


def _said(run: RunResult) -> str:
    """What a judge has to say, from the first place where it said anything."""
    for said in (run.files.get(_MESSAGE, b""), run.stderr, run.stdout):
        if said.strip():
            return excerpt(said)
    return ""


def excerpt(data: bytes) -> str:
    """Beginning and end of what a judge said."""
    data = data.strip()
    if len(data) > _MESSAGE_BYTES:
        half = _MESSAGE_BYTES // 2
        data = data[:half] + "…".encode() + data[-half:]
    return data.decode("utf-8", "replace")
