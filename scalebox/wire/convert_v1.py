"""v1 requests to the nouns of core. Runs nothing; what a request cannot mean is refused with its field."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from scalebox.checkers import catalogue
from scalebox.core.errors import RequestError
from scalebox.core.limits import MIB, Limits
from scalebox.core.plain import PlainError, from_json
from scalebox.core.problem import (
    AskWhen,
    AssertCase,
    AssertStyle,
    CallCase,
    CheckerProtocol,
    CheckerSpec,
    GroupRule,
    InteractiveCase,
    Interactor,
    InteractorProtocol,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
    TestCase,
    Tolerance,
    UnitCase,
)
from scalebox.core.submission import Completion, ExtractionPolicy, JudgeOptions, Parts, Priority, RunSpec, Submission
from scalebox.wire import v1
from scalebox.wire.fields import (
    check_args,
    check_path,
    choose_bytes,
    decode_files,
    need_bytes,
)

ONLY_FILE: Final = "source"
"""What a judge of one file is called; in its box it has the name that its language gives it."""
_FUNCTION: Final = re.compile(r"""(?:[^\W\d][\w$]*(?:\.[^\W\d][\w$]*){0,9}(?:\(\))?\.)?[^\s()\[\]{}"`,;|\\]{1,200}""")
"""What each language makes of it is checked where its program is prepared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCall:
    """A judge request, ready for a ``Judge``, and how the client wants the reply."""

    submission: Submission | Completion
    problem: Problem
    options: JudgeOptions
    detail: v1.Detail


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCall:
    """A run request, ready for a ``Judge``."""

    submission: Submission | Completion
    spec: RunSpec


def judge_call(request: v1.JudgeV1, registered: Problem | None = None) -> JudgeCall:
    """The meaning of a judge request.

    Args:
        request: as it came.
        registered: the problem that ``problem_id`` names, where there is one.

    Raises:
        RequestError: fields contradict each other, or ask for what this version does not offer.
    """
    submission = _submission(request)
    if request.problem_id is not None and request.problem is not None:
        message = "problem and problem_id are both given"
        hint = "give exactly one of them"
        raise RequestError(message, field="problem_id", hint=hint, code="conflicting_fields")
    if request.problem_id is not None and registered is None:
        message = "there are no registered problems here"
        hint = "send the problem itself in problem, or judge on a server, which keeps them"
        raise RequestError(message, field="problem_id", hint=hint, code="not_offered")
    problem = registered if request.problem is None else problem_of(request.problem)
    if problem is None:
        hint = "send its tests in problem, or the id of a registered one in problem_id"
        raise RequestError("the problem is missing", field="problem", hint=hint, code="missing")
    options = JudgeOptions(
        stop_on_failure=request.stop_on_failure,
        in_order=request.in_order,
        deadline_seconds=request.deadline_s,
        hardened_only=request.hardened_only,
        keep_output=request.detail == "full",
        id=request.id,
        priority=Priority(request.priority),
        learned_limits=request.learned_limits,
        fresh=request.fresh,
        registered_judge=request.registered_judge,
    )
    return JudgeCall(submission=submission, problem=problem, options=options, detail=request.detail)


def run_call(request: v1.RunV1) -> RunCall:
    """The meaning of a run request.

    Raises:
        RequestError: fields contradict each other, or a path or base64 text is invalid.
    """
    for number, path in enumerate(request.fetch_files):
        check_path(path, f"fetch_files.{number}")
    spec = RunSpec(
        stdin=choose_bytes(request.stdin, request.stdin_base64, "stdin") or b"",
        args=check_args(request.args, "args"),
        files=decode_files(request.files, "files"),
        fetch_files=tuple(request.fetch_files),
        limits=_limits(request.limits),
        deadline_seconds=request.deadline_s,
        priority=Priority(request.priority),
    )
    return RunCall(submission=_submission(request), spec=spec)


def _submission(request: v1.JudgeV1 | v1.RunV1) -> Submission | Completion:
    completion, source, language = request.completion, request.source, request.language
    if completion is not None and source is not None:
        message = "completion and source are both given"
        raise RequestError(message, field="source", hint="give exactly one of them", code="conflicting_fields")
    if completion is not None:
        return Completion(text=completion, language=language, policy=_policy(request.extraction))
    if request.extraction is not None:
        message = "there is nothing to extract from a source"
        raise RequestError(
            message, field="extraction", hint="leave it out, or send a completion", code="conflicting_fields"
        )
    if source is None:
        message = "neither completion nor source is given"
        raise RequestError(message, field="source", hint="give exactly one of them", code="missing")
    if language is None:
        message = "source needs a language"
        raise RequestError(message, field="language", hint="GET /v1/languages lists them", code="missing")
    return Submission(source=source, language=language)


def _policy(policy: v1.ExtractionPolicyV1 | None) -> ExtractionPolicy:
    if policy is None:
        return ExtractionPolicy()
    return ExtractionPolicy(
        parts=Parts(policy.parts),
        unfenced=policy.unfenced,
        other_language=policy.other_language,
        unclosed_thought=policy.unclosed_thought,
    )


def problem_of(problem: v1.ProblemV1) -> Problem:
    """The meaning of a problem. Faults are named as in a judge request, below ``problem``.

    Raises:
        RequestError: fields contradict each other, or ask for what this version does not offer.
    """
    tests = [_test(test, number) for number, test in enumerate(problem.tests)]
    if not any(test.weight > 0 for test in tests):
        message = "every test has weight 0"
        raise RequestError(message, field="problem.tests.0.weight", hint="give one a weight", code="invalid")
    interactor = None if problem.interactor is None else _interactor(problem.interactor)
    for number, test in enumerate(tests):
        if interactor is None and isinstance(test, InteractiveCase):
            message = "an interactive test needs the problem's interactor"
            raise RequestError(message, field="problem.interactor", hint=f"test {number} is one", code="missing")
    return Problem(
        tests=tests,
        checker=_checker(problem.checker, "problem.checker") or CheckerSpec(),
        interactor=interactor,
        groups={name: GroupRule(rule) for name, rule in problem.groups.items()},
        limits=_limits(problem.limits),
    )


def _interactor(interactor: v1.InteractorV1) -> Interactor:
    return Interactor(
        protocol=InteractorProtocol(interactor.protocol),
        program=_program_text(interactor, "problem.interactor"),
        flags=check_args(interactor.flags, "problem.interactor.flags"),
        limits=None if interactor.limits is None else _limits(interactor.limits),
    )


def program_checker(checker: v1.ProgramCheckerV1, field: str) -> ProgramChecker:
    """The meaning of a checker that is a program.

    Raises:
        RequestError: fields contradict each other.
    """
    protocol = CheckerProtocol(checker.protocol)
    if checker.order is not None and protocol is not CheckerProtocol.ARGV:
        message = f"the protocol {checker.protocol} has its own order of arguments"
        raise RequestError(message, field=f"{field}.order", hint="remove it, or use argv", code="conflicting_fields")
    return ProgramChecker(
        protocol=protocol,
        program=_program_text(checker, field),
        order=("input", "answer", "output") if checker.order is None else tuple(checker.order),
        flags=check_args(checker.flags, f"{field}.flags"),
        when=AskWhen(checker.when),
        limits=None if checker.limits is None else _limits(checker.limits),
    )


def _program_text(judge: v1.ProgramTextV1, field: str) -> ProgramText:
    if judge.source is not None:
        if judge.files is not None or judge.entry is not None:
            message = "source is given, and files or entry too"
            raise RequestError(message, field=f"{field}.source", hint="give one form", code="conflicting_fields")
        return ProgramText(language=judge.language, files={ONLY_FILE: judge.source}, entry=ONLY_FILE)
    if judge.files is None or judge.entry is None:
        message = "a judge is given as source, or as files and entry"
        missing = "source" if judge.files is None else "entry"
        raise RequestError(message, field=f"{field}.{missing}", hint="give one form", code="missing")
    if judge.entry not in judge.files:
        message = f"the entry {judge.entry[:200]!r} is none of the files"
        raise RequestError(message, field=f"{field}.entry", hint="name one of them", code="invalid")
    for path in judge.files:
        check_path(path, f"{field}.files.{path}")
    return ProgramText(language=judge.language, files=judge.files, entry=judge.entry)


def _limits(limits: v1.LimitsV1) -> Limits:
    return Limits(
        cpu_seconds=limits.cpu_s,
        wall_seconds=limits.wall_s,
        memory_bytes=_bytes(limits.memory_mb),
        output_bytes=_bytes(limits.output_mb),
        processes=limits.processes,
        disk_bytes=_bytes(limits.disk_mb),
        compile_seconds=limits.compile_s,
        judge_seconds=limits.judge_s,
    )


def _bytes(mebibytes: float) -> int:
    return max(1, round(mebibytes * MIB))


def _checker(
    checker: str | v1.CheckerV1 | v1.ProgramCheckerV1 | None, field: str
) -> CheckerSpec | ProgramChecker | None:
    match checker:
        case None:
            return None
        case v1.ProgramCheckerV1():
            return program_checker(checker, field)
        case "program":
            message = "a checker that is a program is given as an object"
            raise RequestError(message, field=field, hint="give protocol, language and source", code="missing")
        case str():
            spec = CheckerSpec(name=checker)
        case v1.CheckerV1():
            spec = CheckerSpec(
                name=checker.name,
                case_sensitive=checker.case_sensitive,
                absolute=checker.abs,
                relative=checker.rel,
                mode=checker.mode,
                exact_integers=checker.exact_integers,
                space_sensitive=checker.space_sensitive,
                ordered=checker.ordered,
                unit=checker.unit,
                as_set=checker.as_set,
                tokens_any_order=checker.tokens_any_order,
            )
    try:
        catalogue.validate(spec)
    except RequestError as error:
        inside = (error.field or "").removeprefix("checker")
        if isinstance(checker, str):
            inside = ""
        raise RequestError(error.message, field=field + inside, hint=error.hint, code="invalid_checker") from None
    return spec


def _test(test: v1.StdioV1 | v1.CallV1 | v1.AssertV1 | v1.UnitV1 | v1.InteractiveV1, number: int) -> TestCase:
    path = f"problem.tests.{number}"
    name = str(number) if test.name is None else test.name
    checker = _checker(test.checker, f"{path}.checker")
    match test:
        case v1.StdioV1():
            return StdioCase(
                name=name,
                group=test.group,
                weight=test.weight,
                checker=checker,
                input=need_bytes(test.input, test.input_base64, f"{path}.input"),
                answer=need_bytes(test.answer, test.answer_base64, f"{path}.answer"),
                args=check_args(test.args, f"{path}.args"),
                files=decode_files(test.files, f"{path}.files"),
            )
        case v1.CallV1():
            return _call_case(test, name, checker, path)
        case v1.AssertV1():
            return _assert_case(test, name, checker, path)
        case v1.UnitV1():
            return _unit_case(test, name, checker, path)
        case v1.InteractiveV1():
            return InteractiveCase(
                name=name,
                group=test.group,
                weight=test.weight,
                checker=checker,
                input=choose_bytes(test.input, test.input_base64, f"{path}.input") or b"",
                answer=choose_bytes(test.answer, test.answer_base64, f"{path}.answer") or b"",
                args=check_args(test.args, f"{path}.args"),
            )


def _call_case(test: v1.CallV1, name: str, checker: CheckerSpec | ProgramChecker | None, path: str) -> CallCase:
    if _FUNCTION.fullmatch(test.function) is None:
        message = f"{test.function[:200]!r} is no function to call"
        raise RequestError(message, field=f"{path}.function", hint="write f or Solution().f", code="invalid_function")
    if test.mutated is not None and test.mutated >= len(test.args):
        message = f"there is no argument {test.mutated}; the call has {len(test.args)}"
        raise RequestError(message, field=f"{path}.mutated", hint="count from 0", code="invalid")
    tolerance = None
    if test.tolerance is not None:
        tolerance = Tolerance(absolute=test.tolerance.abs, relative=test.tolerance.rel)
    return CallCase(
        name=name,
        group=test.group,
        weight=test.weight,
        checker=checker,
        function=test.function,
        args=tuple(_value(arg, f"{path}.args.{number}") for number, arg in enumerate(test.args)),
        kwargs={key: _value(arg, f"{path}.kwargs.{key}") for key, arg in test.kwargs.items()},
        answer=_value(test.answer, f"{path}.answer"),
        mutated=test.mutated,
        tolerance=tolerance,
        arg_types=tuple(test.arg_types),
        return_type=test.return_type,
    )


def _value(tree: object, field: str) -> object:
    try:
        return from_json(tree)
    except PlainError as error:
        hint = "write JSON, or one of $float, $tuple, $set, $bytes, $dict"
        raise RequestError(str(error), field=field, hint=hint, code="invalid_value") from None


def _assert_case(test: v1.AssertV1, name: str, checker: CheckerSpec | ProgramChecker | None, path: str) -> AssertCase:
    if not test.code.strip():
        message = "the test code is empty, so it proves nothing"
        raise RequestError(message, field=f"{path}.code", hint="send the asserts", code="invalid")
    style = AssertStyle(test.style)
    if style is AssertStyle.CHECK and not test.entry_point:
        message = "style check needs the name of the function under test"
        raise RequestError(message, field=f"{path}.entry_point", hint="give entry_point", code="missing")
    return AssertCase(
        name=name,
        group=test.group,
        weight=test.weight,
        checker=checker,
        code=test.code,
        style=style,
        entry_point=test.entry_point,
        prompt=test.prompt,
        stop_tokens=tuple(test.stop_tokens),
    )


def _unit_case(test: v1.UnitV1, name: str, checker: CheckerSpec | ProgramChecker | None, path: str) -> UnitCase:
    for place in test.files:
        check_path(place, f"{path}.files.{place}")
    if test.program is not None:
        check_path(test.program, f"{path}.program")
    return UnitCase(
        name=name,
        group=test.group,
        weight=test.weight,
        checker=checker,
        framework=test.framework,
        files=test.files,
        program=test.program,
        tests=tuple(test.tests),
        partial=test.score == "share",
    )
