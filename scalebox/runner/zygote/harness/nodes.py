"""Linked lists and binary trees for calls that declare them: built of lists before the call, read back after it. Imports nothing.

The classes are offered to the program under LeetCode's names; a program that defines its own is given its own. Reading a
node takes its attributes as the program made them. Nothing here recurses, so lists and trees may be of any length or depth.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class ListNode:  # ruff: ignore[class-as-data-structure] - LeetCode's class; dataclasses cost an import
    """A node of a linked list."""

    def __init__(self, val: object = 0, next: object = None) -> None:
        self.val = val
        self.next = next


class TreeNode:  # ruff: ignore[class-as-data-structure] - as ListNode
    """A node of a binary tree."""

    def __init__(self, val: object = 0, left: object = None, right: object = None) -> None:
        self.val = val
        self.left = left
        self.right = right


CLASSES = {"ListNode": ListNode, "TreeNode": TreeNode}


def offer(namespace: dict[str, object]) -> None:
    """Put both classes into the namespace of a program that is about to be executed."""
    for name, made in CLASSES.items():
        made.__module__ = str(namespace["__name__"])
        namespace[name] = made


def built(declared: str | None, value: object, namespace: dict[str, object]) -> object:
    """The argument: a node where ``declared`` is ``ListNode`` or ``TreeNode``, nodes where it is a list of them.

    Raises:
        BaseException: whatever the constructor of the program's own class raises.
    """
    kind, build = _form(declared, {"ListNode": _build_list, "TreeNode": _build_tree})
    if build is None:
        return value
    made = namespace.get(kind)
    node_class = made if isinstance(made, type) else CLASSES[kind]
    if kind != declared:
        return [build(node_class, item) for item in value]  # type: ignore[attr-defined]  # the service wrote a list
    return build(node_class, value)


def flattened(declared: str | None, value: object) -> object:
    """The lists that write what came back, the reverse of ``built``.

    Raises:
        TypeError: it is no node.
        ValueError: it has a cycle.
    """
    kind, flatten = _form(declared, {"ListNode": _flatten_list, "TreeNode": _flatten_tree})
    if flatten is None:
        return value
    if kind == declared:
        return flatten(value)
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"a {type(value).__name__} came back where a list of {kind} was due")
    return [flatten(item) for item in value]


def _form(declared: str | None, by_kind: dict[str, Callable[..., object]]) -> tuple[str, Callable[..., object] | None]:
    kind = declared[5:-1] if declared is not None and declared.startswith("list[") else declared or ""
    return kind, by_kind.get(kind)


def _build_list(node_class: Callable[[object], object], values: list[object] | None) -> object:
    head = None
    for value in reversed(values or []):
        node = node_class(value)
        node.next = head  # type: ignore[attr-defined]  # a node
        head = node
    return head


def _build_tree(node_class: Callable[[object], object], values: list[object] | None) -> object:
    nodes = [None if value is None else node_class(value) for value in values or []]
    rest = iter(nodes)
    root = next(rest, None)
    for node in nodes:
        if node is not None:
            node.left = next(rest, None)  # type: ignore[attr-defined]  # a node
            node.right = next(rest, None)  # type: ignore[attr-defined]  # a node
    return root


def _flatten_list(head: object) -> list[object]:
    values: list[object] = []
    seen: set[int] = set()
    node = head
    while node is not None:
        if id(node) in seen:
            raise ValueError("the linked list that came back has a cycle")
        seen.add(id(node))
        values.append(_attribute(node, "val", "ListNode"))
        node = _attribute(node, "next", "ListNode")
    return values


def _flatten_tree(root: object) -> list[object]:
    _refuse_cycle(root)
    values: list[object] = []
    level = [root]
    while level:
        values += [None if node is None else _attribute(node, "val", "TreeNode") for node in level]
        level = [child for node in level if node is not None for child in _children(node)]
    while values and values[-1] is None:
        values.pop()
    return values


def _refuse_cycle(root: object) -> None:
    """Go depth first; a node met again below itself is a cycle. Subtrees may be shared, as many right programs do."""
    above: set[int] = set()
    done: set[int] = set()
    waiting: list[tuple[object, bool]] = [(root, False)]
    while waiting:
        node, is_left = waiting.pop()
        key = id(node)
        if is_left:
            above.discard(key)
            done.add(key)
        elif key in above:
            raise ValueError("the tree that came back has a cycle")
        elif node is not None and key not in done:
            above.add(key)
            waiting.append((node, True))
            waiting += [(child, False) for child in _children(node)]


def _children(node: object) -> Iterator[object]:
    yield _attribute(node, "left", "TreeNode")
    yield _attribute(node, "right", "TreeNode")


def _attribute(node: object, name: str, kind: str) -> object:
    try:
        return getattr(node, name)
    except AttributeError:
        raise TypeError(f"a {type(node).__name__} came back where a {kind} was due") from None
