"""Canonical texts: what means the same has one id, what does not has another, and the text means the problem."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.core.errors import RequestError
from scalebox.core.problem import CallCase, CheckerSpec, Problem, StdioCase
from scalebox.wire.canonical import canonical_text, check_id, id_of, read_problem
from scalebox.wire.convert_client import problem_body

Json = dict[str, Any]

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(TEXT.filter(lambda key: not key.startswith("$")), inner, max_size=3)
        | st.lists(st.integers() | TEXT, max_size=4, unique=True).map(lambda items: {"$set": items})
    ),
    max_leaves=8,
)
SHARED = st.fixed_dictionaries(
    {},
    optional={
        "name": TEXT,
        "group": TEXT,
        "weight": st.integers(1, 9),
        "checker": st.sampled_from([
            "exact",
            {"name": "lines"},
            {"name": "floats", "abs": 0.5, "case_sensitive": False},
        ]),
    },
)
STDIO = st.builds(
    lambda shared, given, answer, files: {"kind": "stdio", "input": given, "answer": answer, "files": files, **shared},
    SHARED,
    TEXT,
    TEXT,
    st.dictionaries(st.sampled_from(["a", "b", "d/e"]), st.binary(max_size=5).map(base64.b64encode).map(bytes.decode)),
)
CALL = st.builds(
    lambda shared, args, kwargs, answer: {
        "kind": "call", "function": "f", "args": args, "kwargs": kwargs, "answer": answer, **shared
    },
    SHARED,
    st.lists(VALUES, max_size=3),
    st.dictionaries(TEXT, VALUES, max_size=2),
    VALUES,
)  # fmt: skip
ASSERT = st.builds(
    lambda shared, code: {"kind": "assert", "style": "bare", "code": "assert " + code, **shared}, SHARED, TEXT
)
UNIT = st.builds(
    lambda shared, text: {"kind": "unit", "framework": "pytest", "files": {"b.py": text, "a.py": ""}, **shared},
    SHARED,
    TEXT,
)
PROBLEMS = st.builds(
    lambda tests, more: {"tests": tests, **more},
    st.lists(STDIO | CALL | ASSERT | UNIT, min_size=1, max_size=4),
    st.fixed_dictionaries(
        {},
        optional={
            "checker": st.sampled_from(["tokens", {"name": "tokens"}, {"name": "unordered", "unit": "tokens"}]),
            "groups": st.dictionaries(TEXT, st.sampled_from(["sum", "min"]), max_size=3),
            "limits": st.fixed_dictionaries({}, optional={"cpu_s": st.integers(1, 5), "memory_mb": st.just(64)}),
        },
    ),
)


def text_of(tree: object) -> bytes:
    """The canonical text of a problem's JSON."""
    return read_problem(json.dumps(tree).encode())[1]


def shuffled(tree: Json, dice: random.Random) -> Json:
    """The same members of ours in another order."""
    names = list(tree)
    dice.shuffle(names)
    kept = {"args", "kwargs", "answer"} if tree.get("kind") == "call" else set()
    return {name: tree[name] if name in kept else reordered(tree[name], dice) for name in names}


def reordered(tree: Any, dice: random.Random) -> Any:  # noqa: ANN401 - JSON
    """The same, at every depth."""
    if isinstance(tree, list):
        return [reordered(item, dice) for item in tree]
    return shuffled(tree, dice) if isinstance(tree, dict) else tree


def as_base64(test: Json) -> Json:
    """The same test, its bytes the other way."""
    if test["kind"] != "stdio":
        return test
    encoded = {f"{name}_base64": base64.b64encode(test[name].encode()).decode() for name in ("input", "answer")}
    return {name: value for name, value in test.items() if name not in {"input", "answer"}} | encoded


@given(PROBLEMS, st.randoms(use_true_random=False))
def test_what_means_the_same_has_one_text(tree: Json, dice: random.Random) -> None:
    text = text_of(tree)
    other = reordered({**tree, "tests": [as_base64(test) for test in tree["tests"]]}, dice)
    spaced = json.dumps(other, ensure_ascii=dice.random() < 0.5, indent=dice.choice([None, 2]))
    assert read_problem(spaced.encode())[1] == text


