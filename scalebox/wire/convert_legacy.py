"""The compatibility requests to the nouns of core. Runs nothing; refuses what has no one meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from scalebox.core.errors import RequestError
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import (
    AskWhen,
    AssertCase,
    AssertStyle,
    CallCase,
    CheckerProtocol,
    CheckerSpec,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
    TestCase,
    Tolerance,
)
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission
from scalebox.wire import legacy
from scalebox.wire.convert_v1 import ONLY_FILE, RunCall
from scalebox.wire.fields import check_path, decode_files
from scalebox.wire.parse import JsonError, is_finite, parse_json
from scalebox.wire.reply_v1 import Body

KIB: Final = 1024
FLOATS: Final = CheckerSpec(name="floats", decisions_any_case=True)
"""Tokens, and 1e-6 absolute or relative where the answer's token has a decimal point."""
VALUE_TOLERANCE: Final = Tolerance(absolute=1e-6, relative=1e-6)
CLIENT_GRACE_SECONDS: Final = 9.0
"""Clients of /run_code give up 10 s after compile_timeout + run_timeout; we answer a second earlier."""
IMPORTS: Final = """\
import bisect, collections, copy, functools, heapq, itertools, math, operator, re, string, sys, typing
from bisect import *
from collections import *
from functools import *
from heapq import *
from itertools import *
from math import ceil, comb, factorial, floor, gcd, inf, isqrt, log, log2, log10, pi, prod, sqrt
from typing import *
"""
"""What models take for granted. No star import of math: its ``pow`` would hide the built-in one."""
_TEST_CASES: Final = "config.provided_data.test_cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateCall:
    """An evaluation, ready for a ``Judge``, and what its reply repeats."""

    id: int | str
    submission: Completion
    problem: Problem
    options: JudgeOptions
    test_infos: Sequence[dict[str, object] | None]
    test_code: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A case of either evaluation route, with the field that it was read from."""

    test: legacy.SingleCase
    number: int
    input_field: str
    output_field: str
    case_field: str


def batch_call(request: legacy.BatchIn) -> EvaluateCall:
    """The meaning of ``/common_evaluate_batch``.

    Raises:
        RequestError: no cases, inputs and outputs that do not pair, or something that is not offered.
    """
    columns = request.config.provided_data.test_cases
    shared = columns.model_dump(exclude={"input", "output"})
    if _kind(columns) == "assert":
        only = legacy.SingleCase.model_construct(**shared)
        return _evaluate_call(request, request.config, [_Case(test=only, number=0, **_fields(None))])
    inputs, outputs = columns.input or [], columns.output or []
    if len(inputs) != len(outputs):
        message = f"there are {len(inputs)} inputs and {len(outputs)} outputs"
        hint = "give every input its output"
        raise RequestError(message, field=f"{_TEST_CASES}.output", hint=hint, code="length_mismatch")
    cases = [
        _Case(
            test=legacy.SingleCase.model_construct(**shared, input=given, output=answer),
            number=number,
            input_field=f"{_TEST_CASES}.input.{number}",
            output_field=f"{_TEST_CASES}.output.{number}",
            case_field=_TEST_CASES,
        )
        for number, (given, answer) in enumerate(zip(inputs, outputs, strict=True))
    ]
    return _evaluate_call(request, request.config, cases)


def single_call(request: legacy.SingleIn) -> EvaluateCall:
    """The meaning of ``/common_evaluate``.

    Raises:
        RequestError: no cases, or something that is not offered.
    """
    tests = request.config.provided_data.test_cases
    cases = [_Case(test=test, number=number, **_fields(number)) for number, test in enumerate(tests)]
    return _evaluate_call(request, request.config, cases)


def submit_call(request: legacy.SubmitIn) -> EvaluateCall:
    """The meaning of ``/submit`` with provided data.

    Raises:
        RequestError: no cases, or a kind of data set that is not offered.
    """
    if request.config.dataset_type != legacy.COMMON_OJ:
        message = f"data sets of type {request.config.dataset_type[:100]!r} are not offered"
        hint = f"use {legacy.COMMON_OJ} with provided_data, or /common_evaluate_batch"
        raise RequestError(message, field="config.dataset_type", hint=hint, code="not_offered")
    cases = []
    for number, test in enumerate(request.config.provided_data.test):
        field = f"config.provided_data.test.{number}"
        one = legacy.SingleCase(type="stdin_stdout", input=test.input.stdin, output=test.output.stdout)
        cases.append(
            _Case(
                test=one,
                number=number,
                input_field=f"{field}.input",
                output_field=f"{field}.output",
                case_field=field,
            )
        )
    return _evaluate_call(request, request.config, cases, tests_field="config.provided_data.test")


def _fields(number: int | None) -> Body:
    field = _TEST_CASES if number is None else f"{_TEST_CASES}.{number}"
    return {"input_field": f"{field}.input", "output_field": f"{field}.output", "case_field": field}


def _evaluate_call(
    request: legacy.EvaluateIn,
    config: legacy.EvaluateConfig,
    cases: Sequence[_Case],
    tests_field: str = _TEST_CASES,
) -> EvaluateCall:
    extra = config.extra or request.extra or legacy.ExtraIn()
    if config.custom_extract_logic:
        message = "code that extracts the program is not run"
        hint = "send the program in a fenced block"
        raise RequestError(message, field="config.custom_extract_logic", hint=hint, code="not_offered")
    if not cases:
        message = "there are no test cases"
        raise RequestError(message, field=tests_field, hint="give at least one", code="no_cases")
    tests = [_test_case(case) for case in cases]
    checker = _special_judge(extra) or FLOATS
    if isinstance(checker, ProgramChecker) and not all(isinstance(test, StdioCase) for test in tests):
        message = "a special judge is given what a program printed; these cases have no output"
        hint = "use cases of type stdin_stdout"
        raise RequestError(message, field="extra.special_judge_program", hint=hint, code="unsupported")
    stops = not extra.run_all_cases
    options = JudgeOptions(
        stop_on_failure=stops,
        in_order=stops and extra.in_order,
        deadline_seconds=extra.total_timeout,
        keep_output=True,
        learned_limits=extra.learned_limits,
        fresh=extra.fresh,
    )
    return EvaluateCall(
        id=request.id,
        submission=Completion(text=request.completion, language=config.language),
        problem=Problem(tests=tests, checker=checker, limits=_limits(config)),
        options=options,
        test_infos=[_test_info(case.test) for case in cases],
        test_code=next((test.code for test in tests if isinstance(test, AssertCase)), None),
    )


def _special_judge(extra: legacy.ExtraIn) -> ProgramChecker | None:
    if not extra.special_judge_program:
        return None
    language = extra.special_judge_language or "python"
    files = {ONLY_FILE: extra.special_judge_program}
    return ProgramChecker(
        protocol=CheckerProtocol.FILES,
        program=ProgramText(language=language, files=files, entry=ONLY_FILE),
        when=AskWhen.ALWAYS if extra.force_special_judge else AskWhen.UNDECIDED,
    )


def _limits(config: legacy.EvaluateConfig) -> Limits:
    limits = Limits(cpu_seconds=config.run_timeout, compile_seconds=config.compile_timeout)
    if config.mem_limit is None or config.mem_limit <= 0:
        return limits
    return replace(limits, memory_bytes=config.mem_limit * KIB)


def _kind(test: legacy.SingleCase | legacy.BatchCases) -> Literal["stdin_stdout", "function_call", "assert"]:
    if test.type is not None:
        return test.type
    if test.fn_name:
        return "function_call"
    return "assert" if test.test or test.tests else "stdin_stdout"


def _test_case(case: _Case) -> TestCase:
    match _kind(case.test):
        case "stdin_stdout":
            return StdioCase(
                name=str(case.number),
                input=_text(case.test.input, case.input_field),
                answer=_text(case.test.output, case.output_field),
            )
        case "function_call":
            return _call_case(case)
        case "assert":
            return _assert_case(case)


def _text(value: object, field: str) -> bytes:
    if isinstance(value, str):
        return value.encode()
    hint = "a stdin_stdout case has text for input and output; for calls give type function_call and fn_name"
    raise RequestError("this is not text", field=field, hint=hint, code="string_type")


def _call_case(case: _Case) -> CallCase:
    function = case.test.fn_name
    if not function or not function.isidentifier():
        message = "a function_call case needs the function's name"
        raise RequestError(message, field=f"{case.case_field}.fn_name", hint="give an identifier", code="missing")
    args, answer = _json_values(case) if case.test.json_input else _listed_values(case)
    for value, field in ((args, case.input_field), (answer, case.output_field)):
        if not is_finite(value):
            message = "a number is out of the range of a double"
            raise RequestError(message, field=field, hint="use finite numbers", code="not_finite")
    return CallCase(
        name=str(case.number), function=function, args=tuple(args), answer=answer, tolerance=VALUE_TOLERANCE
    )


def _json_values(case: _Case) -> tuple[list[object], object]:
    text = _text(case.test.input, case.input_field)
    args = [_json(line, case.input_field) for line in text.splitlines() if line.strip()]
    return args, _json(_text(case.test.output, case.output_field), case.output_field)


def _json(text: bytes, field: str) -> object:
    try:
        return parse_json(text)
    except JsonError as error:
        hint = "with json_input every line of the input is one JSON value, and the output is one"
        raise RequestError(error.message, field=field, hint=hint, code=error.code) from None


def _listed_values(case: _Case) -> tuple[list[object], object]:
    args, answer = case.test.input, case.test.output
    if not isinstance(args, list):
        hint = "write the arguments as a list, or set json_input where they are text"
        raise RequestError("this is not a list of arguments", field=case.input_field, hint=hint, code="list_type")
    if not isinstance(answer, list):
        return args, answer
    if len(answer) != 1:
        message = f"this list holds {len(answer)} values"
        hint = "the value due is given as a list of one"
        raise RequestError(message, field=case.output_field, hint=hint, code="invalid")
    return args, answer[0]


def _assert_case(case: _Case) -> AssertCase:
    test = case.test
    name = str(case.number)
    if test.test and test.test.strip():
        if not test.entry_point:
            message = "the test needs the name of the function under test"
            hint = "give entry_point"
            raise RequestError(message, field=f"{case.case_field}.entry_point", hint=hint, code="missing")
        return AssertCase(
            name=name,
            code=IMPORTS + test.test,
            style=AssertStyle.CHECK,
            entry_point=test.entry_point,
            prompt=IMPORTS,
        )
    if test.tests and test.tests.strip():
        stop_tokens = tuple(test.stop_tokens or ())
        return AssertCase(name=name, code=test.tests, style=AssertStyle.APPEND, stop_tokens=stop_tokens)
    message = "an assert case needs test code"
    hint = "give test (with entry_point), or tests that follow the program"
    raise RequestError(message, field=f"{case.case_field}.test", hint=hint, code="missing")


def _test_info(test: legacy.SingleCase) -> dict[str, object] | None:
    match _kind(test):
        case "stdin_stdout":
            return {"input": {"stdin": test.input}, "output": {"stdout": test.output}}
        case "function_call":
            shown = {"fn_name": test.fn_name, "input": test.input, "output": test.output}
            return {"type": "function_call", **shown}
        case "assert":
            return None


def run_code_call(request: legacy.RunCodeIn) -> RunCall:
    """The meaning of ``/run_code``. Its deadline ends just before the client's patience does.

    Raises:
        RequestError: a path or its base64 is invalid.
    """
    for number, path in enumerate(request.fetch_files):
        check_path(path, f"fetch_files.{number}")
    both = request.compile_timeout + request.run_timeout
    limits = Limits(
        cpu_seconds=request.run_timeout,
        wall_seconds=min(2 * request.run_timeout + 2, both + CLIENT_GRACE_SECONDS - 1),
        compile_seconds=request.compile_timeout,
    )
    if request.memory_limit_MB > 0:
        limits = replace(limits, memory_bytes=request.memory_limit_MB * MIB)
    spec = RunSpec(
        stdin=(request.stdin or "").encode(),
        files=decode_files(request.files, "files"),
        fetch_files=tuple(request.fetch_files),
        limits=limits,
        deadline_seconds=both + CLIENT_GRACE_SECONDS,
    )
    return RunCall(submission=Submission(source=request.code, language=request.language), spec=spec)
