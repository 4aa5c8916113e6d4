"""Let a submission converse with the problem's interactor, and say what came of it. The interactor's faults are JE, never the program's.

Who decides. An interactor that rejects before the program has ended decides: whatever becomes of the program after that
(end of file, a broken conversation, an endless loop) was its own way out. Otherwise the program must come to a normal end within
its limits, and then the interactor's end counts, by its protocol. Where both wait for each other the program is at fault:
it did not flush, or asked for what it was not owed (TLE). An interactor that crashes, takes too long or ends as its
protocol does not provide for is a broken judge (JE), unless the program ended badly by itself, or deserted it: where it
waited for more, was told that the program says no more, and crashed, the program ended too early (WA). It is told only
while it waits, so that a crash of its own, before that or without asking, stays its own; and so does running out of
time or memory, which an interactor that has heard everything may do over a right program.

Words that an interactor cannot read. One that crashes over what the program said, as `int(input())` does over a word, would let
a program escape its verdict. There is no jury's program to ask it about, so two things have to come together (WA): the crash is one
of those that unexpected words bring (a value, index or key that is none, an assertion; not a name that nobody
defined), and the same interactor, asked about a program that says nothing, waits for words or rejects by its protocol,
so that it works as far as that. Other crashes stay its own, among them segmentation faults.
"""

from __future__ import annotations

import hashlib
import re
import signal
from dataclasses import replace
from typing import Final

from scalebox.core.limits import Limits
from scalebox.core.problem import CheckerProtocol, InteractiveCase, Interactor, InteractorProtocol, ProgramChecker
from scalebox.core.result import CaseResult, CheckResult, RunResult
from scalebox.core.verdict import Verdict
from scalebox.judge.programs import UNSOUND, JudgePrograms
from scalebox.judge.special import FEEDBACK, PATHS, effort_of, excerpt, read_end
from scalebox.runner.dialogue import Interaction
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.runner import UNCAUGHT, Input
from scalebox.runner.transcript import Speaker

DEADLOCK: Final = "deadlock: both sides wait"
DESERTED: Final = "the program ended, or closed its output, while the interactor waited for more"
_LOG: Final = PATHS["output"]
"""Where a testlib interactor writes its log."""
_FETCHED: Final = tuple(FEEDBACK + name for name in ("score.txt", "score_multiplier.txt", "judgemessage.txt"))
_ENDS_AS: Final = {
    InteractorProtocol.TESTLIB: CheckerProtocol.TESTLIB,
    InteractorProtocol.KATTIS: CheckerProtocol.KATTIS,
    InteractorProtocol.GCJ: CheckerProtocol.ARGV,
}
"""Whose exit codes an interactor has."""
_FINISHED: Final = {
    InteractorProtocol.TESTLIB: frozenset({0, 3, 7}),
    InteractorProtocol.KATTIS: frozenset({42}),
    InteractorProtocol.GCJ: frozenset({0}),
}
"""Exit codes by which an interactor says that it came to its end, though what it says may be a failure of its own."""
GARBLED: Final = "the interactor could not read what the program said"
_OVER_WORDS: Final = re.compile(
    rb"^(?:\w+\.)*(?:Value|Unicode\w*|Index|Key|EOF|Overflow|Assertion|Recursion|JSONDecode)Error\b"
    rb"|^(?:decimal\.)?InvalidOperation\b|\bstd::(?:invalid_argument|out_of_range|length_error)\b",
    re.MULTILINE,
)
"""What a runtime prints of a crash that unexpected words bring."""
_GCJ_OWN: Final = frozenset({None, 0, UNCAUGHT})
"""Ends of a local judge in Code Jam's form that do not reject: killed, accepting, by an exception."""


def stage_name(interactor: Interactor) -> str:
    """How the stage is called in a judgement."""
    return f"interactor:{interactor.protocol.value}"


async def converse(
    programs: JudgePrograms,
    pair: Pair,
    program: Program,
    interactor: Interactor,
    case: InteractiveCase,
    limits: Limits,
) -> Interaction | CheckResult:
    """Hold the conversation of one case; a result (JE) where the interactor does not compile.

    Raises:
        SandboxError: no boxes could be had, twice.
    """
    bounds = interactor.limits or Limits(cpu_seconds=limits.judge_seconds)
    made = await programs.get(pair, interactor.program, bounds)
    if not isinstance(made, Program):
        return CheckResult(
            verdict=Verdict.JE,
            name=stage_name(interactor),
            stage="judge",
            detail="the interactor does not compile",
            answer_excerpt=excerpt(made.message.encode("utf-8", "replace")) or None,
        )
    given = given_to(interactor, case)
    room = sum(map(len, (given.files or {}).values()))
    bounds = replace(bounds, memory_bytes=bounds.memory_bytes + room, disk_bytes=bounds.disk_bytes + room)

    def goes_on(run: RunResult) -> bool:
        return not _rejects(_read(interactor, run, case.weight), or_broken=True)

    found = await programs.runner.interact(pair, program, made, given, limits, bounds, goes_on)
    if not may_be_garbled(interactor, found, case.weight):
        return found
    key = _digest(interactor, case, bounds)
    effort = programs.soundness.get(key)
    if effort is None:
        silent = await programs.silent(pair, limits)
        control = await programs.runner.interact(pair, silent, made, given, limits, bounds, goes_on)
        rejects = _rejects(_read(interactor, control.interactor, case.weight))
        effort = effort_of(control.interactor, bounds) if control.deserted or rejects else UNSOUND
        programs.soundness.put(key, effort)
    return replace(found, garbled=effort != UNSOUND)


