"""Rows of ``cases.jsonl`` and of the benign corpus as submissions and problems. Pure; the older words of the rows are translated here only."""

from __future__ import annotations

import ast
import re
from typing import Final

from acceptance.judging import REFUSED, Item
from acceptance.shared import FULL, CaseFlags, CaseRow, CaseTestRow, CorpusRow, CorpusTest
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import (
    AssertCase,
    AssertStyle,
    CallCase,
    CheckerSpec,
    Problem,
    StdioCase,
    TestCase,
    Tolerance,
)
from scalebox.core.submission import Completion, Submission
from scalebox.languages.catalogue import load_languages
from scalebox.runner.toolchains import look

LANGUAGES: Final = frozenset(
    name
    for name, toolchain in look(load_languages(), "/usr/local/bin:/usr/bin:/bin").items()
    if toolchain.reason is None
)
"""Those whose tools are where boxes find them; the PATH of whoever runs the tests may lead further."""
COPIES: Final = 200 if FULL else 12
"""At most so many copies of a row that asks for load."""
ASSERT_STYLES: Final = {"humaneval_check": AssertStyle.CHECK, "multipl_e": AssertStyle.APPEND}
WORDS: Final = {"RE": "RTE", "PE": "WA", "IE": REFUSED}


def generated(expression: str) -> str | list[int]:
    """The large text or value behind one of the expressions that the rows use.

    Raises:
        ValueError: the expression is of no known form.
    """
    if repeated := re.fullmatch(r'("(?:[^"\\]|\\.)*")\*(\d+)', expression):
        text = ast.literal_eval(repeated[1])
        return str(text) * int(repeated[2])
    if power := re.fullmatch(r"str_of_pow\((\d+),(\d+)\)\[:(\d+)\]", expression):
        return leading_digits(int(power[1]), int(power[2]), int(power[3]))
    if numbers := re.fullmatch(r"list\(range\((\d+)\)\)", expression):
        return list(range(int(numbers[1])))
    if expression == "loadcase()":
        return str(load_sum())
    message = f"unknown generator {expression!r}"
    raise ValueError(message)


def leading_digits(base: int, exponent: int, count: int) -> str:
    """The first digits of a power, without ever writing all of it out."""
    value = base**exponent
    while value >= 10 ** (count + 400):
        value //= 10**400
    return str(value)[:count]


def load_sum() -> int:
    """What the load row computes."""
    total = 0
    for number in range(6_000_000):
        total = (total + number) & 1048575
    return total


def python_values(text: str) -> list[object]:
    """A list of Python literals in which ``float("nan")`` and its kin may stand."""
    tree = ast.parse(text, mode="eval").body
    assert isinstance(tree, ast.List), text
    return [_value(node) for node in tree.elts]


def _value(node: ast.expr) -> object:
    match node:
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))]):
            return float(text)
        case _:
            return ast.literal_eval(node)


def due(words: str) -> frozenset[str]:
    """The verdicts due, in our words."""
    return frozenset(WORDS.get(word, word) for word in words.split("|"))


def checker(name: object) -> CheckerSpec:
    """The checker a row names."""
    match name:
        case "tokens_icase":
            return CheckerSpec(name="tokens", case_sensitive=False)
        case str() if name.startswith("float:"):
            tolerance = float(name.removeprefix("float:"))
            return CheckerSpec(name="floats", absolute=tolerance, relative=tolerance)
        case "tokens" | "lines" | "exact":
            return CheckerSpec(name=str(name))
        case _:
            message = f"unknown checker {name!r}"
            raise ValueError(message)


