"""Values cross to programs of every dynamic language and back, and compare as they should; only a call that returns gives one."""

from __future__ import annotations

from typing import Final

import pytest
from languages.language_runs import call

from scalebox.checkers.values import compare_values
from scalebox.core import plain
from scalebox.core.verdict import Verdict

SAME: Final = {
    "javascript": "function f(x) { return x; }",
    "typescript": "const f = <T>(x: T): T => x;",
    "php": "<?php\nfunction f($x) { return $x; }",
    "lua": "local function f(x) return x end",
    "perl": "sub f { my ($x) = @_; return $x; }",
    "ruby": "def f(x) = x",
    "r": "f <- function(x) x",
    "racket": "#lang racket\n(define (f x) x)",
    "elixir": "defmodule Solution do\n  def f(x), do: x\nend",
    "pypy": "def f(x):\n    return x",
}
"""The function that returns its argument."""

METHOD: Final = {
    "javascript": "class Solution { f(a, b) { return a + b; } }",
    "typescript": "class Solution { private n = 0; f(a: number, b: number): number { return a + b + this.n; } }",
    "php": "<?php\nclass Solution { function f($a, $b) { return $a + $b; } } ?>",
    "perl": "package Solution;\nsub new { return bless {}, shift; }\nsub f { my ($self, $x, $y) = @_; return $x + $y; }\n1;",
    "ruby": "class Solution\n  def f(a, b)\n    a + b\n  end\nend",
    "pypy": "class Solution:\n    def f(self, a, b):\n        return a + b",
}

EXITS: Final = {
    "javascript": "function f(x) { process.exit(0); }",
    "typescript": "function f(x: any) { process.exit(0); }",
    "php": "<?php\nfunction f($x) { exit(0); }",
    "lua": "function f(x) os.exit(0) end",
    "perl": "sub f { exit 0; }",
    "ruby": "def f(x) = exit(0)",
    "r": "f <- function(x) quit(status = 0)",
    "racket": "#lang racket\n(define (f x) (exit 0))",
    "elixir": "defmodule Solution do\n  def f(_), do: System.halt(0)\nend",
    "pypy": "import os\ndef f(x):\n    os._exit(0)",
}

VALUES: Final[list[object]] = [
    0,
    -7,
    1.5,
    1e-9,
    2**53 - 1,
    True,
    False,
    "",
    "5",
    'a "quoted" \\ line\n\ttab \x01',
    "žluťoučký 🐍",
    [],
    [1, 2, 3],
    [[1, 2], [], [3]],
    ["a", "b"],
    [1, "a", True, 2.5],
    {"a": 1, "b": [1, 2]},
    {"k": {"inner": "x"}},
]


def verdict(name: str, source: str, args: list[object], answer: object, **more: object) -> Verdict | str:
    ran = call(source, "f", args, name=name, **more)  # type: ignore[arg-type]
    if ran.exit_code != 0 or not ran.value.endswith(b"\n"):
        return f"exit {ran.exit_code}, {ran.value!r}, {ran.stderr[-600:]}"
    found = compare_values(plain.loads(ran.value[:-1]), answer, None)
    return found.verdict if found.verdict is Verdict.AC else f"{found.detail}: {ran.value!r}"


@pytest.mark.parametrize("name", SAME)
def test_a_value_comes_back_as_it_went(name: str) -> None:
    """All at once, each in a list of its own, so that each language's process starts once."""
    assert verdict(name, SAME[name], [[[value] for value in VALUES]], [[value] for value in VALUES]) is Verdict.AC


@pytest.mark.parametrize("name", SAME)
def test_another_value_is_another(name: str) -> None:
    assert verdict(name, SAME[name], [[1, 2, 3]], [1, 2, 4]) is not Verdict.AC
    assert verdict(name, SAME[name], ["5 "], 5) is not Verdict.AC


@pytest.mark.parametrize("name", METHOD)
def test_a_method_of_the_solution_is_called(name: str) -> None:
    assert verdict(name, METHOD[name], [2, 3], 5) is Verdict.AC


@pytest.mark.parametrize("name", EXITS)
def test_an_exit_gives_no_value(name: str) -> None:
    assert call(EXITS[name], "f", [1], name=name).value == b""
