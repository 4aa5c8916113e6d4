"""Call cases: the value that a program's function returned, or none."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping

import pytest
from runner.harness.harness_boxes import Boxes, boxes_in

from scalebox.core import plain


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boxes]:
    with boxes_in(str(tmp_path_factory.mktemp("work"))) as leased:
        yield leased


def spec(*args: object, function: str = "f", **more: object) -> Mapping[str, object]:
    return {"function": function, "args": args, "kwargs": {}, "mutated": None, **more}


@pytest.mark.parametrize(
    ("source", "case", "value"),
    [
        ("def f(a, b): return a + b", spec(1, 2), 3),
        ("def f(a, b=0): return [a, (b,)]", spec(1, kwargs={"b": 2}), [1, (2,)]),
        ("def f(xs): xs.sort()", spec([3, 1], mutated=0), [1, 3]),
        ("class Solution:\n def f(self, x): return x", spec(5), 5),
        ("class Solution:\n def f(self, x): return x", spec(5, function="Solution().f"), 5),
        ("class Solution:\n @staticmethod\n def f(x): return x", spec(5, function="Solution.f"), 5),
        ("def f(xs: List[int]) -> Optional[int]: return Counter(xs)[1] + gcd(4, 6)", spec([1, 1]), 4),
        ("def deque(x): return x\ndef f(x): return deque(x)", spec(5), 5),  # its own name wins over the prelude's
        ("def f(x): return x\nif __name__ == '__main__': f = input()", spec(1), 1),
        ("print('noise')\ndef f(x):\n print('more')\n return x", spec(1), 1),
        ("import threading\ndef f(x):\n threading.Thread(target=lambda: None).start()\n return x", spec(1), 1),
        ("import collections\nassert collections.abc and __name__ == 'solution'\nf = len", spec("abc"), 3),
    ],
)
def test_value_comes_out(boxes: Boxes, source: str, case: Mapping[str, object], value: object) -> None:
    code, data = boxes.call(source, case)
    assert (code, data[-1:]) == (0, b"\n")
    assert repr(plain.loads(data)) == repr(value)


@pytest.mark.parametrize(
    ("source", "exit_code"),
    [
        ("def g(x): return x", 1),
        ("f = 3", 1),
        ("def f(x): raise ValueError(x)", 1),
        ("raise SystemExit(0)\ndef f(x): return x", 0),
        ("import os\ndef f(x): os._exit(0)", 0),
        ("import sys\ndef f(x): sys.exit(3)", 3),
        ("import os\ndef f(x):\n if os.fork() == 0: return x\n os._exit(0)", 0),
    ],
)
def test_nothing_comes_out_without_a_returned_value(boxes: Boxes, source: str, exit_code: int) -> None:
    assert boxes.call(source, spec(1)) == (exit_code, b"")


def test_forked_copy_of_the_program_does_not_write_a_second_value(boxes: Boxes) -> None:
    source = "import os\ndef f(x):\n pid = os.fork()\n if pid: os.waitpid(pid, 0)\n return 'parent' if pid else 'child'"
    assert boxes.call(source, spec(1)) == (0, b'"parent"\n')


def test_megabytes_come_out(boxes: Boxes) -> None:
    code, data = boxes.call("def f(n): return list(range(n))", spec(300_000))
    assert code == 0
    assert plain.loads(data) == list(range(300_000))


LIST = "def f(x): return x"
TAIL = "def f(x: Optional[ListNode]) -> Optional[ListNode]: return x and x.next"
PAIR = "class Solution:\n def f(self, a, b):\n  n = ListNode(a.val, ListNode(b.val))\n  return n"
OWN = "class ListNode:\n def __init__(self, x):\n  self.val, self.next, self.own = x, None, 1\ndef f(x): return ListNode(x.own)"
MIRROR = """
def f(root: Optional[TreeNode]) -> Optional[TreeNode]:
    return root and TreeNode(root.val, f(root.right), f(root.left))
