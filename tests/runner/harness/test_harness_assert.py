"""Assert cases in two boxes: honest programs pass whatever crosses between them, wrong ones fail, liars gain nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from runner.harness.harness_boxes import Boxes, boxes_in, outcome

from scalebox.core.report import Outcome, parse_report


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boxes]:
    with boxes_in(str(tmp_path_factory.mktemp("work"))) as leased:
        yield leased


PROGRAM = """
import math
from collections import Counter, namedtuple
class Odd(ValueError):
    def __init__(self, message, code=3):
        super().__init__(message)
        self.code = code
class Point:
    scale = 2
    def __init__(self, x): self.x = x
    def times(self, k=1): return self.x * k
    def __add__(self, other): return Point(self.x + other.x)
    def __len__(self): return self.x
    def __iter__(self): return iter([self.x])
    def __getitem__(self, key): return key
class Pile(list):
    def top(self): return self[-1]
Pair = namedtuple("Pair", "x y")
PRIMES = [2, 3, (5,)]
def order(xs):
    xs.sort()
    return xs
def fail(x): raise Odd("odd " + str(x))
def apply(g, xs): return [g(x) for x in xs]
def count():
    n = 0
    while True:
        yield n
        n += 1
def tally(s): return Counter(s)
async def later(x): return x + 1
def total(node):
    s = 0
    while node: s, node = s + node.value, node.next
    return s