@given(PROBLEMS)
def test_a_text_is_its_own_and_means_the_problem(tree: Json) -> None:
    problem, text = read_problem(json.dumps(tree).encode())
    again, same = read_problem(text)
    assert same == text
    assert again == problem
    for test, other in zip(problem.tests, again.tests, strict=True):
        if isinstance(test, CallCase) and b"$set" not in text:
            assert repr(other) == repr(test)  # 1 is not 1.0, and dicts keep their order
    assert canonical_text(problem) == text  # as a client that has only the problem makes it


@given(PROBLEMS, PROBLEMS)
def test_another_problem_has_another_text(first: Json, second: Json) -> None:
    one, other = (read_problem(json.dumps(tree).encode()) for tree in (first, second))
    if one[1] == other[1]:
        assert one[0] == other[0]
    elif repr(problem_body(one[0])) == repr(problem_body(other[0])):
        pytest.fail("one problem has two texts")


TESTS = [{"kind": "stdio", "input": "1\n", "answer": "é"}]


@pytest.mark.parametrize(
    "tree",
    [
        {"tests": TESTS, "checker": "tokens"},
        {"tests": TESTS, "checker": {"name": "tokens", "abs": 1e-6}},
        {"tests": TESTS, "limits": {}, "groups": {}, "interactor": None},
        {"tests": TESTS, "limits": {"cpu_s": 10, "memory_mb": 1024.0}},
        {"tests": [{**TESTS[0], "name": "0", "weight": 1, "args": [], "files": {}, "checker": None}]},
        {"tests": [{"kind": "stdio", "input_base64": "MQo=", "answer_base64": "w6k="}]},
    ],
)
def test_spelt_out_defaults_change_nothing(tree: Json) -> None:
    assert text_of(tree) == b'{"tests":[{"answer_base64":"w6k=","input_base64":"MQo=","kind":"stdio"}]}'


def test_the_order_of_a_values_keys_is_part_of_the_problem() -> None:
    """A program sees it."""

    def case(value: Json) -> Json:
        return {"tests": [{"kind": "call", "function": "f", "args": [value], "answer": 1}]}

    assert text_of(case({"a": 1, "b": 2})) != text_of(case({"b": 2, "a": 1}))
    assert text_of(case({"$set": ["b", "a"]})) == text_of(case({"$set": ["a", "b"]}))


def test_a_parameter_may_have_the_name_of_a_tag() -> None:
    def case(kwargs: Json) -> Json:
        return {"tests": [{"kind": "call", "function": "f", "args": [], "kwargs": kwargs, "answer": 1}]}

    for name in ("$set", "$frozenset"):
        assert text_of(case({name: [1, 2]})) != text_of(case({name: [2, 1]}))
        one, other = case({"a": {name: [2, 1]}}), case({"a": {name: [1, 2]}})
        assert text_of(one) == text_of(other)


def test_a_problem_at_hand_may_have_whole_numbers_for_fractions() -> None:
    case = StdioCase(name="0", input=b"1\n", answer="é".encode(), weight=2, checker=CheckerSpec(absolute=1, relative=0))
    tree = {"tests": [{**TESTS[0], "weight": 2, "checker": {"name": "tokens", "abs": 1, "rel": 0}}]}
    assert canonical_text(Problem(tests=(case,))) == text_of(tree)


def test_sets_of_text_have_one_text_in_every_process() -> None:
    words = [f"w{number}" for number in range(50)]
    texts = {
        canonical_text(Problem(tests=[CallCase(name="0", function="f", args=[set(order)], answer=None)]))
        for order in (words, words[::-1])
    }
    assert texts == {
        text_of({"tests": [{"kind": "call", "function": "f", "args": [{"$set": sorted(words)}], "answer": None}]})
    }


@pytest.mark.parametrize(
    "problem_id",
    ["", "sha256:", "sha256:" + "A" * 64, "sha256:" + "a" * 63, "sha256:" + "a" * 64 + "\n", "../" + "a" * 64],
)
def test_what_is_no_id_is_refused(problem_id: str) -> None:
    with pytest.raises(RequestError) as refused:
        check_id(problem_id, "problem_id")
    assert (refused.value.field, refused.value.code) == ("problem_id", "invalid_problem_id")
    assert check_id(id_of(b""), "id") == id_of(b"")


def test_faults_name_fields_as_they_were_written() -> None:
    with pytest.raises(RequestError) as refused:
        text_of({"tests": [{"kind": "stdio", "input": "1"}]})
    assert refused.value.field == "tests.0.answer"
    with pytest.raises(RequestError) as many:
        text_of({"tests": TESTS * 20_001})
    assert (many.value.field, many.value.code) == ("tests", "too_many_tests")
