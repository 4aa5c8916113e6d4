"""Objects of the program in test code of another box: they compare, hash, combine and manage contexts as in one interpreter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from runner.harness.harness_boxes import Boxes, boxes_in, outcome

from scalebox.core.report import Outcome


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boxes]:
    with boxes_in(str(tmp_path_factory.mktemp("work"))) as leased:
        yield leased


VECTOR = """
class V:
    def __init__(self, x, y=0): self.x, self.y = x, y
    def __eq__(self, o): return isinstance(o, V) and (self.x, self.y) == (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))
    def __add__(self, o): return V(self.x + o.x, self.y + o.y)
    def __iadd__(self, o): self.x += o.x; return self
    def __mul__(self, k): return V(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __lt__(self, o): return (self.x, self.y) < (o.x, o.y)
    def __contains__(self, k): return k in (self.x, self.y)
    def __repr__(self): return f"V({self.x}, {self.y})"
    def __format__(self, spec): return "fmt" + spec
    def __round__(self, digits=0): return self.x
    def __index__(self): return self.x
    def __invert__(self): return V(-self.x, -self.y)
def norm(v): return v
"""


@pytest.mark.parametrize(
    "code",
    [
        "assert V(1, 2) + V(3, 4) == V(4, 6) and V(1) != V(2) and [V(1)] == [V(1)]",
        "assert repr(V(1, 2) * 3) == 'V(3, 6)' and repr(3 * V(1, 2)) == 'V(3, 6)'",
        "assert V(1, 2) < V(3, 4) and [v.x for v in sorted([V(3), V(1)])] == [1, 3]",
        "assert {V(1, 2): 5}[V(1, 2)] == 5 and len({V(1, 2), V(1, 2)}) == 1",
        "assert 2 in V(1, 2) and 5 not in V(1, 2)",
        "v = V(1, 2)\nassert 2 in v and 'x' in str('xy') and 3 not in [1, 2]",
        "import unittest\nclass T(unittest.TestCase):\n    def setUp(self): self.v = V(1, 2)\n"
        "    def test(self): self.assertIn(2, self.v); self.assertEqual(self.v, V(1, 2))\nunittest.main()",
        "v = w = V(1)\nv += V(2)\nassert v.x == 3 and w is v",
        "assert f'{V(1)}' == 'fmt' and f'{V(1):>3}' == 'fmt>3'",
        "assert round(V(3)) == 3 and [0, 1, 2][V(1)] == 1 and (~V(1)).x == -1",
        "assert type(V(1)) is V and type(V(1)).__name__ == 'V' and type(3) is int and type(norm(V(1))) == V",
        "assert V(1) != 3 and not V(1) == 'a' and V(1) is not None",
    ],
)
def test_operators_are_the_programs_between_its_own(boxes: Boxes, code: str) -> None:
    assert boxes.two_boxes(VECTOR, {"code": code, "style": "bare"}).message == ""
    assert outcome(boxes, VECTOR, code) is Outcome.PASSED


SUPPRESSOR = (
    "class C:\n def __enter__(s): return s\n def __exit__(s, t, v, tb): s.t = t; return True\ndef f(): return C()"
)
AGEN = "async def f():\n try:\n  yield 1\n  yield 2\n finally:\n  pass"
ASYNC = "class A:\n async def __aenter__(s): return 5\n async def __aexit__(s, *a): pass"
TRIE = (
    "class T:\n def __init__(s): s.d = set()\n def insert(s, w): s.d.add(w)\n def __contains__(s, w): return w in s.d"
)
MEMO = """
import functools
def memo(f):
    known = {}
    @functools.wraps(f)
    def g(*a):
        if a not in known: known[a] = f(*a)
        return known[a]
    return g
"""
STACK = "class S(list):\n def push(s, x): s.append(x)"
GROUP = "def f(): raise ExceptionGroup('m', [ValueError(1), KeyError('k')])"


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (TRIE, "t = T()\nt.insert('a')\nassert 'a' in t\nassert 'b' not in t"),
        (SUPPRESSOR, "c = C()\nwith c:\n    raise ValueError('x')\nassert c.t is ValueError"),
        (
            ASYNC,
            "import asyncio\nasync def m():\n    async with A() as v:\n        return v\nassert asyncio.run(m()) == 5",
        ),
        (AGEN, "import asyncio\nasync def m(): return [x async for x in f()]\nassert asyncio.run(m()) == [1, 2]"),
        (
            MEMO,
            "@memo\ndef h(x):\n    'text'\n    return x * 2\nassert h(2) == 4 and h.__name__ == 'h' and h.__doc__ == 'text'",
        ),
        (STACK, "s = S()\ns.push(1)\nassert s == [1] and s != [2] and len(s) == 1"),
        (
            GROUP,
            "try:\n    f()\nexcept ExceptionGroup as e:\n    assert (e.message, len(e.exceptions)) == ('m', 2)\nelse:\n    assert 0",
        ),
        (
            GROUP,
            "try:\n    f()\nexcept* ValueError as e:\n    assert e.exceptions[0].args == (1,)\nexcept* KeyError:\n    pass",
        ),
        (
            "class G(ExceptionGroup): pass\ndef f(): raise G('m', [ValueError(1)])",
            "try: f()\nexcept G as e: assert e.message == 'm'",
        ),
        (
            "def f(x): return ValueError(x)",
            "e = f('a')\nassert isinstance(e, ValueError) and str(e) == 'a' and e.args == ('a',)",
        ),
        (
            "E = ValueError('a')\ndef f(): raise E\ndef same(e): return e is E",
            "try: f()\nexcept ValueError as e: assert same(e)",
        ),
        ("def f(e): return str(e)", "assert f(ValueError('a')) == 'a'"),
        ("class Odd(Exception): pass\ndef f(e): return type(e) is Odd", "assert f(Odd('a'))"),
        (
            "async def c(): return 3\ndef f(): return c()\nimport asyncio\ndef g(x): return asyncio.run(x)",
            "assert g(f()) == 3",
        ),
        (
            "import math\ndef f(): return math\ndef g(m): return m.floor(1.5)",
            "import math\nassert g(f()) == 1 and g(math) == 1",
        ),
        ("def f(file): return file.read() + str(list(file))", "import io\nassert f(io.StringIO('ab')) == 'ab[]'"),
        ("def f(r, s): return r.sub('x', s)", "import re\nassert f(re.compile('a+'), 'baab') == 'bxb'"),
        ("import uuid\ndef f(): return uuid.UUID(int=5)", "import uuid\nassert f() == uuid.UUID(int=5)"),
        (
            "class H:\n def __init__(s, x): s.x = x\ndef f(h): return h",
            "h = H(1)\nassert f(h) is h and [h] == [f(h)] and h == h",
        ),
        (
            "class M(str):\n def shout(s): return s.upper()\ndef f(): return M('a')\ndef g(m): return type(m) is M",
            "import copy\nm = f()\nassert m == 'a' and m.shout() == 'A' and isinstance(m, M) and isinstance(m, str) and g(m)\n"
            "assert copy.deepcopy(m) == 'a' and m + 'b' == 'ab' and {m: 1}['a'] == 1 and not hasattr(m, 'x')",
        ),
        (
            "from enum import IntEnum\nclass C(IntEnum):\n R = 1\ndef f(): return C.R",
            "assert f() == 1 and f() is C.R and f().name == 'R' and [c.name for c in C] == ['R'] and f() + 1 == 2",
        ),
        # a prelude name that is what the test is about is the program's
        ("def lcm(a, b): return -1", "assert lcm(4, 6) == -1"),
        ("class Counter:\n def inc(s): return 1", "c = Counter()\nassert c.inc() == 1"),
        (
            "def product(xs): return 6\ndef add(a, b): return a + b",
            "assert product([1, 2, 3]) == 6\nassert add(1, 2) == 3",
        ),
        ("def gcd(a, b): return 7\ndef lcm(a, b): return 8", "assert gcd(1, 2) == 7\nassert lcm(1, 2) == 8"),
        ("def f(x): return [x]", "assert Counter(f(1)) == Counter([1])"),
        ("def isqrt(x): return -1", "from solution import isqrt\nassert isqrt(4) == -1"),
        ("import functools\n@functools.cache\ndef mean(x): return 1", "from solution import *\nassert mean((5,)) == 1"),
    ],
)
def test_honest_program_passes_hardened(boxes: Boxes, source: str, code: str) -> None:
    assert boxes.two_boxes(source, {"code": code, "style": "bare"}).message == ""
    assert outcome(boxes, source, code) is Outcome.PASSED


@pytest.mark.parametrize(
    ("source", "code", "due"),
    [
        (VECTOR, "assert V(1) * 1 == 1", Outcome.FAILED),
        (VECTOR, "class C: pass\nfor c in (C, int): norm(c)", Outcome.UNSUPPORTED),
        (VECTOR, "P = namedtuple('P', 'x')\nnorm([P])", Outcome.UNSUPPORTED),
        (VECTOR, "class C(Exception): pass\ntry: norm(type(norm(C)))\nexcept C: pass", Outcome.UNSUPPORTED),
        (VECTOR, "assert V(1) - 1 == 0", Outcome.FAILED),
        (STACK, "assert S([1]) == [2]", Outcome.FAILED),
        (TRIE, "t = T()\nassert 'a' in t", Outcome.FAILED),
        (SUPPRESSOR, "with f() as c:\n    assert c.t == 3", Outcome.RAISED),
        (SUPPRESSOR, "with f() as c:\n    abs(c - 3)", Outcome.FAILED),
        (GROUP, "f()", Outcome.RAISED),
        ("def f(): return 1", "import sys\nassert f() == 1\nsys.exit(0)", Outcome.PASSED),
        ("def f(): return 1", "import sys\nassert f() == 1\nsys.exit(1)", Outcome.FAILED),
        ("def f(): return 1", "import sys\nassert f() == 2\nsys.exit(0)", Outcome.FAILED),
        ("def f(): return 1", "import sys\nif f():\n    sys.exit(0)\nassert f() == 2", Outcome.FAILED),
        ("def f(): raise SystemExit", "import sys\nsys.exit(f())", Outcome.RAISED),
        ("def f(): return 'no_such_module'", "import importlib\nimportlib.import_module(f())", Outcome.FAILED),
        ("def f(): return 1", "assert mean([1]) == 1", Outcome.FAILED),
        ("def f(xs): return 1", "import threading\nassert f(threading.Lock()) == 1", Outcome.PASSED),
        ("def f(xs): return xs.locked()", "import threading\nassert f(threading.Lock()) is False", Outcome.RAISED),
        ("def f(cb):\n try: cb()\n except AssertionError: raise",
         "def cb(): assert 0\ntry: f(cb)\nexcept AssertionError: pass", Outcome.PASSED),
        ("def f(cb):\n try: cb()\n except ValueError: return 1",
         "def cb(): raise ValueError\nassert f(cb) == 1", Outcome.PASSED),
        ("def f(cb):\n try: cb()\n except AssertionError: return 1\ndef g(): assert 0",
         "def cb(): g()\nassert f(cb) == 1", Outcome.PASSED),
    ],
)  # fmt: skip
def test_ends_of_test_code_are_told_apart(boxes: Boxes, source: str, code: str, due: Outcome) -> None:
    assert outcome(boxes, source, code) is due


PROMPT = '''
from math import sqrt as root
LIMIT = 3
WORDS = []

def helper(x):
    """Twice."""
    return 2 * x

def stub(x):
    """To be written."""

class Node:
    def __init__(self, x): self.x = x

def f(x):
    """Asked for."""
'''


@pytest.mark.parametrize(
    ("code", "due"),
    [
        ("assert helper(2) == 4 and LIMIT == 3 and root(4) == 2", Outcome.PASSED),  # the program's are other ones
        ("assert helper(f(2)) == -4", Outcome.PASSED),
        ("assert stub(1) == 'stub' and Node(1).x == 7 and WORDS == ['a']", Outcome.PASSED),  # left to the program
    ],
)
def test_prompt_s_definitions_are_the_problem_s(boxes: Boxes, code: str, due: Outcome) -> None:
    source = (
        "def helper(x): return 0\nLIMIT = 0\ndef root(x): return 0\ndef f(x): return -x\n"
        "def stub(x): return 'stub'\nclass Node:\n    x = 7\n    def __init__(self, x): pass\nWORDS = ['a']"
    )
    spec = {"code": f"{code}\nassert f(1) == -1", "style": "bare", "entry_point": "f", "prompt": PROMPT}
    report = boxes.two_boxes(source, spec)
    assert (report.outcome, report.message) == (due, "")


def test_prompt_that_does_not_parse_or_run_is_told(boxes: Boxes) -> None:
    source = "def f(x): return x\ndef g(x): return x"
    spec = {"code": "assert g(f(1)) == 1", "style": "bare", "entry_point": "f", "prompt": "Write f, please."}
    assert boxes.two_boxes(source, spec).outcome is Outcome.PASSED
    met = {**spec, "prompt": "class P: pass\nX = P(1)\ndef g(x): return x + X\ndef f(x):\n"}
    assert boxes.two_boxes(source + "\ndef P(x): raise ValueError", met).outcome is Outcome.RAISED
    broken = {**spec, "prompt": "X = 1 / 0\ndef g(x): return x + X\ndef f(x):\n"}
    assert boxes.two_boxes(source, broken).outcome is Outcome.BROKEN_TEST
