"""Assertions of one comparison are rewritten; whatever else is asserted stays as it is."""

from __future__ import annotations

import re
from typing import Final

import pytest

from scalebox.languages.comparing import compared
from scalebox.languages.definition import Comparison

BOTH: Final = Comparison(
    asserts=re.compile(r"\bassert\b[ \t]*(?=\()"),
    method="equals",
    by_method="{entry}.same({left}, {right})",
    by_operator="{entry}.is({left}, {right})",
)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("assert(f(1).equals((g(2))));", "assert(E.same(f(1), (g(2))));"),
        ("assert (f(1) == (2));", "assert (E.is(f(1), (2)));"),
        ('assert(f("a == )", \')\').equals("{left}"));', 'assert(E.same(f("a == )", \')\'), "{left}"));'),
        (
            "assert(f(1) == [1, 2]);\nassert(g(a == b) == 1);",
            "assert(E.is(f(1), [1, 2]));\nassert(E.is(g(a == b), 1));",
        ),
        ("assert(new A<B>(1).equals(2)); x", "assert(new A<B>(1).equals(2)); x"),
        ("assert(f(1) == 2 && g());", "assert(f(1) == 2 && g());"),
        ("assert(!f(1).equals(2));", "assert(!f(1).equals(2));"),
        ("assert(f(1) == 2, 3);", "assert(f(1) == 2, 3);"),
        ("assert(f(1) != 2);", "assert(f(1) != 2);"),
        ("assert(f(1).equals(2) == true);", "assert(E.is(f(1).equals(2), true));"),
        ("assert(a.Arrays.equals(f(1), g(2)));", "assert(a.Arrays.equals(f(1), g(2)));"),
        ("assert(WANTED.equals(f(1, 2)));", "assert(E.same(WANTED, f(1, 2)));"),
        ("assert(null == f(1));", "assert(null == f(1));"),
        ("assert(a.b.isEmpty());", "assert(a.b.isEmpty());"),
        ("assert(f(1) == 2", "assert(f(1) == 2"),
        ("assertion(f(1) == 2);", "assertion(f(1) == 2);"),
    ],
)
def test_only_what_is_plainly_one_comparison_is_rewritten(text: str, due: str) -> None:
    assert compared(text, BOTH, "E") == due


def test_text_takes_time_in_proportion() -> None:
    for unit in ("assert(", "assert(f(1) == 2);", "assert(a.equals(", '"\\', "assert(/*", "assert((("):
        compared(unit * 20000, BOTH, "E")
