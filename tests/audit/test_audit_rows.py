"""Every shape of row is read as its publisher means it; what cannot be read names its field."""

from __future__ import annotations

import base64
import gzip
import json
import os
import pickle  # ruff: ignore[suspicious-pickle-import] - packs, and never unpacks
import zlib
from pathlib import Path

import pytest
from audit import dataset
from audit.dataset import Tree

from scalebox.core.errors import RequestError
from scalebox.core.limits import MIB
from scalebox.core.problem import (
    AskWhen,
    AssertCase,
    AssertStyle,
    CallCase,
    CheckerSpec,
    Problem,
    ProgramChecker,
    StdioCase,
)
from scalebox.core.submission import Completion, Submission
from scalebox.rows.packed import unpack
from scalebox.rows.read import DatasetError, read_lines
from scalebox.rows.recognise import read_row
from scalebox.rows.row import BadRow, ReadOptions, Row

OPTIONS = ReadOptions()
ADD = "def add(a, b):\n    return a + b\n"
STDIO_CASE = {"type": "stdin_stdout", "input": "1 2\n", "output": "3\n", "fn_name": None}
CALL_CASE = {"type": "function_call", "fn_name": "add", "input": [1, 2], "output": [3]}


def read(tree: Tree, options: ReadOptions = OPTIONS) -> Row | BadRow:
    """What a row is read as."""
    return read_row(7, json.dumps(tree).encode(), options)


def good(tree: Tree, options: ReadOptions = OPTIONS) -> Row:
    """The row, which can be read."""
    row = read(tree, options)
    assert isinstance(row, Row), row
    return row


def problem_of(tree: Tree) -> Problem:
    """The problem of a row that has cases."""
    problem = good(tree).problem
    assert problem is not None
    return problem


def one_stdio(tree: Tree) -> tuple[bytes, bytes]:
    """Input and answer of a row's only case."""
    [case] = problem_of(tree).tests
    assert isinstance(case, StdioCase)
    return case.input, case.answer


def one_call(tree: Tree) -> tuple[str, list[object], object]:
    """Function, arguments and answer of a row's only case."""
    [case] = problem_of(tree).tests
    assert isinstance(case, CallCase)
    assert case.tolerance is None
    return case.function, list(case.args), case.answer


def in_verl(truth: object) -> Tree:
    """A row with a ground truth."""
    return {"reward_model": {"ground_truth": truth}, "extra_info": {"reference": "pass"}}