def may_be_garbled(interactor: Interactor, found: Interaction, weight: float) -> bool:
    """Whether an interactor crashed as over words that it cannot read, and was told some."""
    run = found.interactor
    broke = _read(interactor, run, weight).verdict is Verdict.JE and _crashed(interactor, run)
    if not broke or found.deserted or not found.heard or run.signal == signal.SIGKILL:
        return False
    return run.stderr_truncated or _OVER_WORDS.search(run.stderr) is not None


def _digest(interactor: Interactor, case: InteractiveCase, bounds: Limits) -> bytes:
    """Tells apart whatever an interactor's way with a silent program depends on."""
    text = interactor.program
    told = (interactor.protocol.value, text.language, text.entry, sorted(text.files.items()), interactor.flags)
    whole = hashlib.sha256(repr((told, case.args, bounds, case.weight)).encode("utf-8", "backslashreplace"))
    for part in (case.input, case.answer):
        whole.update(hashlib.sha256(part).digest())
    return whole.digest()


def given_to(interactor: Interactor, case: InteractiveCase) -> Input:
    """Files and arguments of an interactor, as its protocol has them."""
    files = {PATHS["input"]: case.input, PATHS["answer"]: case.answer}
    match interactor.protocol:
        case InteractorProtocol.TESTLIB:
            return Input(files=files, args=[PATHS["input"], _LOG, PATHS["answer"], *interactor.flags])
        case InteractorProtocol.KATTIS:
            args = [PATHS["input"], PATHS["answer"], FEEDBACK, *interactor.flags]
            return Input(files={**files, FEEDBACK: b""}, args=args, fetch=_FETCHED)
        case InteractorProtocol.GCJ:
            return Input(args=[*case.args, *interactor.flags])


def decide(
    interactor: Interactor, case: InteractiveCase, found: Interaction, end: tuple[Verdict, str] | None
) -> CaseResult:
    """The verdict of a conversation.

    Args:
        end: what the program's end says against it; None where that was normal.
    """
    result = CaseResult(
        name=case.name,
        verdict=Verdict.TLE,
        reason=DEADLOCK,
        transcript=found.transcript,
        transcript_truncated=found.transcript_truncated,
    )
    if found.deadlock:
        return result
    said = _read(interactor, found.interactor, case.weight)
    decided_first = found.first is Speaker.INTERACTOR and _rejects(said)
    if end is not None and not decided_first and not found.program_ended:
        return replace(result, verdict=end[0], reason=end[1])
    if (found.deserted or found.garbled) and said.verdict is Verdict.JE and _crashed(interactor, found.interactor):
        words = DESERTED if found.deserted else GARBLED
        said = replace(said, verdict=Verdict.WA, detail=f"{words} ({said.detail})")
    return replace(result, verdict=said.verdict, reason=said.detail, check=said)


def _crashed(interactor: Interactor, run: RunResult) -> bool:
    """Whether an interactor broke off, by a signal, an exception or an exit code that its protocol does not have."""
    if run.exceeded is not None or run.reason is not None:
        return False
    return run.exit_code not in _FINISHED[interactor.protocol]


def _rejects(said: CheckResult, *, or_broken: bool = False) -> bool:
    """Whether nothing that the program still does can earn it anything."""
    if said.verdict is Verdict.JE:
        return or_broken
    return said.verdict is Verdict.WA and said.points is None


def _read(interactor: Interactor, run: RunResult, weight: float) -> CheckResult:
    """What an interactor's end means, as that of a checker with the same exit codes."""
    protocol = _ENDS_AS[interactor.protocol]
    if interactor.protocol is InteractorProtocol.GCJ and run.exit_code not in _GCJ_OWN:
        run = replace(run, exit_code=1)  # any other end of its own rejects
    said = read_end(ProgramChecker(protocol=protocol, program=interactor.program), run, weight)
    return replace(said, name=stage_name(interactor))
