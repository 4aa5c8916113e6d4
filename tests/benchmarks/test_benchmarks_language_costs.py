"""The table of languages: each has its row in the documentation, and the goal is a bound on box against plain command."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_costs import BEGIN, END, Cost, Row, table, written

from scalebox.languages.catalogue import load_languages

PAGE = Path(__file__).parents[2] / "docs" / "languages.md"
CATALOGUE = load_languages()


@pytest.mark.parametrize(
    ("box", "plain", "kept"),
    [
        ((130.0, 0.0), (100.0, 0.0), True),
        ((131.0, 0.0), (100.0, 0.0), False),
        ((0.0, 5.0), (0.0, 2.0), True),
        ((0.0, 5.1), (0.0, 2.0), False),
    ],
)
def test_the_goal_is_a_factor_or_a_few_milliseconds(
    box: tuple[float, float], plain: tuple[float, float], kept: bool
) -> None:
    assert Cost(plain_compile=plain[0], compile=box[0], start=plain[1], case=box[1]).kept is kept


def test_a_table_has_costs_or_the_reason() -> None:
    cpp, swift = CATALOGUE.get("cpp"), CATALOGUE.get("swift")
    assert cpp is not None
    assert swift is not None
    cost = Cost(plain_compile=400, compile=410.4, start=1.0, case=2.25)
    rows = [
        Row(language=cpp, version="12", cost=cost),
        Row(language=swift, version=None, reason="swiftc not found; do x"),
    ]
    made = table(rows, machine="here").splitlines()
    assert made[-2] == "| `cpp` | C++20 (GCC) | 12 | 400 | 410 | 1.0 | 2.2 | yes |"
    assert made[-1] == "| `swift` | Swift | not here: swiftc not found | | | | | |"


def test_a_page_keeps_all_but_the_table() -> None:
    assert written(f"a\n{BEGIN}\nold\n{END}\nb\n", "new") == f"a\n{BEGIN}\n\nnew\n\n{END}\nb\n"
    with pytest.raises(ValueError, match="has no lines"):
        written("a page", "new")


def test_every_language_has_its_row_in_the_documentation() -> None:
    made = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = [line for line in made.splitlines() if line.startswith("| `")]
    named = [(line.split("`")[1], line.split("|")[2].strip()) for line in rows]
    assert named == [(language.id, language.name) for language in CATALOGUE.tongues()], (
        "run benchmarks/language_costs.py --write docs/languages.md"
    )
