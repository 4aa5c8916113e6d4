"""From what a client hands in to a language and a source, or to no code at all."""

from __future__ import annotations

import pytest

from scalebox.core.errors import LanguageUnavailable
from scalebox.core.problem import AssertCase, AssertStyle, CallCase, Problem, StdioCase
from scalebox.core.submission import Completion, Submission
from scalebox.judge.intake import entry_of, take
from scalebox.languages.catalogue import load_languages

CATALOGUE = load_languages()
FENCED = "Here:\n```python\nprint(1)\n```\n"


@pytest.mark.parametrize(
    ("given", "language", "source"),
    [
        (Submission(source="x", language="python"), "python", "x"),
        (Submission(source="x", language="c++"), "cpp", "x"),
        (Submission(source="", language="python"), "python", ""),  # an empty program is one
        (Completion(text=FENCED), "python", "print(1)\n"),
        (Completion(text=FENCED, language="python"), "python", "print(1)\n"),
        (Completion(text="```c\nint x;\n```", language="cpp17"), "cpp17", "int x;\n"),  # which C is
        (Completion(text="```js\nlet x;\n```", language="typescript"), "typescript", "let x;\n"),
        (Completion(text="```ts\nlet x;\n```", language="javascript"), "typescript", "let x;\n"),
        (Completion(text="```c\nint x;\n```"), "c", "int x;\n"),
        (Completion(text="```cpp\nint x;\n```\nIn C:\n```c\nint y;\n```", language="cpp"), "cpp", "int x;\n"),
        (Completion(text="```csharp\nint x;\n```", language="mono"), "csharp_mono", "int x;\n"),
        (Completion(text="It is so:\n\n<?php\n\necho 1;\n", language="php"), "php", "<?php\n\necho 1;\n"),
    ],
)
def test_language_and_source(given: Submission | Completion, language: str, source: str) -> None:
    taken = take(given, CATALOGUE, None)
    assert taken is not None
    assert (taken.language.id, taken.source) == (language, source)
    assert (taken.extraction is None) is isinstance(given, Submission)


def test_no_code() -> None:
    assert take(Completion(text=""), CATALOGUE, None) is None
    hinted = take(Completion(text="", language="python"), CATALOGUE, None)
    assert hinted is not None
    assert (hinted.language.id, hinted.source) == ("python", None)


@pytest.mark.parametrize("given", [Submission(source="", language="klingon"), Completion(text="", language="klingon")])
def test_unknown_language(given: Submission | Completion) -> None:
    with pytest.raises(LanguageUnavailable, match="klingon") as refused:
        take(given, CATALOGUE, None)
    assert refused.value.field == "language"
    assert "python" in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("case", "entry"),
    [
        (StdioCase(name="", input=b"", answer=b""), None),
        (CallCase(name="", function="solve", args=[], answer=0), "solve"),
        (CallCase(name="", function="Solution().run", args=[], answer=0), "Solution"),
        (AssertCase(name="", code="", style=AssertStyle.CHECK, entry_point="add"), "add"),
        (AssertCase(name="", code="", style=AssertStyle.BARE), None),
    ],
)
def test_entry_of(case: StdioCase | CallCase | AssertCase, entry: str | None) -> None:
    assert entry_of(Problem(tests=[case])) == entry
