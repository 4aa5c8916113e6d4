"""Test files of unit-test frameworks, and programs with the verdicts that are due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from scalebox.core.problem import UnitCase
from scalebox.core.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One program under one set of test files."""

    id: str
    files: Mapping[str, str]
    source: str
    verdict: Verdict
    hardened: bool = True
    tests: Mapping[str, str] = field(default_factory=dict)
    """Outcomes that some tests must have."""
    program: str | None = None
    share: float | None = None
    """The score, where the share of the tests that passed counts."""
    reason: str = ""
    """Part of the case's reason."""
    language: str | None = None
    """Of the program, where it is not the framework's first."""

    def case(self, framework: str) -> UnitCase:
        """The case that the row is judged by."""
        partial = self.share is not None
        return UnitCase(name="0", framework=framework, files=self.files, program=self.program, partial=partial)


ADD: Final = """\
import pytest
from solution import add


@pytest.mark.parametrize(("a", "b", "total"), [(2, 3, 5), (4, 5, 9)])
def test_add(a, b, total):
    assert add(a, b) == total


class TestMore:
    def test_negative(self):
        assert add(-1, 1) == 0
"""
OBJECTS: Final = """\
import unittest
import solution
from solution import Stack, Empty
import pytest


@pytest.fixture
def stack():
    made = Stack()
    made.push(1)
    made.push((2, "x"))
    return made


def test_content(stack):
    assert len(stack) == 2 and stack.pop() == (2, "x") and list(stack) == [1]
    assert 1 in stack
    assert type(stack) is Stack and isinstance(stack, solution.Stack)


def test_error(stack):
    with pytest.raises(Empty, match="empty") as caught:
        [stack.pop() for _ in range(3)]
    assert isinstance(caught.value, LookupError)


def test_set():
    solution.LIMIT = 1
    assert solution.full(Stack([7]))


def test_swallows():
    with solution.quiet():
        raise ValueError("for it")


class TestOld(unittest.TestCase):
    def setUp(self):
        self.stack = Stack()

    def test_near(self):
        self.assertAlmostEqual(self.stack.mean([0.1, 0.2]), 0.15)
        assert self.stack.mean([0.1, 0.2]) == pytest.approx(0.15)

    @unittest.expectedFailure
    def test_known_to_fail(self):
        self.assertEqual(self.stack.mean([1]), 2)


async def test_later():
    assert await solution.soon(3) == 3
"""
PATCHES: Final = """\
import solution


def test_set(monkeypatch):
    monkeypatch.setattr(solution.Stack, "__len__", lambda self: 11)
    assert solution.full(solution.Stack([7]))


def test_set_back():
    assert not solution.full(solution.Stack([7]))
"""
STACK: Final = """\
import contextlib
LIMIT = 10
class Empty(LookupError): pass
class Stack:
    def __init__(self, items=()): self.items = list(items)
    def push(self, x): self.items.append(x)
    def pop(self):
        if not self.items: raise Empty("it is empty")
        return self.items.pop()
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
    def __contains__(self, x): return x in self.items
    def mean(self, xs): return sum(xs) / len(xs)
def full(stack): return len(stack) >= LIMIT
async def soon(x): return x
@contextlib.contextmanager
def quiet():
    try: yield
    except ValueError: pass
"""
SKIPS: Final = """\
import sys
import pytest
import solution
from solution import add

CAN = hasattr(solution, "fast")


def test_add():
    assert add(2, 3) == 5


@pytest.mark.skip(reason="not yet")
def test_not_yet():
    assert False


@pytest.mark.skipif(sys.platform != "beos", reason="elsewhere")
def test_elsewhere():
    assert False


@pytest.mark.xfail(reason="known")
def test_known():
    assert add(2, 2) == 5
"""
ASKS: Final = (
    SKIPS
    + '\n\n@pytest.mark.skipif(not CAN, reason="the program says so")\ndef test_fast():\n    assert solution.fast()\n'
)
BAILS: Final = SKIPS + '\n\ndef test_bails():\n    if add(0, 0) is None:\n        pytest.skip("nothing to test")\n'
PRINTS: Final = """\
import pytest
from solution import hello


def test_prints(capsys):
    hello("x")
    assert capsys.readouterr().out == "hello x\\n"


def test_wants_a_name():
    with pytest.raises(TypeError):
        hello()
"""
RIGHT: Final = "def add(a, b):\n    return a + b\n"
WRONG: Final = "def add(a, b):\n    return 5\n"
HELLO: Final = "def hello(name):\n    print('hello', name)\n"
BYE: Final = "def hello(*names):\n    print('bye')\n"
TWO: Final = {
    "test_a.py": ADD,
    "test_b.py": "from solution import sub\n\n\ndef test_sub():\n    assert sub(3, 1) == 2\n",
}
PASSES_ALL: Final = "import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(pyfuncitem): return True\n"
FORGED: Final = '{"token":"","end":"finished","message":"","tests":[["test_solution.py::test_prints","passed",true,""],["test_solution.py::test_wants_a_name","passed",true,""]]}\n'