def adder(n): return lambda x: x + n
def drain(items): return list(items)
def swap(rows): rows[0], rows[1] = rows[1], rows[0]
def kind(x): return type(x).__name__
def pair(): return Pair(1, 2)
def put(d): d["b"] = 2
def add(a, b): return a + b
"""


@pytest.mark.parametrize(
    "code",
    [
        "xs = [3, 1]\nassert order(xs) is xs and xs == [1, 3]",
        "from collections import OrderedDict, deque\nd = OrderedDict(a=1)\nput(d)\nassert list(d) == ['a', 'b']",
        "rows = [[1], [2]]\nfirst = rows[0]\nswap(rows)\nassert rows == [[2], [1]] and rows[1] is first",
        "try:\n    fail(1)\nexcept Odd as e:\n    assert (e.code, str(e)) == (3, 'odd 1')\nelse:\n    assert False",
        "try:\n    fail(1)\nexcept ValueError:\n    pass\nelse:\n    assert False",
        "try:\n    add(1, '')\nexcept TypeError:\n    pass\nelse:\n    assert False",
        "assert apply(lambda x: 2 * x, [1, 2]) == [2, 4]",
        "assert apply(len, ['a', 'bb']) == [1, 2] and apply(math.floor, [1.5]) == [1]",
        "def nest(n):\n    return 0 if n == 0 else apply(lambda x: nest(n - 1) + x, [1])[0]\nassert nest(20) == 20",
        "class Mine(Exception): pass\ndef bad(x): raise Mine(x)\ntry:\n    apply(bad, [1])\nexcept Mine as e:\n    assert e.args == (1,)",
        "import itertools\nassert list(itertools.islice(count(), 1000)) == list(range(1000))",
        "p = Point(3)\nassert p.times() == 3 and p.times(k=2) == 6\np.x = 5\nassert p.times() == 5 and Point.scale == 2",
        "p = Point(3)\nassert len(p) == 3 and list(p) == [3] and p['k'] == 'k' and 3 in p and (p + Point(1)).x == 4",
        "p = Point(3)\nassert isinstance(p, Point) and not isinstance(3, Point) and p == p and p != Point(3)",
        "pile = Pile([1, 2])\npile.append(3)\nassert pile.top() == 3 and len(pile) == 3",
        "assert pair() == (1, 2) and pair().y == 2",
        "assert tally('aab') == Counter('aab') and type(tally('')) is Counter",
        "assert type(order([1])) is list and kind((1,)) == 'tuple' and kind({1: 2}.keys()) == 'dict_keys'",
        "assert PRIMES == [2, 3, (5,)] and adder(2)(3) == 5",
        "import asyncio\nassert asyncio.run(later(1)) == 2",
        "class Node:\n    def __init__(self, value, next=None): self.value, self.next = value, next\nassert total(Node(1, Node(2))) == 3",
        "assert drain(x for x in [1, 2]) == [1, 2] and drain(map(str, [1])) == ['1']",
        "from solution import add as plus\nassert plus(1, 2) == 3",
        "import solution\nassert solution.add(1, 2) == 3 and not hasattr(solution, 'sub')",
        "from solution import *\nassert add(1, 2) == 3",
        "class Holder:\n    value = add(1, 2)\n    both = [add(x, x) for x in PRIMES[:2]]\nassert (Holder.value, Holder.both) == (3, [4, 6])",
        "assert add.__name__ == 'add' and add.__doc__ is None",
        "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(add(1, 2), 3)\nunittest.main()",
        "if __name__ == '__main__':\n    assert math.isclose(add(0.1, 0.2), 0.3) and gcd(add(2, 2), 6) == 2",
        "try:\n    input()\nexcept EOFError:\n    assert add(1, 1) == 2",
        "import copy\np = copy.deepcopy(Point(3))\nassert p.x == 3",
    ],
)
def test_honest_program_passes_hardened(boxes: Boxes, code: str) -> None:
    assert boxes.two_boxes(PROGRAM, {"code": code, "style": "bare"}).message == ""
    assert outcome(boxes, PROGRAM, code) is Outcome.PASSED


@pytest.mark.parametrize(
    ("code", "style", "entry_point", "due"),
    [
        ("assert add(1, 2) == 4", "bare", None, Outcome.FAILED),
        ("assert sub(1, 2) == 4", "bare", None, Outcome.FAILED),
        ("fail(1)", "bare", None, Outcome.RAISED),
        ("def check(candidate):\n    assert candidate(1, 2) == 3", "check", "add", Outcome.PASSED),
        ("def check(candidate):\n    assert candidate(1) == 1", "check", "Point(1).times", Outcome.RAISED),
        ("def check(candidate):\n    assert candidate(1, 2) == 3", "check", "sub", Outcome.RAISED),
        ("def check(candidate):\n    assert candidate(1, 2) == 3", "check", None, Outcome.BROKEN_TEST),
        ("def verify(candidate):\n    assert candidate(1, 2) == 3", "check", "add", Outcome.BROKEN_TEST),
        ("assert add(1, 2 == 3", "bare", None, Outcome.BROKEN_TEST),
        ("def verify():\n    assert add(1, 2) == 4", "bare", None, Outcome.BROKEN_TEST),  # never uses the program
        ("def verify():\n    assert len([add(1, 2)]) == 2", "bare", None, Outcome.BROKEN_TEST),
        ("import no_such_module\nassert add(1, 2) == 3", "bare", None, Outcome.BROKEN_TEST),
        ("class Sub(Point): pass", "bare", None, Outcome.UNSUPPORTED),
        ("from solution import Point as P\nclass Sub(P): pass", "bare", None, Outcome.UNSUPPORTED),
        ("import io\nadd(io.StringIO(), 1)", "bare", None, Outcome.RAISED),
        (
            "from unittest.mock import Mock, patch\nwith patch('time.time', return_value=5):\n    add(1, 2)",
            "bare",
            None,
            Outcome.UNSUPPORTED,
        ),
        ("import solution\nclass Sub(solution.Point): pass", "bare", None, Outcome.UNSUPPORTED),
        ("import sys\nclass C: pass\nadd(C, 1)", "bare", None, Outcome.UNSUPPORTED),
        ("class E(Exception): pass\nadd(E(), 1)", "bare", None, Outcome.UNSUPPORTED),
        ("import os\nos.environ['A'] = ''\ndef verify(candidate): pass", "check", "add", Outcome.BROKEN_TEST),
        ("class C: pass\ntry:\n    add(C, 1)\nexcept BaseException:\n    pass", "bare", None, Outcome.UNSUPPORTED),
        (
            "import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()):\n    add(1, 2)",
            "bare",
            None,
            Outcome.UNSUPPORTED,
        ),
        ("with open('t.csv', 'w') as file:\n    file.write('1')\nadd(1, 2)", "bare", None, Outcome.UNSUPPORTED),
        ("import tempfile\nadd(1, len(tempfile.gettempdir()))", "bare", None, Outcome.UNSUPPORTED),
        ("import random\nrandom.seed(1)\nadd(1, 2)", "bare", None, Outcome.UNSUPPORTED),
        ("import warnings\nwith warnings.catch_warnings():\n    add(1, 2)", "bare", None, Outcome.UNSUPPORTED),
        ("import doctest\ndoctest.testmod()", "bare", None, Outcome.UNSUPPORTED),
        ("PRIMES[0]=3\nadd(1, 2)", "bare", None, Outcome.UNSUPPORTED),
        ("import solution\nsolution.PRIMES.append(3)", "bare", None, Outcome.UNSUPPORTED),
        ("p = Point(1)\np.x.append(3)", "bare", None, Outcome.UNSUPPORTED),
        ("p = Point(1)\ndel p.x[0]", "bare", None, Outcome.UNSUPPORTED),
        ("from solution import Point\nPoint.add(1)", "bare", None, Outcome.RAISED),
        ("import solution\nsolution.Point.remove(1)", "bare", None, Outcome.RAISED),
        ("p = [Point(1)]\np[0] = add(1, 2)\np.append(1)\nassert p == [3, 1]", "bare", None, Outcome.PASSED),
        ("add(1, 2)\nraise SystemExit(1)", "bare", None, Outcome.FAILED),
        (
            "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(add(1, 2), 4)\n"
            "unittest.main(argv=['x'], exit=False)",
            "bare",
            None,
            Outcome.FAILED,
        ),
    ],
)
def test_ends_of_test_code_are_told_apart(
    boxes: Boxes, code: str, style: str, entry_point: str | None, due: Outcome
) -> None:
    assert outcome(boxes, PROGRAM, code, style, entry_point) is due


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos._exit(0)",
        "raise SystemExit(0)",
        "raise ValueError",
        "import os\ndef f(x): os._exit(0)",
        "import os, threading\nthreading.Timer(0.05, os._exit, [0]).start()\ndef f(x):\n while True: pass",
        "import os\nfor fd in range(3, 20):\n try: os.write(fd, b'\\xff' * 64)\n except OSError: pass\ndef f(x): return 2",
        "import os\nfor fd in range(3, 20):\n try: os.write(fd, b'\\0\\0\\0\\x01[')\n except OSError: pass\ndef f(x): return 2",
        "import os\ndef f(x):\n for fd in range(3, 20):\n  try: os.close(fd)\n  except OSError: pass",
        "import os\ndef f(x):\n for fd in range(3, 20):\n"
        "  try: os.write(fd, b'\\0\\0\\0\\x12[\"=\",2,[[9,[]]],null]')\n  except OSError: pass\n return 2",
    ],
)
def test_program_that_ends_or_breaks_the_protocol_is_dead(boxes: Boxes, source: str) -> None:
    code = "try:\n    assert f(1) == 2\nexcept BaseException:\n    pass"  # test code that catches everything
    assert outcome(boxes, source, code) is Outcome.PROGRAM_DIED


LIAR = """
class Liar:
    def yes(self, *args): return True
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = yes
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    def __sub__(self, other): return 0.0
    __rsub__ = __add__ = __sub__
    def __len__(self): return 1