"""


def nodes(*args: object, of: object, to: str | None, **more: object) -> Mapping[str, object]:
    return {**spec(*args), "arg_types": of, "return_type": to, **more}


@pytest.mark.parametrize(
    ("source", "case", "value"),
    [
        (LIST, nodes([1, 2, 3], of=["ListNode"], to="ListNode"), [1, 2, 3]),
        (LIST, nodes([], of=["ListNode"], to="ListNode"), []),
        (LIST, nodes(None, of=["ListNode"], to="ListNode"), []),
        (LIST, nodes([1], of=[None], to=None), [1]),
        (TAIL, nodes([1, 2, 3], of=["ListNode"], to="ListNode"), [2, 3]),
        (TAIL, nodes([1], of=["ListNode"], to="ListNode"), []),
        (PAIR, nodes([1], [2], of=["ListNode", "ListNode"], to="ListNode"), [1, 2]),
        (OWN, nodes([5], of=["ListNode"], to="ListNode"), [1]),
        (LIST, nodes([[1, 2], [], [3]], of=["list[ListNode]"], to="list[ListNode]"), [[1, 2], [], [3]]),
        ("def f(x, n): return x.next.val + n", nodes([1, 2], 3, of=["ListNode", None], to=None), 5),
        ("def f(x): x.next = x.next.next", nodes([1, 2, 3], of=["ListNode"], to=None, mutated=0), [1, 3]),
        ("def f(): return ListNode(1)", nodes(of=[], to="ListNode"), [1]),
        ("ListNode = None\ndef f(x): return x", nodes([1, 2], of=["ListNode"], to="ListNode"), [1, 2]),
        ("def f(x): return type(x).__module__", nodes([1], of=["ListNode"], to=None), "solution"),
        (LIST, nodes([1, None, 2, 3], of=["TreeNode"], to="TreeNode"), [1, None, 2, 3]),
        (LIST, nodes([1, 2, 3, None, None], of=["TreeNode"], to="TreeNode"), [1, 2, 3]),
        (LIST, nodes([], of=["TreeNode"], to="TreeNode"), []),
        (LIST, nodes([None], of=["TreeNode"], to="TreeNode"), []),
        (MIRROR, nodes([1, 2, 3, None, 4], of=["TreeNode"], to="TreeNode"), [1, 3, 2, None, None, 4]),
        ("def f():\n t = TreeNode(1)\n return TreeNode(0, t, t)", nodes(of=[], to="TreeNode"), [0, 1, 1]),
        ("def f(): return [TreeNode(1), None]", nodes(of=[], to="list[TreeNode]"), [[1], []]),
        ("def f(x): return x.left.right.val", nodes([1, 2, 3, None, 4], of=["TreeNode"], to=None), 4),
    ],
)
def test_declared_nodes_are_built_and_read_back(
    boxes: Boxes, source: str, case: Mapping[str, object], value: object
) -> None:
    code, data = boxes.call(source, case)
    assert (code, data[-1:]) == (0, b"\n")
    assert plain.loads(data) == value


@pytest.mark.parametrize(
    ("source", "case"),
    [
        ("def f(x):\n x.next = x\n return x", nodes([1], of=["ListNode"], to="ListNode")),
        ("def f(x):\n x.left.left = x\n return x", nodes([1, 2], of=["TreeNode"], to="TreeNode")),
        ("def f(x): return [1]", nodes([1], of=["ListNode"], to="ListNode")),
        ("def f(x): return 1", nodes([1], of=["TreeNode"], to="TreeNode")),
        ("def f(x): return x", nodes([1], of=["ListNode"], to="list[ListNode]")),
        ("class ListNode: pass\ndef f(x): return x", nodes([1], of=["ListNode"], to="ListNode")),
    ],
)
def test_what_is_no_list_or_tree_is_the_program_s_error(boxes: Boxes, source: str, case: Mapping[str, object]) -> None:
    assert boxes.call(source, case) == (1, b"")


@pytest.mark.parametrize("declared", ["ListNode", "TreeNode"])
def test_long_lists_and_deep_trees_come_out(boxes: Boxes, declared: str) -> None:
    values = (
        [value for number in range(100_000) for value in (number, None)][:-1]
        if declared == "TreeNode"
        else [0] * 100_000
    )
    code, data = boxes.call(LIST, nodes(values, of=[declared], to=declared))
    assert code == 0
    assert plain.loads(data) == values


def test_no_class_is_offered_where_no_node_is_declared(boxes: Boxes) -> None:
    assert boxes.call("def f(x): return 'ListNode' in globals()", nodes([1], of=[None], to=None)) == (0, b"false\n")


NUMPY_PYTHON = "/usr/bin/python3"


@pytest.fixture(scope="module")
def numpy_boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Boxes, str]]:
    """Boxes of the distribution's interpreter, and a program's first line that finds its numpy."""
    where = "import numpy, os; print(os.path.dirname(os.path.dirname(numpy.__file__)))"
    if not os.path.exists(NUMPY_PYTHON):
        pytest.skip("no python3 of the distribution")
    found = subprocess.run([NUMPY_PYTHON, "-c", where], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip("the distribution's python3 has no numpy")
    with boxes_in(str(tmp_path_factory.mktemp("numpy")), NUMPY_PYTHON) as leased:
        yield leased, f"import sys; sys.path.append({found.stdout.strip()!r}); import numpy as np\n"


@pytest.mark.parametrize(
    ("returned", "value"),
    [
        ("np.int64(3)", 3),
        ("np.uint8(250)", 250),
        ("np.float64(0.1)", 0.1),
        ("np.float32(0.5)", 0.5),
        ("np.bool_(True)", True),
        ("np.str_('a')", "a"),
        ("np.bytes_(b'a')", b"a"),
        ("np.complex128(1j)", 1j),
        ("np.float64('inf')", float("inf")),
        ("np.arange(3)", [0, 1, 2]),
        ("np.array(5)", 5),
        ("np.array([[1.5, 2], [3, 4]])", [[1.5, 2.0], [3.0, 4.0]]),
        ("np.array(['a', 'b'])", ["a", "b"]),
        ("np.array([1, 'a', None], dtype=object)", [1, "a", None]),
        ("np.matrix([[1, 2]])", [[1, 2]]),
        ("[np.int64(1), (np.float64(2.0),)]", [1, (2.0,)]),
        ("{np.int64(1): np.array([2])}", {1: [2]}),
        ("{np.int64(1), np.int64(2)}", {1, 2}),
        ("[np.array([1]), np.array([])]", [[1], []]),
    ],
)
def test_numpy_s_numbers_and_arrays_are_plain(numpy_boxes: tuple[Boxes, str], returned: str, value: object) -> None:
    boxes, start = numpy_boxes
    code, data = boxes.call(f"{start}def f(): return {returned}", spec())
    assert code == 0
    assert repr(plain.loads(data)) == repr(value)


@pytest.mark.parametrize("returned", ["np.array([object()])", "np.longdouble(1)", "np.datetime64('2020-01-01')", "np"])
def test_numpy_s_other_values_equal_nothing(numpy_boxes: tuple[Boxes, str], returned: str) -> None:
    boxes, start = numpy_boxes
    code, data = boxes.call(f"{start}def f(): return {returned}", spec())
    assert code == 0
    assert b"$opaque" in data


def test_harness_imports_next_to_nothing(boxes: Boxes) -> None:
    loaded = set(boxes.loaded())
    assert loaded.isdisjoint({
        "json",
        "re",
        "typing",
        "collections",
        "enum",
        "struct",
        "functools",
        "dataclasses",
        "types",
    })