PYTEST: Final = [
    Row(id="right", files={"test_solution.py": ADD}, source=RIGHT, verdict=Verdict.AC),
    Row(
        id="wrong",
        files={"test_solution.py": ADD},
        source=WRONG,
        verdict=Verdict.WA,
        tests={
            "test_solution.py::test_add[2-3-5]": "passed",
            "test_solution.py::test_add[4-5-9]": "failed",
            "test_solution.py::TestMore::test_negative": "failed",
        },
        share=1 / 3,
        reason="1 of 3 tests passed; test_solution.py::test_add failed",
    ),
    Row(
        id="long-parameters",
        files={
            "test_solution.py": "import pytest\nfrom solution import add\n\n\n@pytest.mark.parametrize('s', ['x' * 5000 + c for c in 'ab'])\ndef test_s(s):\n    assert add(s, '') == s\n"
        },
        source=RIGHT,
        verdict=Verdict.AC,
    ),
    Row(id="objects", files={"test_solution.py": OBJECTS}, source=STACK, verdict=Verdict.AC),
    Row(
        id="objects-that-swallow-no-more",
        files={"test_solution.py": OBJECTS},
        source=STACK.replace("except ValueError", "except KeyError"),
        verdict=Verdict.WA,
        tests={"test_solution.py::test_swallows": "failed", "test_solution.py::test_content": "passed"},
    ),
    Row(
        id="equal-to-everything",
        files={"test_solution.py": ADD},
        source="class All:\n    def __eq__(self, other): return True\ndef add(a, b): return All()\n",
        verdict=Verdict.WA,
    ),
    Row(
        id="a-folder-and-a-conftest",
        files={
            "tests/test_calc.py": "from src.calc import double\n\n\ndef test_double(two):\n    assert double(two) == 4\n",
            "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n",
        },
        source="def double(n):\n    return 2 * n\n",
        program="src/calc.py",
        verdict=Verdict.AC,
    ),
    Row(
        id="skips-of-its-own-text",
        files={"test_solution.py": SKIPS},
        source=RIGHT,
        verdict=Verdict.AC,
        tests={"test_solution.py::test_not_yet": "skipped", "test_solution.py::test_elsewhere": "skipped"},
    ),
    Row(
        id="a-skip-that-the-program-decides",
        files={"test_solution.py": ASKS},
        source=RIGHT,
        verdict=Verdict.WA,
        tests={"test_solution.py::test_fast": "skipped"},
        reason="test_fast was skipped",
    ),
    Row(
        id="a-skip-inside-a-test",
        files={"test_solution.py": BAILS},
        source="def add(a, b):\n    return a + b or None\n",
        verdict=Verdict.WA,
        tests={"test_solution.py::test_bails": "skipped"},
    ),
    Row(
        id="no-parameters-left",
        files={
            "test_solution.py": "import pytest\nimport solution\n\n\n@pytest.mark.parametrize('n', solution.CASES)\n"
            "def test_n(n):\n    assert solution.f(n)\n\n\ndef test_one():\n    assert solution.f(1)\n"
        },
        source="CASES = []\ndef f(n): return n == 1\n",
        verdict=Verdict.WA,
    ),
    Row(
        id="a-name-that-is-missing",
        files=TWO,
        source=RIGHT,
        verdict=Verdict.WA,
        share=3 / 4,
        tests={"test_b.py::test_sub": "error"},
    ),
    Row(
        id="leaves-in-the-second-test",
        files=TWO,
        source=RIGHT + "def sub(a, b):\n    import os\n    os._exit(0)\n",
        verdict=Verdict.RTE,
        share=3 / 4,
        tests={"test_a.py::test_add[2-3-5]": "passed", "test_b.py::test_sub": "failed"},
    ),
    Row(id="exits-at-once", files=TWO, source="import sys\nsys.exit(0)\n", verdict=Verdict.RTE, share=0.0),
    Row(
        id="interrupts-the-tests",
        files=TWO,
        source="def add(a, b):\n    raise KeyboardInterrupt\n" + "def sub(a, b):\n    return a - b\n",
        verdict=Verdict.WA,
        tests={"test_b.py::test_sub": "not_run"},
    ),
    Row(
        id="exits-where-it-is-called",
        files={"test_solution.py": ADD},
        source="def add(a, b):\n    raise SystemExit(0)\n",
        verdict=Verdict.WA,
    ),
    Row(
        id="skips-where-it-is-called",
        files={"test_solution.py": ADD},
        source="import unittest\ndef add(a, b):\n    raise unittest.SkipTest\n",
        verdict=Verdict.WA,
    ),
    Row(
        id="tests-that-do-not-compile",
        files={"test_solution.py": "def test_f(:\n"},
        source=RIGHT,
        verdict=Verdict.JE,
    ),
    Row(
        id="tests-that-use-no-program",
        files={"test_solution.py": "def test_f():\n    assert True\n"},
        source=RIGHT,
        verdict=Verdict.JE,
    ),
    Row(
        id="tests-that-want-what-is-not-here",
        files={
            "test_solution.py": "import no_such_module\nfrom solution import add\n\n\ndef test_f():\n    assert add(1, 1) == 2\n"
        },
        source=RIGHT,
        verdict=Verdict.JE,
    ),
    Row(id="patches", files={"test_solution.py": PATCHES}, source=STACK, verdict=Verdict.AC, hardened=False),
    Row(id="output", files={"test_solution.py": PRINTS}, source=HELLO, verdict=Verdict.AC, hardened=False),
    Row(id="output-wrong", files={"test_solution.py": PRINTS}, source=BYE, verdict=Verdict.WA, hardened=False),
    *(
        Row(
            id=f"one-box-{name}",
            files={"test_solution.py": PRINTS},
            source=attack + BYE,
            verdict=verdict,
            hardened=False,
        )
        for name, attack, verdict in (
            ("leaves", "import os\nos._exit(0)\n", Verdict.RTE),
            ("forges-a-report", f"import os\nos.write(4, {FORGED.encode()!r})\nos._exit(0)\n", Verdict.RTE),
            (
                "changes-pytest",
                "import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n",
                Verdict.RTE,
            ),
            (
                "changes-a-property",
                "import _pytest.reports\n_pytest.reports.TestReport.outcome = property(lambda s: 'passed', lambda s, v: None)\n",
                Verdict.RTE,
            ),
            (
                "changes-what-is-left-out",
                "import pytest\npytest.raises.__kwdefaults__ = {'match': None}\n",
                Verdict.RTE,
            ),
            (
                "changes-raises",
                "import pytest\npytest.raises = lambda *a, **k: __import__('contextlib').suppress()\n",
                Verdict.RTE,
            ),
            ("changes-the-failure", "import builtins\nbuiltins.AssertionError = ZeroDivisionError\n", Verdict.RTE),
            (
                "brings-another-pytest",
                "import sys, types\nsys.modules['pytest'] = types.ModuleType('pytest')\n",
                Verdict.RTE,
            ),
            ("skips", "import pytest\npytest.skip('x', allow_module_level=True)\n", Verdict.RTE),
            (
                "writes-over-the-tests",
                "open('test_solution.py', 'w').write('def test_prints(): pass\\ndef test_wants_a_name(): pass\\n')\n",
                Verdict.WA,
            ),
            ("leaves-a-conftest", f"open('conftest.py', 'w').write({PASSES_ALL!r})\n", Verdict.WA),
            (
                "leaves-settings",
                f"open('evil.py', 'w').write({PASSES_ALL!r})\nopen('pytest.ini', 'w').write('[pytest]\\naddopts = -p evil\\n')\n",
                Verdict.WA,
            ),
            ("leaves-at-the-end", "import atexit, os\natexit.register(os._exit, 0)\n", Verdict.WA),
        )
    ),
    Row(
        id="one-box-skips-where-it-is-called",
        files={"test_solution.py": PRINTS},
        source="import pytest\ndef hello(*names):\n    pytest.skip('x')\n",
        verdict=Verdict.WA,
        hardened=False,
    ),
    Row(
        id="one-box-changes-reports-when-called",
        files={"test_solution.py": PRINTS},
        source="def hello(*names):\n    import _pytest.reports as r\n"
        "    r.TestReport.from_item_and_call = classmethod(lambda c, i, k: c(nodeid=i.nodeid, location=i.location, keywords={}, outcome='passed', longrepr=None, when=k.when))\n",
        verdict=Verdict.RTE,
        hardened=False,
    ),
    Row(
        id="one-box-uses-pytest",
        files={"test_solution.py": PRINTS},
        source="import unittest, unittest.mock, gettext, pytest\nfrom unittest import IsolatedAsyncioTestCase\ngettext.install('x')\n"
        "class Own(unittest.TestCase):\n    @property\n    def x(self): return 1\n    @classmethod\n    def setUpClass(cls): pass\n"
        + HELLO,
        verdict=Verdict.AC,
        hardened=False,
    ),
    Row(
        id="one-box-ends-the-session",
        files={"test_solution.py": PRINTS},
        source="import pytest\ndef hello(*names):\n    pytest.exit('x', 0)\n",
        verdict=Verdict.WA,
        hardened=False,
    ),
]
