"""A compiler's message says nothing of test code, and everything of the program."""

from __future__ import annotations

import pytest

from scalebox.judge.quotes import without_quotes

OWN = "fn solve(x: i64) -> R { R }\nstruct R;\n"
TESTS = 'fn main() { let candidate = solve; assert_eq!(candidate(7), String::from("secret")); }\n\tassert(candidate(8) == 99);\n'
WHOLE = f"mod harness {{ pub fn same() {{}} }}\n{OWN}{TESTS}"


@pytest.mark.parametrize(
    "line",
    [
        '20 | fn main() { let candidate = solve; assert_eq!(candidate(7), String::from("secret")); }',
        '20 | ... candidate = solve; assert_eq!(candidate(7), String::from("secret")); }',
        '  20 | ...t candidate = solve; assert_eq!(candidate(7), String::from("secret"))...',
        "   12 |         assert(candidate(8) == 99);",
        "        assert(candidate(8)  ==  99);",
        "  12 │ assert(candidate(8) == 99);",
        "main.d(3): Error: incompatible types for `candidate(8) == 99`",
        "error: in ‘assert(candidate(8) == 99)’",
    ],
)
def test_quoted_test_code_is_left_out(line: str) -> None:
    told = without_quotes(f"error: no\n{line}\nnote: yes", WHOLE, OWN)
    assert told.startswith("error: no\n")
    assert told.endswith("\nnote: yes")
    assert "(test code)" in told
    assert "secret" not in told
    assert "99" not in told


@pytest.mark.parametrize(
    "message",
    [
        "error[E0277]: can't compare `R` with `String`\n  --> main.rs:18:63\n   |\n",
        "3 | fn solve(x: i64) -> R { R }\n  |    ^^^^^ here",
        "struct R;",
        "cannot find function `candidate` in this scope",
        "  | }\n12 | ) }",
        "",
    ],
)
def test_the_rest_stays(message: str) -> None:
    assert without_quotes(message, WHOLE, OWN) == message