@pytest.mark.parametrize(
    "tree",
    [
        dataset.verl("a", "pass", [("1 2\n", "3\n")]),
        in_verl({"inputs": ["1 2\n"], "outputs": ["3\n"]}),
        in_verl({"inputs": [["1 2", ""]], "outputs": [["3", ""]]}),
        in_verl(json.dumps({"type": "stdin_stdout", "input": ["1 2\n"], "output": ["3\n"], "fn_name": None})),
        in_verl({"test_cases": {"type": "stdin_stdout", "input": ["1 2\n"], "output": ["3\n"]}}),
        in_verl([STDIO_CASE]),
        {
            "test": json.dumps([{"input": {"stdin": "1 2\n"}, "output": {"stdout": "3\n"}}]),
            "canonical_solution": "pass",
        },
        {"test": {"type": "stdin_stdout", "input": ["1 2\n"], "output": ["3\n"]}, "reference": "pass"},
        {"ground_truth": json.dumps([STDIO_CASE]), "solution": "pass"},
        {"extra_info": {"inputs": ["1 2\n"], "outputs": ["3\n"], "solution": "pass"}},
        {"input_output": json.dumps({"inputs": ["1 2\n"], "outputs": ["3\n"]}), "solutions": json.dumps(["pass", "1"])},
        {"verification_info": {"language": "python", "test_cases": [STDIO_CASE]}, "gold_standard_solution": "pass"},
        {"verification_info": repr({"test_cases": [STDIO_CASE]}), "gold_standard_solution": "pass"},
        {
            "verification_info": json.dumps({
                "ground_truth": json.dumps([{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}])
            }),
            "solution": "pass",
        },
        {
            "public_test_cases": json.dumps([{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]),
            "private_test_cases": "",
            "code_list": ["pass"],
        },
        {
            "private_test_cases": dataset.packed([{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]),
            "reference": "pass",
        },
        dataset.v1("a", "pass", {"tests": [dataset.stdio("1 2\n", "3\n")]}),
        {"source": "pass", "language": "python", "problem": {"tests": [dataset.stdio("1 2\n", "3\n")]}},
    ],
)
def test_every_shape_gives_the_same_stdio_case(tree: Tree) -> None:
    assert one_stdio(tree) == (b"1 2\n", b"3\n")
    assert good(tree).reference == Submission(source="pass", language="python")
    assert not good(tree).declares_checker
    assert problem_of(tree).checker == CheckerSpec()


@pytest.mark.parametrize(
    "tree",
    [
        in_verl({"fn_name": "add", "inputs": ["1\n2"], "outputs": ["3"]}),
        in_verl({"fn_name": "add", "inputs": [[1, 2]], "outputs": [3]}),
        in_verl({"fn_name": "add", "inputs": [[1, 2]], "outputs": [[3]]}),
        in_verl({"type": "function_call", "fn_name": "add", "input": [[1, 2]], "output": [[3]]}),
        in_verl([CALL_CASE]),
        {"verification_info": {"test_cases": [CALL_CASE]}, "gold_standard_solution": ADD},
        {
            "public_test_cases": [{"input": "1\n2", "output": "3", "testtype": "functional"}],
            "metadata": json.dumps({"func_name": "add"}),
            "reference": ADD,
        },
    ],
)
def test_every_shape_gives_the_same_call(tree: Tree) -> None:
    assert one_call(tree) == ("add", [1, 2], 3)


def test_a_value_that_is_a_list_of_one_stays_one_beside_others() -> None:
    tree = in_verl({"fn_name": "f", "inputs": [[1], [2]], "outputs": [[1], [1, 2]]})
    assert [case.answer for case in problem_of(tree).tests if isinstance(case, CallCase)] == [[1], [1, 2]]


def test_assert_statements_are_cases_of_their_own() -> None:
    tests = problem_of(in_verl({"assert_case": ["assert add(1, 2) == 3", "assert add(0, 0) == 0"]})).tests
    assert [(test.code, test.style) for test in tests if isinstance(test, AssertCase)] == [
        ("assert add(1, 2) == 3", AssertStyle.BARE),
        ("assert add(0, 0) == 0", AssertStyle.BARE),
    ]


@pytest.mark.parametrize("where", ["truth", "extra"])
@pytest.mark.parametrize("cases", [{"input": ["3"], "output": ["1 2"]}, [{"input": "3", "output": "1 2"}]])
def test_a_special_judge_is_declared(where: str, cases: object) -> None:
    judge = {"special_judge_program": "raise SystemExit(0)", "force_special_judge": True}
    truth = {"test_cases": cases, **(judge if where == "truth" else {"extra": judge})}
    row = good(in_verl(truth))
    assert row.declares_checker
    assert row.problem is not None
    assert isinstance(row.problem.checker, ProgramChecker)
    assert row.problem.checker.when is AskWhen.ALWAYS


@pytest.mark.parametrize(
    ("problem", "declared"),
    [
        ({"tests": [dataset.stdio("", "")]}, False),
        ({"tests": [dataset.stdio("", "")], "checker": None}, False),
        ({"tests": [dataset.stdio("", "")], "checker": "floats"}, True),
        ({"tests": [dataset.stdio("", ""), dataset.stdio("", "") | {"checker": "floats"}]}, True),
    ],
)
def test_a_checker_is_declared_by_the_problem_or_by_a_test(problem: Tree, declared: bool) -> None:
    assert good(dataset.v1("a", "pass", problem)).declares_checker is declared


def test_limits_are_read_only_with_their_unit() -> None:
    base = {"verification_info": {"test_cases": [STDIO_CASE]}, "solution": "pass"}
    stated = problem_of({**base, "metadata": {"time_limit": "1.5 seconds", "memory_limit": "64 megabytes"}}).limits
    assert (stated.cpu_seconds, stated.memory_bytes) == (1.5, 64 * MIB)
    assert problem_of({**base, "time_limit": 2000, "memory_limit": 256}).limits == OPTIONS.limits


def test_a_fenced_reference_is_model_text() -> None:
    text = "Here it is:\n```python\nprint(1)\n```\n"
    tree = {"verification_info": {"test_cases": [STDIO_CASE], "language": "cpp"}, "gold_standard_solution": text}
    assert good(tree).reference == Completion(text=text, language="cpp")


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ({"source": "int main;", "language": "cpp"}, Submission(source="int main;", language="cpp")),
        ({"completion": "pass"}, Completion(text="pass", language="python")),
        ([{"code": "pass"}], Submission(source="pass", language="python")),
        ({"cpp": "int main;"}, Submission(source="int main;", language="cpp")),
    ],
)
def test_a_reference_may_be_an_object(reference: object, expected: Submission | Completion) -> None:
    assert good(dataset.v1("a", reference, {"tests": [dataset.stdio("", "")]})).reference == expected


