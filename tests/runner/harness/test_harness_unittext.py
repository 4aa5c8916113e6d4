"""What the text of pytest's files tells: which tests there are, which skip themselves, which need the program's own process."""

from __future__ import annotations

import pytest

from scalebox.runner.zygote.harness.unit import modules_of
from scalebox.runner.zygote.harness.unittext import FileTests, module_names, unsupported

SOLUTION = frozenset({"solution"})


def read(code: str) -> FileTests:
    return FileTests("t.py", code, SOLUTION)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def test_a(): pass\nasync def test_b(): pass\ndef helper(): pass\n", ["t.py::test_a", "t.py::test_b"]),
        ("class TestA:\n    def test_a(self): pass\n    def setup_method(self): pass\n", ["t.py::TestA::test_a"]),
        ("class TestA:\n    def __init__(self): pass\n    def test_a(self): pass\n", []),
        ("class Odd(unittest.TestCase):\n    def test_a(self): pass\n", ["t.py::Odd::test_a"]),
        ("class TestA:\n    __test__ = False\n    def test_a(self): pass\n", []),
        ("class Plain:\n    def test_a(self): pass\n", []),
        ("@pytest.fixture\ndef test_data(): pass\n", []),
        ("if x:\n    def test_a(): pass\n", []),
        ("def test_a(): pass\ndef test_a(): pass\n", ["t.py::test_a"]),
    ],
)
def test_names_are_as_pytest_gives_them(code: str, names: list[str]) -> None:
    assert read(code).names == names


@pytest.mark.parametrize(
    ("code", "excused"),
    [
        ("import pytest\n@pytest.mark.skip\ndef test_a(): pass\n", True),
        ("import pytest\n@pytest.mark.skip(reason='x')\ndef test_a(): pass\n", True),
        (
            "import pytest, sys\n@pytest.mark.skipif(sys.platform == 'x' or len('a') > 1, reason='x')\ndef test_a(): pass\n",
            True,
        ),
        ("import pytest\npytestmark = [pytest.mark.xfail]\ndef test_a(): pass\n", True),
        ("import pytest\npytestmark = pytest.mark.skip\ndef test_a(): pass\n", True),
        ("from unittest import skip\n@skip('x')\ndef test_a(): pass\n", True),
        ("import pytest\n@pytest.mark.slow\ndef test_a(): pass\n", False),
        ("import pytest, solution\n@pytest.mark.skipif(solution.X, reason='x')\ndef test_a(): pass\n", False),
        ("import pytest\nfrom solution import X\n@pytest.mark.skipif(X, reason='x')\ndef test_a(): pass\n", False),
        ("import pytest\nfrom solution import *\n@pytest.mark.skipif(X, reason='x')\ndef test_a(): pass\n", False),
        (
            "import pytest, solution as s\n@pytest.mark.skipif(not hasattr(s, 'f'), reason='x')\ndef test_a(): pass\n",
            False,
        ),
        ("import pytest, solution\nX = solution.f()\n@pytest.mark.skipif(X, reason='x')\ndef test_a(): pass\n", False),
        (
            "import pytest, sys\nimport solution\nsys = solution\n@pytest.mark.skipif(sys.x, reason='x')\ndef test_a(): pass\n",
            False,
        ),
        ("import solution as pytest\n@pytest.mark.skip\ndef test_a(): pass\n", False),
    ],
)
def test_only_a_skip_that_the_program_has_no_say_in_is_excused(code: str, excused: bool) -> None:
    assert bool(read(code).excused) is excused


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def test_a(capsys): pass", "capsys"),
        ("def test_a(tmp_path): pass", "tmp_path"),
        ("def test_a(monkeypatch): pass", "monkeypatch"),
        ("from solution import A\nclass B(A): pass", "derives from A"),
        ("from solution import A\nclass TestA: pass", None),
        ("from solution import f\ndef test_a(): assert f('opening') == 1", None),
    ],
)
def test_what_shares_a_world_needs_one_box(code: str, why: str | None) -> None:
    found = unsupported(code, SOLUTION)
    assert (found is None) if why is None else (found is not None and why in found)


def test_modules_go_by_path_and_by_name() -> None:
    assert modules_of("src/calc.py") == {"src.calc", "calc"}
    assert module_names({"a/test_b.py": "", "c.txt": ""}) == {"a.test_b", "test_b"}
