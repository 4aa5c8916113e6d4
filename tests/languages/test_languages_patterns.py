"""No text makes a packaged pattern, or what names a source, work more than in proportion to the text's length."""

from __future__ import annotations

import re
import signal
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import fields
from typing import Final

import pytest
from languages.language_runs import CATALOGUE, language_of

from scalebox.extraction import names
from scalebox.judge import quotes
from scalebox.languages import harness
from scalebox.languages.harness import render_append, render_call
from scalebox.languages.masking import masked

SIZE: Final = 1 << 18
CPU_SECONDS: Final = 5.0
"""Far more than the slowest needs, far less than what is quadratic takes."""

NASTY: Final = (
    '"\\',
    "'\\",
    'R"(',
    "static ",
    "static void Main ",
    "public final ",
    "class A static void main(\n",
    "object A def main(\n",
    "//\n",
    "/**/ ",
    "/*",
    "#include <a>\n",
    " \n",
    "package a",
    "a.",
    "os.exit(a.LuaUnit.run(",
    "func Test",
    "{",
    "#[a]",
    "{- -}",
    "{-",
    "module A (",
    "()",
    "fun <a>",
    "object ",
    "main\n",
    "let () = main ()\n",
    "let () = x\n\n",
    "let () = x\n ",
    "List<",
    '"a"List<',
)
"""Each is repeated until the text is 256 KB long."""
HEADS: Final = ("return", "import", "main", "\nreturn {", "`(")
"""Each is followed by 256 KB of blanks, or of brackets, and by what makes them no match."""


def texts() -> list[str]:
    repeated = [(unit * (SIZE // len(unit) + 1))[:SIZE] for unit in NASTY]
    return [*repeated, *(f"{head}{filled * SIZE}x(\ny" for head in HEADS for filled in " (")]


def patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern that a program's or a test's text is searched with, by what it is, each once."""
    found: dict[re.Pattern[str], str] = {
        harness._NOT_CODE: "harness",
        harness._SHEBANG: "shebang",
        harness._FUNCTION: "function",
        names._BEGINS: "begins",
        names._HEADING: "heading",
        quotes._MARKED: "marked",
        quotes._MARGIN: "margin",
    }
    for language in CATALOGUE:
        for part in (language.naming, language.call, language.append):
            for field in () if part is None else fields(part):
                value = getattr(part, field.name)
                several = value if isinstance(value, tuple) else [(value, "")]
                for index, (pattern, *_) in enumerate(several):
                    if isinstance(pattern, re.Pattern):
                        found.setdefault(pattern, f"{language.id}-{type(part).__name__}-{field.name}-{index}")
    return {name: pattern for pattern, name in found.items()}


@contextmanager
def bounded() -> Generator[None]:
    """Fail once the body has used its CPU time."""

    def late(*_: object) -> None:
        pytest.fail(f"more than {CPU_SECONDS} s of CPU time for {SIZE} characters")

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize(
    ("name", "pattern"), patterns().items(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_pattern_takes_time_in_proportion(name: str, pattern: re.Pattern[str]) -> None:
    for text in texts():
        with bounded():
            pattern.sub(" ", text)


@pytest.mark.parametrize("unit", NASTY)
def test_a_source_is_named_and_rendered_in_proportion(unit: str) -> None:
    text = (unit * (SIZE // len(unit) + 1))[:SIZE]
    for name in ("java", "kotlin", "scala"):
        with bounded():
            language_of(name).names(text)
    with bounded():
        render_call(language_of("cpp"), text, "f", 1)
    for name in ("rust", "csharp", "kotlin", "scala", "haskell", "d", "ocaml", "c"):
        with bounded():
            render_call(language_of(name), f"class Solution {{}}\nimpl Solution {{}}\n{text}", "f", 1)
    with bounded():
        render_append(language_of("go"), text, "")


@pytest.mark.parametrize(
    "interpolated", [None, re.compile(r"(?s).?"), re.compile(r"\w")], ids=["plain", "every", "prefixed"]
)
def test_masking_takes_time_in_proportion(interpolated: re.Pattern[str] | None) -> None:
    for text in [*texts(), *(unit * (SIZE // len(unit)) for unit in ('"${', 's"${{', '"""${', "/*", "/* */", '${"'))]:
        with bounded():
            assert len(masked(text, nested=True, interpolated=interpolated)) == len(text)


@pytest.mark.parametrize(
    "unit", ["package a {\n", "package a\n", "package a { }\n", "package a {\nobject B extends App\n"]
)
def test_packages_take_time_in_proportion(unit: str) -> None:
    with bounded():
        assert language_of("scala").names(unit * (SIZE // len(unit))).file == "Main.scala"
