"""LeetCode's linked lists and binary trees, as a call case declares them and as JSON writes them. Pure; never builds a node.

A ``ListNode`` is written as the list of its values. A ``TreeNode`` is written level by level, from left to right, with null for a
child that is absent; children of an absent node are not written, and nulls at the end may be left out. The empty list or tree
is ``[]`` or null.
"""

from __future__ import annotations

import enum
import re
from typing import Final


class NodeType(enum.StrEnum):
    """What a box builds of an argument before the call, and reads from a value after it."""

    LIST = "ListNode"
    TREE = "TreeNode"
    LISTS = "list[ListNode]"
    TREES = "list[TreeNode]"


_OPTIONAL: Final = re.compile(r"Optional\[(.*)\]|(.*)\|None")
_MANY: Final = re.compile(r"[Ll]ist\[(.*)\]")
_LONGEST: Final = 200


def node_type(annotation: str) -> NodeType | None:
    """The node type that an annotation declares (``Optional[ListNode]``, ``List[TreeNode | None]``); None for any other type.

    Raises:
        ValueError: nodes in a form that no box builds.
    """
    if "ListNode" not in annotation and "TreeNode" not in annotation:
        return None
    text = _required(re.sub(r"\s|['\"]|typing\.", "", annotation[:_LONGEST]))
    many = _MANY.fullmatch(text)
    try:
        return NodeType(f"list[{_required(many[1])}]" if many else text)
    except ValueError:
        msg = f"{annotation[:80]!r} is none of {', '.join(NodeType)}"
        raise ValueError(msg) from None


def _required(annotation: str) -> str:
    """The annotation without ``Optional``."""
    match = _OPTIONAL.fullmatch(annotation)
    return (match[1] or match[2]) if match else annotation


def complaint_about(value: object, kind: NodeType) -> str | None:
    """Why the value does not write what is declared; None where it does."""
    if kind in {NodeType.LISTS, NodeType.TREES}:
        if not isinstance(value, (list, tuple)):
            return f"a {kind} is an array of arrays"
        one = NodeType.LIST if kind is NodeType.LISTS else NodeType.TREE
        return next(filter(None, (complaint_about(item, one) for item in value)), None)
    if value is None:
        return None
    if not isinstance(value, (list, tuple)):
        return f"a {kind} is an array"
    if kind is NodeType.TREE and not _is_tree(value):
        return "a TreeNode is an array of levels, and this one has values below an absent node"
    return None


def _is_tree(values: list[object] | tuple[object, ...]) -> bool:
    """Whether every value has a place: the root's, or that of a child of an earlier node."""
    places = 1
    for value in values:
        if places == 0:
            return False
        places += -1 if value is None else 1
    return True


def shortest(value: object, kind: NodeType) -> object:
    """What a box writes for the same list or tree: ``[]`` for null, no nulls at the end of a tree."""
    if kind in {NodeType.LISTS, NodeType.TREES}:
        one = NodeType.LIST if kind is NodeType.LISTS else NodeType.TREE
        return [shortest(item, one) for item in value] if isinstance(value, (list, tuple)) else value
    if value is None:
        return []
    if kind is NodeType.TREE and isinstance(value, (list, tuple)):
        values = list(value)
        while values and values[-1] is None:
            values.pop()
        return values
    return value
