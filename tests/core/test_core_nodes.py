"""Node types as annotations name them, and lists and trees as JSON writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.core.nodes import NodeType, complaint_about, node_type, shortest


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("ListNode", NodeType.LIST),
        ("Optional[ListNode]", NodeType.LIST),
        ("typing.Optional['TreeNode']", NodeType.TREE),
        ("TreeNode | None", NodeType.TREE),
        ("List[ListNode]", NodeType.LISTS),
        ("list[Optional[ListNode]]", NodeType.LISTS),
        ("Optional[List[Optional[TreeNode]]]", NodeType.TREES),
        ("list[TreeNode | None] | None", NodeType.TREES),
        ("int", None),
        ("List[List[int]]", None),
        ("", None),
    ],
)
def test_annotations(annotation: str, kind: NodeType | None) -> None:
    assert node_type(annotation) is kind


@pytest.mark.parametrize("annotation", ["Dict[str, ListNode]", "List[List[ListNode]]", "ListNode[", "MyTreeNode"])
def test_other_forms_of_nodes_are_refused(annotation: str) -> None:
    with pytest.raises(ValueError, match="is none of ListNode, TreeNode"):
        node_type(annotation)


@given(st.text("ListNodTre[]|Opa'", max_size=400))
def test_any_annotation_is_read_or_refused(annotation: str) -> None:
    try:
        kind = node_type(annotation)
    except ValueError:
        return
    assert kind is None or kind in NodeType


@pytest.mark.parametrize(
    ("value", "kind", "sound"),
    [
        (None, NodeType.LIST, True),
        ([], NodeType.LIST, True),
        ([1, None, "a"], NodeType.LIST, True),
        (3, NodeType.LIST, False),
        ("12", NodeType.LIST, False),
        (None, NodeType.TREE, True),
        ([1, None, 2, 3], NodeType.TREE, True),
        ([1, 2, 3, None, None, 4, None, None, None], NodeType.TREE, True),
        ([None], NodeType.TREE, True),
        ([None, 1], NodeType.TREE, False),
        ([1, None, None, 2], NodeType.TREE, False),
        ({"val": 1}, NodeType.TREE, False),
        ([[1], None, []], NodeType.LISTS, True),
        (None, NodeType.LISTS, False),
        ([1], NodeType.LISTS, False),
        ([[1], [None, 1]], NodeType.TREES, False),
    ],
)
def test_what_writes_nodes(value: object, kind: NodeType, sound: bool) -> None:
    assert (complaint_about(value, kind) is None) is sound


@pytest.mark.parametrize(
    ("value", "kind", "short"),
    [
        (None, NodeType.LIST, []),
        ([1, None], NodeType.LIST, [1, None]),
        ([1, None, 2, None, None], NodeType.TREE, [1, None, 2]),
        ([None], NodeType.TREE, []),
        ([[1], None], NodeType.LISTS, [[1], []]),
        ([None, [1, None, None]], NodeType.TREES, [[], [1]]),
    ],
)
def test_the_shortest_form(value: object, kind: NodeType, short: object) -> None:
    assert shortest(value, kind) == short
