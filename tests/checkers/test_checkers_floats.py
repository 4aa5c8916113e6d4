"""Which tokens are numbers, and when two of them are close enough."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scalebox.checkers.catalogue import check
from scalebox.checkers.excerpts import describe
from scalebox.core.problem import CheckerSpec
from scalebox.core.verdict import Verdict

KATTIS = Path(__file__).parents[2].parent / "shared" / "data" / "kattis_default_validator_cases.json"
FLOATS = CheckerSpec(name="floats")
ABSOLUTE = CheckerSpec(name="floats", mode="abs", absolute=0.1, relative=1.0)
RELATIVE = CheckerSpec(name="floats", mode="rel", absolute=1.0, relative=0.01)
TOLERANT = CheckerSpec(name="floats", exact_integers=False, absolute=0.5, relative=0.0)
STRICT = CheckerSpec(name="floats", absolute=0.0, relative=0.0)


@pytest.mark.parametrize(
    ("spec", "output", "answer", "accepted"),
    [
        (FLOATS, b"0.333333", b"0.333333333333", True),
        (FLOATS, b"1e-09", b"0.0", True),  # relative alone fails at zero
        (FLOATS, b"0.3333333333 0.6666666667", b"0.33333333\n0.66666667", True),
        (FLOATS, b"-0.0", b"0.0", True),
        (FLOATS, b"1e-07", b"0.0000001", True),
        (FLOATS, b"3", b"3.0", True),
        (FLOATS, b"3.0", b"3", True),
        (FLOATS, b"2.99999999", b"3", True),
        (FLOATS, b"1000000008 0.5", b"1000000007 0.50000001", False),  # integers are exact
        (FLOATS, b"1000000008.0", b"1000000007", False),  # however they are written
        (FLOATS, b"1.000000008e9", b"1000000007", False),
        (FLOATS, b"1000000007.3", b"1000000007", True),
        (FLOATS, b"1000000008.0", b"1000000007.0", True),  # the answer declares a float
        (FLOATS, b"007 -0 +5", b"7 0 5", True),
        (FLOATS, b"-7", b"7", False),
        (FLOATS, b"nan", b"1.0", False),
        (FLOATS, b"nan", b"nan", True),
        (FLOATS, b"NaN", b"nan", False),
        (FLOATS, b"inf", b"1e300", False),
        (FLOATS, b"inf", b"1.414213562", False),
        (FLOATS, b"1e400", b"1.414213562", False),
        (FLOATS, b"1.0", b"1e999999999", False),
        (FLOATS, b"1e999999999", b"1.0000000001e999999999", True),
        (FLOATS, b"1e-99999999999999999999", b"0.0", True),
        (FLOATS, b"1e99999999999999999999", b"1e99999999999999999998", False),
        (FLOATS, b"1e999999999999999999", b"-1e999999999999999999", False),
        (FLOATS, b"1.7e308", b"-1.7e308", False),
        (FLOATS, b"1_0 0x10", b"10.0 16.0", False),
        (FLOATS, "\uff11.0".encode(), b"1.0", False),
        (FLOATS, b". e5", b"0.5 0.5", False),
        (FLOATS, b"1. .5 +1e+0", b"1.0 0.5 1.0", True),
        (FLOATS, b"1.0 x", b"1.0 y", False),
        (FLOATS, b"1.0", b"1.0 2.0", False),
        (FLOATS, b"1.0 2.0 3.0", b"1.0 2.0", False),
        (FLOATS, b"0." + b"3" * 1_000_000, b"0.3333333333", True),
        (FLOATS, b"3" * 1_000_000 + b"4", b"3" * 1_000_000 + b"5", False),
        (FLOATS, b"3" * 1_000_000 + b".0", b"3" * 1_000_000, True),
        (FLOATS, b"1.0000001 yes", b"1.0 YES", False),
        (CheckerSpec(name="floats", case_sensitive=False), b"1.0000001 yes", b"1.0 YES", True),
        (CheckerSpec(name="floats", space_sensitive=True), b"1.0000001  2", b"1.0 2", False),
        (ABSOLUTE, b"1.1", b"1.0", True),  # exactly on the edge, which binary fractions miss
        (ABSOLUTE, b"1.1000000000000000001", b"1.0", False),
        (ABSOLUTE, b"100.2", b"100.0", False),  # the relative tolerance is not asked
        (RELATIVE, b"101.0", b"100.0", True),
        (RELATIVE, b"101.01", b"100.0", False),
        (RELATIVE, b"0.5", b"0.0", False),
        (TOLERANT, b"1.4", b"1", True),
        (TOLERANT, b"2", b"1", False),
        (STRICT, b"1.50", b"1.5", True),
        (STRICT, b"1.50000000000000000001", b"1.5", False),
    ],
    ids=describe,
)
def test_floats(spec: CheckerSpec, output: bytes, answer: bytes, accepted: bool) -> None:
    result = check(spec, output, answer)
    assert (result.verdict is Verdict.AC) is accepted
    surrounded = check(spec, b"7.5 " * 20_000 + output, b"7.5\n" * 20_000 + answer)
    assert (surrounded.verdict is Verdict.AC) is (accepted and not spec.space_sensitive)


def test_the_difference_names_the_tolerance_and_hides_the_answer() -> None:
    result = check(FLOATS, b"0.5 0.75", b"0.5 0.8125")
    assert result.detail == (
        "line 1, token 2 (column 5): the output has '0.75' which is not the answer's number "
        "(tolerance 1e-06 absolute or 1e-06 relative; integers exact)"
    )
    assert result.answer_excerpt == "0.8125"


def _kattis_rows() -> list[dict[str, str]]:
    if not KATTIS.exists():
        return []
    rows: list[dict[str, str]] = json.loads(KATTIS.read_text(encoding="utf-8"))
    # One row lost its bytes on the way into JSON: both texts are the same replacement characters.
    return [row for row in rows if row["output"] != row["answer"] or row["expected"] == "OK"]


def _kattis_spec(flags: str) -> CheckerSpec:
    words = iter(flags.split())
    tolerance: dict[str, float] = {}
    options: set[str] = set()
    for word in words:
        if not word.startswith("float_"):
            options.add(word)
            continue
        value = float(next(words))
        kinds = {"float_absolute_tolerance": ("abs",), "float_relative_tolerance": ("rel",)}.get(word, ("abs", "rel"))
        tolerance |= dict.fromkeys(kinds, value)
    return CheckerSpec(
        name="floats" if tolerance else "tokens",
        case_sensitive="case_sensitive" in options,
        space_sensitive="space_change_sensitive" in options,
        absolute=tolerance.get("abs", 0.0),
        relative=tolerance.get("rel", 0.0),
        exact_integers=False,
    )


@pytest.mark.skipif(not KATTIS.exists(), reason="the shared data are not beside this checkout")
def test_kattis_default_validator() -> None:
    rows = _kattis_rows()
    assert len(rows) == 23
    wrong = [
        row["name"]
        for row in rows
        if (check(_kattis_spec(row["flags"]), row["output"].encode(), row["answer"].encode()).verdict is Verdict.AC)
        is not (row["expected"] == "OK")
    ]
    assert wrong == []