def test_a_named_reference_wins_and_is_found_by_its_path() -> None:
    tree = {"ground_truth": [STDIO_CASE], "solution": "no", "answers": {"right": ["yes"]}}
    assert good(tree, ReadOptions(reference="answers.right.0")).reference == Submission(source="yes", language="python")


@pytest.mark.parametrize(
    "tree",
    [
        in_verl({"inputs": [], "outputs": []}),
        in_verl([]),
        in_verl({"assert_case": []}),
        in_verl({"input": [], "output": [], "type": "stdin_stdout"}),
        {"verification_info": {"test_cases": []}, "solution": "pass"},
        {"public_test_cases": "[]", "private_test_cases": "[]", "reference": "pass"},
        dataset.v1("a", "pass", {"tests": []}),
    ],
)
def test_a_row_without_cases_is_no_bad_row(tree: Tree) -> None:
    assert good(tree).problem is None


@pytest.mark.parametrize(
    ("tree", "field", "words"),
    [
        ({"prompt": "x", "answer": "42"}, None, "none of the known shapes; its fields are answer, prompt"),
        ({"problem": "the statement", "solution": "pass"}, None, "none of the known shapes"),
        ({"test": "def check(f):\n    assert f(1)", "solution": "pass"}, None, "none of the known shapes"),
        ({"ground_truth": [STDIO_CASE]}, "reference", "no reference"),
        ({"ground_truth": [STDIO_CASE], "reference": 3}, "reference", "a number, where a program is due"),
        (in_verl("42"), "reward_model.ground_truth", "a number"),
        (in_verl("not JSON"), "reward_model.ground_truth", "not JSON"),
        (in_verl({"answer": 1}), "reward_model.ground_truth", "its fields are answer"),
        (
            in_verl({"inputs": ["1", "2"], "outputs": ["1"]}),
            "reward_model.ground_truth.outputs",
            "2 inputs and 1 outputs",
        ),
        (
            in_verl({"inputs": [1], "outputs": ["1"]}),
            "reward_model.ground_truth.inputs.0",
            "a number, where text is due",
        ),
        (in_verl({"inputs": "1", "outputs": ["1"]}), "reward_model.ground_truth.inputs", "a number, where a list"),
        (
            in_verl({"fn_name": "f", "inputs": ["[1"], "outputs": ["1"]}),
            "reward_model.ground_truth.inputs.0",
            "not JSON",
        ),
        (in_verl({"assert_case": [""]}), "reward_model.ground_truth.assert_case.0", "assert statement"),
        (
            in_verl({"test_cases": {"input": ["1"], "output": []}}),
            "reward_model.ground_truth.test_cases.output",
            "1 inputs",
        ),
        (
            {"verification_info": {"test_cases": [STDIO_CASE, {"input": "1"}]}, "solution": "pass"},
            "verification_info.test_cases.1.output",
            "no output",
        ),
        (
            {"verification_info": {"test_cases": [{**STDIO_CASE, "type": "oracle"}]}, "solution": "pass"},
            "verification_info.test_cases.0",
            "of the kind 'oracle'",
        ),
        (
            {"verification_info": "{'test_cases': [{'input': '\\ud800', 'output': ''}]}", "solution": "pass"},
            "verification_info",
            "not JSON",
        ),
        ({"verification_info": {"ground": 1}, "solution": "pass"}, "verification_info", "its fields are ground"),
        (
            {"private_test_cases": "x", "public_test_cases": "[]", "reference": "pass"},
            "private_test_cases",
            "neither JSON nor base64",
        ),
        (
            {"public_test_cases": [{"input": "1", "output": "1", "testtype": "functional"}], "reference": "pass"},
            "public_test_cases.0.fn_name",
            "function's name",
        ),
        (dataset.v1("a", "pass", {"tests": [{"kind": "stdio", "input": ""}]}), "problem.tests.0.answer", "neither"),
        (
            dataset.v1("a", "pass", {"tests": [], "cheker": "x"}) | {"problem": {"cheker": "x", "tests": [{}]}},
            "problem.tests.0.kind",
            "",
        ),
    ],
)
def test_a_bad_row_names_its_field(tree: Tree, field: str | None, words: str) -> None:
    row = read(tree)
    assert isinstance(row, BadRow)
    assert (row.number, row.field) == (7, field)
    assert words in row.message


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "the line is not JSON"),
        (b"[1]", "the line is a list"),
        (b'{"a": NaN}', "not finite"),
        (b"\xff", "the line is not"),
    ],
)
def test_a_line_that_is_no_object_is_a_bad_row(line: bytes, words: str) -> None:
    row = read_row(3, line, OPTIONS)
    assert isinstance(row, BadRow)
    assert (row.number, row.id) == (3, None)
    assert words in row.message


