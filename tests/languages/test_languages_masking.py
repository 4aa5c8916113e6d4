"""Comments, strings and characters are blanks, and so is all that strings hold as code."""

from __future__ import annotations

import re

import pytest

from scalebox.languages.masking import masked

EVERY = re.compile(r"(?s).?")
PREFIXED = re.compile(r"\w")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a // b {\nc", "a\nc"),
        ("a /* { */ b", "a b"),
        ("a /* b", "a"),
        ('a "{" b', "a b"),
        ('a "\\"{" b', "a b"),
        ('a "b\nc {', "a\nc {"),
        ("a '{' '\\'' '\"' b", "a b"),
        ('a """ { " \\""" } """ b', "a b"),
        ("it's { }", "it's { }"),
        ('a "${" b "}" c', "a b c"),
        ("a /* /* */ b", "a b"),
    ],
)
def test_what_is_no_code_in_a_plain_language(text: str, code: str) -> None:
    found = masked(text)
    assert len(found) == len(text)
    assert re.sub(r" +", " ", found).replace(" \n", "\n").strip() == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a /* /* { */ } */ b", "a b"),
        ("a /* /* */ b", "a"),
        ('a "${if (x) "{" else "}"}" b', "a b"),
        ('a "${m["k"]} ${ { "}" }() }" b', "a b"),
        ('a "${\n}" b', "a b"),
        ('a "${"${"}"}"}" b', "a b"),
        ('a "$x {" b', "a b"),
        ('a "\\${" b', "a b"),
        ('a """${"""{"""} """" b', "a b"),
        ('a """\\""" b', "a b"),
        ('a "${ /* } */ x }" b', "a b"),
        ("a \"${'}'}\" b", "a b"),
        ('a "${" b', "a"),
    ],
)
def test_what_is_no_code_where_strings_hold_some(text: str, code: str) -> None:
    found = masked(text, nested=True, interpolated=EVERY)
    assert len(found) == len(text)
    assert re.sub(r" +", " ", found).strip() == code


def test_only_what_says_so_is_interpolated() -> None:
    assert masked('a s"${"}"}" b "${" c', nested=True, interpolated=PREFIXED).split() == ["a", "s", "b", "c"]