def limits(flags: CaseFlags) -> Limits:
    """The limits of a row, ours where it names none."""
    usual = Limits()
    return Limits(
        cpu_seconds=flags.get("time_s", usual.cpu_seconds),
        wall_seconds=flags.get("max_wall_s"),
        memory_bytes=flags.get("memory_mb", usual.memory_bytes // MIB) * MIB,
        disk_bytes=flags.get("disk_mb", usual.disk_bytes // MIB) * MIB,
        processes=flags.get("pids", usual.processes),
    )


def function_name(name: str, source: str) -> str:
    """``f``, or ``Solution().f`` where the program keeps it in a class."""
    return f"Solution().{name}" if re.search(r"^class Solution\b", source, re.MULTILINE) else name


def _stdio(test: CaseTestRow, name: str) -> StdioCase:
    stdin = str(generated(test["stdin_gen"])) if "stdin_gen" in test else test.get("stdin", "")
    answer = str(generated(test["expected_gen"])) if "expected_gen" in test else str(test.get("expected", ""))
    return StdioCase(name=name, input=stdin.encode(), answer=answer.encode())


def _call(test: CaseTestRow, name: str, function: str, tolerance: Tolerance | None) -> CallCase:
    arguments = python_values(test["args_py"]) if "args_py" in test else test["args"]
    answer = generated(test["expected_gen"]) if "expected_gen" in test else test["expected"]
    return CallCase(name=name, function=function, args=arguments, answer=answer, tolerance=tolerance)


def _assert(test: CaseTestRow, name: str) -> AssertCase:
    return AssertCase(name=name, code=test["test"], style=AssertStyle.BARE, prompt=test.get("prompt"))


def _case(row: CaseRow, test: CaseTestRow, name: str) -> TestCase:
    if "test" in test:
        return _assert(test, name)
    if "fn_name" not in row:
        return _stdio(test, name)
    spec = checker(row["checker"])
    tolerance = Tolerance(absolute=spec.absolute, relative=spec.relative) if spec.name == "floats" else None
    return _call(test, name, function_name(row["fn_name"], row["program"] or ""), tolerance)


def case_items(row: CaseRow) -> list[Item]:
    """The items of a row: one, or the copies it asks for."""
    flags = row.get("flags", CaseFlags())
    tests = [_case(row, test, str(index)) for index, test in enumerate(row["tests"])]
    problem = Problem(tests=tests, checker=checker(row["checker"]), limits=limits(flags))
    submission: Submission | Completion
    if row["program"] is None:
        submission = Completion(text=row["completion"], language=row["language"])
    else:
        submission = Submission(source=row["program"], language=row["language"])
    copies = min(flags.get("copies", 1), COPIES)
    return [Item(id=row["id"], submission=submission, problem=problem, due=due(row["expected"]))] * copies


def _corpus_case(row: CorpusRow, test: CorpusTest, name: str) -> TestCase:
    if row["test_type"] == "assert":
        style = ASSERT_STYLES.get(row.get("assert_style", "bare"), AssertStyle.BARE)
        entry_point = row.get("fn_name") if style is AssertStyle.CHECK else None
        return AssertCase(name=name, code=test["code"], style=style, entry_point=entry_point)
    if row["test_type"] == "function_call":
        function = function_name(row["fn_name"], row["program"])
        return CallCase(name=name, function=function, args=test["args"], answer=test["expected"])
    stdin = test.get("stdin", "")
    if "stdin_repeat" in test:
        text, times = test["stdin_repeat"]
        stdin = text * times
    return StdioCase(name=name, input=stdin.encode(), answer=_corpus_answer(test).encode())


def _corpus_answer(test: CorpusTest) -> str:
    if "expected_gen" not in test:
        return str(test.get("expected", ""))
    count = int(test["expected_gen"].removeprefix("range:"))
    return "".join(f"{number}\n" for number in range(count))


def corpus_item(row: CorpusRow) -> Item:
    """The item of a benign row: AC is the only right verdict."""
    given = row["limits"]
    problem = Problem(
        tests=[_corpus_case(row, test, str(index)) for index, test in enumerate(row["tests"])],
        limits=Limits(
            cpu_seconds=given["time_s"],
            memory_bytes=given["memory_mb"] * MIB,
            output_bytes=given["output_mb"] * MIB,
            compile_seconds=given["compile_s"],
        ),
    )
    submission = Submission(source=row["program"], language=row["language"])
    return Item(id=row["id"], submission=submission, problem=problem, due=frozenset({"AC"}))
