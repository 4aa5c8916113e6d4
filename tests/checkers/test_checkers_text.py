"""What the text checkers accept, and how they name the first difference."""

from __future__ import annotations

import pytest

from scalebox.checkers.batches import BATCH_BYTES
from scalebox.checkers.catalogue import check
from scalebox.checkers.excerpts import EXCERPT_CHARACTERS, describe, excerpt, first_difference
from scalebox.core.problem import CheckerSpec
from scalebox.core.verdict import Verdict

EXACT = CheckerSpec(name="exact")
LINES = CheckerSpec(name="lines")
TOKENS = CheckerSpec(name="tokens")
FOLDED = CheckerSpec(name="tokens", case_sensitive=False)
SPACED = CheckerSpec(name="tokens", space_sensitive=True)
LONG = b"ab " * BATCH_BYTES


@pytest.mark.parametrize(
    ("spec", "output", "answer", "accepted"),
    [
        (EXACT, b"1\n", b"1", False),
        (EXACT, b"", b"", True),
        (LINES, b"1 2 \r\n3\t\n\n\n", b"1 2\n3", True),
        (LINES, b"1 2\n3", b"1\n2 3", False),  # layout counts
        (LINES, b"1  2", b"1 2", False),
        (LINES, b" 1", b"1", False),  # blanks at the beginning count
        (LINES, b"\n1", b"1", False),
        (LINES, b"a\n\nb", b"a\nb", False),
        (LINES, b"a\rb", b"a\nb", False),  # a lone CR ends no line
        (LINES, b"\n" * 200_000, b"", True),
        (LINES, b"x\n" * 100_000, b"x \n" * 100_000, True),
        (CheckerSpec(name="lines", case_sensitive=False), b"YES\n", b"Yes \n", True),
        (TOKENS, b"1  2\n\n3", b"1\r\n2\t3\n", True),
        (TOKENS, b"aB", b"Ab", False),
        (TOKENS, b"1", b"1 2 3", False),  # a prefix is wrong
        (TOKENS, b"1 2 3 4", b"1 2 3", False),
        (TOKENS, b"", b"\n\n7\n", False),
        (TOKENS, b" \n", b"", True),
        (TOKENS, b"3\x00garbage", b"3", False),
        (TOKENS, "\uff13".encode(), b"3", False),
        (TOKENS, "1\u20282\u00a03".encode(), b"1 2 3", False),  # Unicode's blanks are no blanks
        (TOKENS, b"1\x1c2", b"1 2", False),
        (TOKENS, b"007", b"7", False),
        (TOKENS, LONG + b"x", LONG.replace(b" ", b"\n") + b"x", True),
        (TOKENS, LONG + b"x", LONG + b"y", False),
        (TOKENS, b"a" * (3 * BATCH_BYTES) + b" b", b"a" * (3 * BATCH_BYTES) + b"\nb", True),
        (FOLDED, b"yes NO", b"YES no", True),
        (FOLDED, "\u212aELVIN".encode(), b"kELVIN", False),  # only ASCII folds
        (FOLDED, "\u00c4".encode(), "\u00e4".encode(), False),
        (SPACED, b"hello\n world\n", b"hello\n world\n", True),
        (SPACED, b"hello\n world\n", b"hello\nworld\n", False),
        (SPACED, b" a b", b"a b ", False),
        (CheckerSpec(name="tokens", space_sensitive=True, case_sensitive=False), b"A b", b"a B", True),
    ],
    ids=describe,
)
def test_text(spec: CheckerSpec, output: bytes, answer: bytes, accepted: bool) -> None:
    result = check(spec, output, answer)
    assert (result.verdict is Verdict.AC) is accepted
    assert (result.detail is None) is accepted


@pytest.mark.parametrize(
    ("spec", "output", "answer", "detail", "shown"),
    [
        (
            TOKENS,
            b"1 2\n\n   3 7 9\n",
            b"1 2 3 8 9",
            "line 3, token 2 (column 6): the output has '7' where the answer has another token",
            "8",
        ),
        (TOKENS, b"1 2 3", b"1 2 3 4 5", "the output ends after 3 of 5 tokens", "4"),
        (TOKENS, b"", b"secret x", "the output has no token, the answer has 2", "secret"),
        (
            TOKENS,
            b"1\n2 3\n",
            b"1 2",
            "line 2, token 2 (column 3): the output goes on with '3' after all 2 tokens",
            None,
        ),
        (SPACED, b"a\nb  c", b"a\nb c", "line 2, after token 1: the white space differs from the answer's", None),
        (LINES, b"a\nbxd\n", b"a\nbcd", "line 2, column 2: the output differs in 'bxd'", "bcd"),
        (LINES, b"a\nb", b"a\nbcd", "line 2, column 2: the output's line ends too early: 'b'", "bcd"),
        (LINES, b"a", b"a\nb\nc", "the output ends after 1 of 3 lines", "b"),
        (LINES, b"a\nb\nc", b"a\n", "line 2, column 1: the output goes on with 'b' after all 1 lines", None),
        (EXACT, b"ab\ncd", b"ab\ncx", "line 2, column 2 (byte 5): the output differs in 'ab\\ncd'", "ab\\ncx"),
        (EXACT, b"ab", b"ab\n", "the output ends after 2 of 3 bytes", "ab\\n"),
        (EXACT, b"ab\n", b"ab", "line 1, column 3 (byte 3): the output goes on after all 2 bytes: '\\n'", None),
    ],
)
def test_the_first_difference_is_named(
    spec: CheckerSpec, output: bytes, answer: bytes, detail: str, shown: str | None
) -> None:
    result = check(spec, output, answer)
    assert result.verdict is Verdict.WA
    assert result.detail == detail
    assert result.answer_excerpt == shown


def test_a_difference_far_down_is_found_at_its_place() -> None:
    output = b"12 34\n" * 50_000
    result = check(TOKENS, output + b"5", output + b"6")
    assert result.detail == "line 50001, token 1 (column 1): the output has '5' where the answer has another token"


def test_excerpts_are_short_and_printable() -> None:
    text = excerpt(b"\x1b[31m\xff\x00\n\\" + "\u202e\u00e9".encode() + b"x" * 1000)
    assert text.startswith("\\x1b[31m\\xff\\x00\\n\\\\\\u202e\u00e9xxx")
    assert len(text) == EXCERPT_CHARACTERS
    assert text.isprintable()


def test_an_excerpt_shows_the_place_that_differs() -> None:
    result = check(TOKENS, b"a" * 5000 + b"b" + b"a" * 5000, b"a" * 10_001)
    assert result.detail is not None
    assert "'\u2026aaaaaaaaaaaaaaaab" in result.detail
    assert len(result.detail) < 200


@pytest.mark.parametrize("at", [0, 1, 2, 511, 512, 998, 999])
def test_first_difference(at: int) -> None:
    left = bytearray(b"x" * 1000)
    left[at] = ord("y")
    assert first_difference(bytes(left), b"x" * 1000) == at
    assert first_difference(b"x" * at, b"x" * 1000) == at
