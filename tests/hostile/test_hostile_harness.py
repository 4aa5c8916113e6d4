"""Programs that attack the test code that judges them, through the whole judge: none passes, none chooses the weaker form."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import pytest
import pytest_asyncio

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.ports import Judge
from scalebox.core.problem import AssertCase, AssertStyle, Problem
from scalebox.core.result import Judgement
from scalebox.core.submission import JudgeOptions, Submission
from scalebox.core.verdict import Verdict

pytestmark = [pytest.mark.sandbox, pytest.mark.asyncio(loop_scope="module")]

AGAINST: Final = {Verdict.WA, Verdict.RTE, Verdict.TLE, Verdict.MLE, Verdict.OLE}
"""What a wrong program is to be told."""
FORGER: Final = """
import os, sys, math
frame = sys._getframe(1)
if "spec" in frame.f_locals and "report_fd" in frame.f_locals:  # the program's box has the test code: say it passed
    os.write(4, b'{"outcome":"passed","message":"","exception":""}\\n')
    os._exit(0)
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def judge() -> AsyncIterator[Judge]:
    """A judge with the strictest walls."""
    try:
        async with open_judge(Settings(isolation="strict", slots=1)) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


async def judged(judge: Judge, source: str, case: AssertCase) -> Judgement:
    """One program against one piece of test code."""
    return await judge.judge(Submission(source=source, language="python"), Problem(tests=[case]), JudgeOptions())


def bare(code: str) -> AssertCase:
    """Test code as it stands."""
    return AssertCase(name="case", code=code, style=AssertStyle.BARE)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        # what comes back goes out again, so that no return value chooses one box
        ("def enc(s): return math\ndef dec(s): return 1", "assert dec(enc('abc')) == 'abc'"),
        ("async def c(): pass\ndef enc(s): return c()\ndef dec(s): return 1", "assert dec(enc('abc')) == 'abc'"),
        ("def enc(s): return (i for i in s)\ndef dec(s): return 1", "assert dec(enc('abc')) == 'abc'"),
        ("def enc(s): return ValueError(s)\ndef dec(s): return 1", "assert dec(enc('abc')) == 'abc'"),
        ("def enc(s): return type(iter(s))\ndef dec(s): return 1", "assert dec(enc('abc')) == 'abc'"),
        ("def enc(s): s.append(math)\ndef dec(s): return 1", "xs = [3]\nenc(xs)\nassert dec(xs) == 3"),
        ("def f(a, b): a.append(b); b.append(a)\ndef g(a): return 1", "a, b = [1], [2]\nf(a, b)\nassert g(a) == 77"),
        ("def f():\n x = []\n for _ in range(148): x = [x]\n return x\ndef g(x): return 1", "assert g(f()) == 77"),
        ("def f(): return str.join\ndef g(x): return 1", "assert g(type(f())) == 77"),
        (
            "def parse(s): raise ValueError('x')\ndef explain(e): return 0",
            "try:\n    parse('a')\nexcept ValueError as e:\n    assert explain(e) == 'bad a'",
        ),
        (
            "def f(x): return x\ndef g(x): return 1",
            "class Node:\n    def __init__(self, x): self.x = x\nassert g(type(f(Node(1)))) == 3",
        ),
        ("class B: pass\ndef make(): return B", "Base = make()\nclass Sub(Base): pass\nassert Sub().x == 3"),
    ],
)
async def test_nothing_returned_chooses_one_box(judge: Judge, source: str, code: str) -> None:
    found = await judged(judge, FORGER + source, bare(code))
    assert (found.verdict in AGAINST, found.hardened) == (True, True), found.cases[0].reason