class Evil:
    """Would run a command where it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch hacked",)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zlib.compress(pickle.dumps(Evil())), "does more than hold a text"),
        (zlib.compress(pickle.dumps(["[]"])), "does more than hold a text"),
        (zlib.compress(pickle.dumps("[]")[:-3]), "no pickle"),
        (zlib.compress(b"plainly"), "no pickle"),
        (zlib.compress(pickle.dumps("[]"))[:-6], "cut off"),
        (b"nothing", "not zlib"),
    ],
)
def test_a_pickle_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, words: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RequestError, match=words):
        unpack(base64.b64encode(data).decode(), "private_test_cases")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_packed_text_is_read_whatever_the_pickle_protocol(protocol: int) -> None:
    text = json.dumps([{"input": "é\n" * 300}], ensure_ascii=False)
    data = base64.b64encode(zlib.compress(pickle.dumps(text, protocol))).decode()
    if protocol == 0:
        with pytest.raises(RequestError):
            unpack(data, "x")
        return
    assert unpack(data, "x") == text


@pytest.mark.parametrize("squeeze", [lambda data: data, gzip.compress])
def test_lines_are_numbered_with_the_blank_ones(tmp_path: Path, squeeze: object) -> None:
    path = tmp_path / "rows"
    assert callable(squeeze)
    path.write_bytes(squeeze(b'\xef\xbb\xbf{"a": 1}\n\n  \r\n{"b": 2}'))
    assert [(line.number, line.data) for line in read_lines(path)] == [(1, b'{"a": 1}'), (4, b'{"b": 2}')]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PAR1 and more", "a Parquet file"),
        (b"PK\x03\x04 and more", "a zip archive"),
        (b'[\n{"a": 1}]', "a JSON array"),
        (gzip.compress(b"{}\n" * 100, mtime=0)[:-9], "damaged"),
    ],
)
def test_what_is_no_jsonl_is_named(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(data)
    with pytest.raises(DatasetError, match=words):
        list(read_lines(path))