"""


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (LIAR + "def f(x): return Liar()", "assert f(1) == 3"),
        (LIAR + "def f(x): return Liar()", "assert not f(1) != 3"),
        (LIAR + "def f(x): return Liar()", "assert 3 == f(1)"),
        (LIAR + "def f(x): return Liar()", "assert f(1) < 5"),
        (LIAR + "def f(x): return Liar()", "assert abs(f(1) - 3.0) < 1e-6"),
        (LIAR + "def f(x): return Liar()", "assert 3 in f(1)"),
        (LIAR + "def f(x): return [Liar()]", "assert f(1) == [3]"),
        (LIAR + "def f(x): return Liar()", "assert {f(1)} == {3}"),
        (LIAR + "f = Liar", "assert f() == 3"),
        (
            "class S(str):\n def __eq__(self, o): return True\n __hash__ = str.__hash__\ndef f(x): return S()",
            "assert f(1) == 'a'",
        ),
        ("from unittest.mock import ANY\ndef f(x): return ANY", "assert f(1) == 3"),
        ("import builtins\nbuiltins.abs = lambda x: 0\ndef f(x): return 0", "assert abs(f(1) - 3) < 1e-6"),
        ("def f(x): return 0\ndef abs(x): return 0", "assert abs(f(1) - 3) < 1e-6"),
        ("def abs(x): return 0", "assert abs(f(1) - 3) < 1e-6"),
        ("def f(x): return 0\ndef all(x): return True", "assert all(f(x) == 3 for x in [1])"),
        ("class M:\n isclose = lambda *a: True\nmath = M()\ndef f(x): return 0", "assert math.isclose(f(1), 3)"),
        ("import sys\nsys.modules['math'] = None\ndef f(x): return 0", "import math\nassert math.sqrt(f(1)) == 3"),
        ("def check(c): pass\ndef f(x): return 0", "def check(candidate):\n    assert candidate(1) == 3"),
        ("def f(x): raise StopIteration", "for value, answer in zip(map(f, [1]), [3]):\n    assert value == answer"),
        ("def f(x): raise SystemExit(0)", "assert f(1) == 3"),
        ("def f(x): raise KeyboardInterrupt", "assert f(1) == 3"),
        ("def f(x): raise GeneratorExit", "assert f(1) == 3"),
        (
            "import unittest\ndef f(x): raise unittest.SkipTest",
            "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 3)\nunittest.main()",
        ),
        (
            "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef f(x): return 0",
            "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(1), 3)\nunittest.main()",
        ),
        (
            "class G:\n def __enter__(self): return self\n def __exit__(self, *a): return True\ndef f(x): return G()",
            "with f(1) as g:\n    assert g == 3",
        ),
        ("f = eval", "assert f('__import__(\"os\")._exit(0)') == 3"),
        ("def f(g):\n try: return g.__globals__\n except AttributeError: return 0", "assert f(lambda: 0) == 3"),
        ("class E(AssertionError): pass\ndef f(x): raise E", "assert f(1) == 3"),
    ],
)
def test_liar_does_not_pass(boxes: Boxes, source: str, code: str) -> None:
    style = "check" if "def check(candidate)" in code else "bare"
    got = outcome(boxes, source, code, style, "f" if style == "check" else None)
    assert got in {Outcome.FAILED, Outcome.RAISED, Outcome.PROGRAM_DIED}


def test_shadowed_builtin_is_the_programs_where_nothing_else_can_be_meant(boxes: Boxes) -> None:
    source = "def sum(a, b): return a * b"
    assert outcome(boxes, source, "assert sum(10, 15) == 150") is Outcome.PASSED
    assert outcome(boxes, source, "assert set([sum(10, 15)]) == {150}") is Outcome.PASSED
    assert outcome(boxes, source, "assert sum(10, 15) == 150", entry_point="sum") is Outcome.PASSED
    assert outcome(boxes, f"{source}\ndef f(x): return 0", "assert sum([f(1), 3]) == 3") is Outcome.PASSED


def test_program_cannot_choose_the_fallback(boxes: Boxes) -> None:
    source = "class f:\n def __init__(self, x): self.g = lambda: self\n def __len__(self): return 0"
    code = (
        "a = f(1)\nb = a.g()\nassert a is b\nf([a, b, {'k': a}])\nf(type(a.g)) if False else None\nassert f(2).g() == 3"
    )
    assert outcome(boxes, source, code) is Outcome.FAILED


def test_setup_runs_first(boxes: Boxes) -> None:
    spec = {"code": "assert add(x, 1) == 3", "style": "bare", "setup": "x = add(1, 1)"}
    assert boxes.two_boxes(PROGRAM, spec).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("source", "code", "due"),
    [
        (PROGRAM, "class Sub(Point): pass\nassert Sub(1).x == 1", Outcome.PASSED),
        (PROGRAM, "class Sub(Point): pass\nassert Sub(1).x == 2", Outcome.FAILED),
        (PROGRAM, "def check(candidate):\n    assert candidate(1, 2) == 3", Outcome.PASSED),
        (PROGRAM, "def verify(candidate): pass", Outcome.BROKEN_TEST),
        (PROGRAM, "import os\nos._exit(0)", None),
        ("raise SystemExit(0)", "pass", None),
    ],
)
def test_one_box_proves_completion(boxes: Boxes, source: str, code: str, due: Outcome | None) -> None:
    style = "check" if "candidate" in code else "bare"
    _, data = boxes.one_box(source, {"code": code, "style": style, "entry_point": "add"})
    assert (parse_report(data).outcome if data else None) is due


CLASS = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(add(1, 2), {})\n"
GUARD = "if __name__ == '__main__':\n    unittest.main()\n"
SKIPS = "import unittest\ndef add(a, b):\n    raise unittest.SkipTest\n"
LEFT: Final = {
    "a class": (PROGRAM, CLASS.format(3), Outcome.PASSED),
    "a class that fails": (PROGRAM, CLASS.format(4), Outcome.FAILED),
    "a class that is run": (PROGRAM, CLASS.format(3) + GUARD, Outcome.PASSED),
    "a class that is run and fails": (PROGRAM, CLASS.format(4) + GUARD, Outcome.FAILED),
    "a class that is run by its line": (PROGRAM, CLASS.format(4) + "unittest.main()", Outcome.FAILED),
    "a class that the program has skipped": (SKIPS, CLASS.format(3), Outcome.FAILED),
    "a class that the text skips in part": (
        PROGRAM,
        CLASS.format(3) + "    @unittest.skip('')\n    def test_more(self): add()\n",
        Outcome.PASSED,
    ),
    "a class that the text skips": (
        PROGRAM,
        CLASS.format(3).replace("    def test", "    @unittest.skip('')\n    def test"),
        Outcome.BROKEN_TEST,
    ),
    "a class without tests": (PROGRAM, CLASS.format(3).replace("test(", "verify("), Outcome.BROKEN_TEST),
    "a function": (PROGRAM, "def test_add():\n    assert add(1, 2) == 3", Outcome.PASSED),
    "a function that fails": (PROGRAM, "def test_add():\n    assert add(1, 2) == 4", Outcome.FAILED),
    "one of two": (
        PROGRAM,
        "def test_a():\n    assert add(1, 2) == 3\ndef test_b():\n    assert add(1, 2) == 4",
        Outcome.FAILED,
    ),
    "a coroutine": (PROGRAM, "async def test_add():\n    assert add(1, 2) == 4", Outcome.FAILED),
    "a function that is called": (
        PROGRAM,
        "calls = []\ndef test_add():\n    calls.append(add(1, 2))\ntest_add()\nimport atexit\natexit.register(lambda: None)\nassert calls == [3]",
        Outcome.PASSED,
    ),
    "a function under a condition": (
        PROGRAM,
        "if True:\n    def test_add():\n        assert add(1, 2) == 4",
        Outcome.FAILED,
    ),
    "a generator": (PROGRAM, "add(1, 1)\ndef test_add():\n    yield\n    assert add(1, 2) == 4", Outcome.FAILED),
    "a function that is called by its name": (
        PROGRAM,
        "import sys\ncalls = []\ndef test_add():\n    calls.append(add(1, 2))\ngetattr(sys.modules[__name__], 'test_add')()\nassert calls == [3]\n"
        "def test_calls():\n    assert calls == [3]",
        Outcome.PASSED,
    ),
    "an exit after tests that passed": (
        "def add(a, b):\n    if a != 1:\n        raise SystemExit\n    return a + b\n",
        CLASS.format(3) + "unittest.main(exit=False)\nassert add(2, 2) == 4",
        None,
    ),
    "functions that are found": (
        PROGRAM,
        "calls = []\ndef test_add():\n    assert not calls and add(1, 2) == 3\n    calls.append(1)\n"
        "for name, value in list(globals().items()):\n    if name.startswith('test'):\n        value()",
        Outcome.PASSED,
    ),
}
"""Test code that leaves its tests to a framework, or runs them, and what comes of it."""


@pytest.mark.parametrize(("source", "code", "due"), LEFT.values(), ids=LEFT)
def test_tests_that_are_only_defined_are_run(boxes: Boxes, source: str, code: str, due: Outcome | None) -> None:
    two = outcome(boxes, source, code)
    _, data = boxes.one_box(source, {"code": code, "style": "append", "entry_point": None})
    one = parse_report(data).outcome
    if due is None:
        assert Outcome.PASSED not in {one, two}
    else:
        assert (two, one) == (due, due)