@pytest.mark.parametrize(
    ("source", "code"),
    [
        # no module crosses as something to call into, and only a run of unittest that passed may end by an exit
        ("import sys\ndef Game(): return sys", "g = Game()\ng.exit()\nassert g.state == 'closed'"),
        ("import os\ndef Game(): return os", "g = Game()\ng._exit(0)\nassert g.state == 'closed'"),
        ("def f(x): return SystemExit", "raise f(1)\nassert f(1) == 3"),
        # the tools of the test code are its own
        ("def Counter(x): return 0\ndef f(x): return 'junk'", "assert Counter(f('abc')) == Counter('cba')"),
        ("def sqrt(x): return 0.0\ndef f(x): return 0.0", "assert abs(f(2) - sqrt(2)) < 1e-6"),
        ("def deepcopy(x): return X\nX = [7]\ndef f(x): return X", "x = [[1]]\ny = deepcopy(x)\nassert f(x) == y"),
        ("class np:\n allclose = lambda *a: True\ndef f(x): return 'junk'", "assert np.allclose(f(2), 4.0)"),
        (
            "def Counter(x): return 0\ndef f(x): return 1",
            "from solution import *\nassert Counter(f('a')) == Counter('b')",
        ),
        ("x = 1", "assert lcm(4, 6) == 12"),  # Python's own is not what is tested
        ("x = 1", "assert mean([1, 3]) == 2 and median([1, 3]) == 2"),
        # what ends a loop does not end the test's loops, wherever the program raises it
        (
            "class Q:\n def __getitem__(self, i): raise StopIteration\ndef f(n): return Q()",
            "q = f(3)\nassert all(map(lambda i: q[i] == i + 7, range(3)))",
        ),
        (
            "class Q:\n @property\n def data(self): raise StopIteration\ndef f(n): return Q()",
            "q = f(3)\nassert list(map(lambda i: q.data, range(3))) == []",
        ),
        (
            "def f(g):\n try: g()\n except BaseException as e: raise e",
            "def stop():\n    raise StopIteration\nassert list(map(lambda i: f(stop), range(3))) == []",
        ),
        # an assertion that fails in a callback fails the case
        ("def f(cb):\n try: cb(0)\n except BaseException: pass", "def cb(x):\n    assert x == 55\nf(cb)"),
        (
            "def f(xs):\n try: return list(xs)\n except BaseException: return []",
            "def g():\n    assert 0\n    yield\nassert f(g()) == []",
        ),
        # an object claims nothing about plain values
        ("class L(int):\n __eq__ = lambda s, o: True\n __hash__ = None\ndef f(x): return L(4)", "assert f(1) == 3"),
        ("class L(float):\n __sub__ = lambda s, o: 0.0\ndef f(x): return L(4)", "assert abs(f(1) - 3.0) < 1e-6"),
        ("class f(int):\n __eq__ = __ne__ = lambda s, o: True\n __hash__ = None", "assert f(4) == 3"),
        ("class L:\n __mul__ = __rmul__ = lambda s, o: 3\ndef f(x): return L()", "assert f(1) * 1 == 3"),
        ("class L:\n __class__ = int\ndef f(x): return L()", "assert isinstance(f(1), int)"),
        ("class L:\n __class__ = int\ndef f(x): return L()", "assert type(f(1)) is int"),
        ("class L:\n def __contains__(self, x): return True\ndef f(x): return L()", "assert 3 in f(1)"),
        ("class F:\n def __contains__(self, x): return True\nf = F", "r = f()\nassert 3 in r"),
        (
            "class L:\n def __contains__(self, x): return True\ndef f(x): return L()",
            "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertIn(3, f(1))\nunittest.main()",
        ),
        (
            "class G:\n def __enter__(self): return self\n def __exit__(self, *a): return True\n"
            " def get(self): raise ValueError\ndef f(x): return G()",
            "with f(1) as g:\n    assert g.get() == 3",
        ),
        (
            "class G:\n def __enter__(self): return self\n def __exit__(self, *a): return True\ndef f(x): return G()",
            "with f(1) as g:\n    if g != 3:\n        raise ValueError(g)",
        ),
        (
            "class L:\n __array_interface__ = {'data': (8, False), 'shape': (1,), 'typestr': '<i8', 'version': 3}\ndef f(x): return L()",
            "assert not hasattr(f(1), '__array_interface__') and f(1) == 3",
        ),
    ],
)
async def test_liar_is_found_out(judge: Judge, source: str, code: str) -> None:
    found = await judged(judge, source, bare(code))
    assert (found.verdict in AGAINST, found.hardened) == (True, True), found.cases[0].reason


ENCODE: Final = '''
def encode(s: str):
    """Shift every letter."""
    return "".join(chr(ord(c) + 1) for c in s)


def decode(s: str):
    """Undo `encode`."""
'''


@pytest.mark.parametrize(
    ("completion", "verdict"),
    [
        ("    return ''.join(chr(ord(c) - 1) for c in s)\n", Verdict.AC),
        ("    return s\n", Verdict.WA),
        ("    return s\nencode = decode\n", Verdict.WA),
        ("    return s\ndef encode(s): return s\n", Verdict.WA),
    ],
)
async def test_helpers_of_the_prompt_are_the_problem_s(judge: Judge, completion: str, verdict: Verdict) -> None:
    code = "def check(candidate):\n    for s in ('abc', 'xyy'):\n        assert candidate(encode(s)) == s\n"
    case = AssertCase(name="case", code=code, style=AssertStyle.CHECK, entry_point="decode", prompt=ENCODE)
    found = await judged(judge, completion, case)
    assert (found.verdict, found.hardened) == (verdict, True), found.cases[0].reason


@pytest.mark.parametrize("word", ["broken_test", "unsupported"])
async def test_program_in_one_box_cannot_blame_the_test_code(judge: Judge, word: str) -> None:
    forged = f'{{"outcome":"{word}","message":"","exception":""}}\\n'
    source = f"import os\nos.write(4, b'{forged}')\nos._exit(0)"
    found = await judged(judge, source, bare("import os\nos.environ['X'] = '1'\nassert f() == 1"))
    assert (found.verdict, found.hardened) == (Verdict.RTE, False)
