"""Call cases before they are run: plain data in, declared nodes checked, everything else refused by field."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from scalebox.core.errors import RequestError
from scalebox.core.plain import Opaque
from scalebox.core.problem import CallCase
from scalebox.judge.calls import prepare_call
from scalebox.languages.catalogue import load_languages
from scalebox.languages.definition import Language

CALL = CallCase(name="0", function="f", args=[1, [2]], answer=3)
NODES = CallCase(
    name="0",
    function="f",
    args=[[1, 2], 3],
    answer=None,
    arg_types=["Optional[ListNode]", "int"],
    return_type="TreeNode",
)


def language(name: str) -> Language:
    """A shipped language."""
    found = load_languages().get(name)
    assert found is not None
    return found


def prepared(case: CallCase, name: str = "python") -> CallCase:
    """The case, ready."""
    return prepare_call(case, language(name), "problem.tests.7")


def test_a_plain_case_stays_as_it_is() -> None:
    assert prepared(CALL) is CALL
    assert prepared(CALL, "cpp") is CALL


def test_subclasses_of_plain_types_become_plain() -> None:
    case = prepared(replace(CALL, args=[Counter("aab"), 1], answer=[Counter("b")]))
    assert [type(value) for value in case.args] == [dict, int]
    assert case.args[0] == {"a": 2, "b": 1}
    assert case.answer == [{"b": 1}]


def test_node_types_get_their_own_names_and_the_answer_its_shortest_form() -> None:
    case = prepared(NODES)
    assert (case.arg_types, case.return_type, case.answer) == (("ListNode", None), "TreeNode", [])
    assert prepared(replace(NODES, answer=[1, None, 2, None, None])).answer == [1, None, 2]
    assert prepared(replace(NODES, answer=[1, 2, None], mutated=0)).answer == [1, 2, None]  # of a list, not a tree
    assert prepared(replace(NODES, answer=4, mutated=1)).answer == 4


@pytest.mark.parametrize(
    ("case", "field"),
    [
        (replace(CALL, args=[1, object()]), "args.1"),
        (replace(CALL, kwargs={"k": [len]}), "kwargs.k"),
        (replace(CALL, answer=Opaque("X")), "answer"),
        (replace(CALL, function="two-sum"), "function"),
        (replace(CALL, function="A().B().f"), "function"),
        (replace(NODES, arg_types=["ListNode"]), "arg_types"),
        (replace(NODES, arg_types=[None, "Dict[int, ListNode]"]), "arg_types.1"),
        (replace(NODES, return_type="ListNode[]"), "return_type"),
        (replace(NODES, args=[5, 3]), "args.0"),
        (replace(NODES, answer=5), "answer"),
        (replace(NODES, answer=[None, 1]), "answer"),
    ],
)
def test_a_case_that_no_box_can_build_is_refused_by_field(case: CallCase, field: str) -> None:
    with pytest.raises(RequestError) as refused:
        prepared(case)
    assert refused.value.field == f"problem.tests.7.{field}"
    assert refused.value.hint


def test_nodes_are_python_s_alone() -> None:
    with pytest.raises(RequestError, match="in C"):
        prepared(NODES, "cpp")
    plain = replace(NODES, arg_types=["int[]", "int"], return_type=None, answer=3)
    assert prepared(plain, "cpp").arg_types == (None, None)
