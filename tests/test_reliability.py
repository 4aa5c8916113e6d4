"""The page of faults names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "reliability.md"


def test_every_test_that_the_page_names_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    files = {path.name: path for path in TESTS.rglob("test_*.py")}
    named = set(re.findall(r"`(test_\w+\.py)`", text))
    assert named
    assert named <= set(files), named - set(files)
    defined = {
        name for file in named for name in re.findall(r"def (test_\w+)", files[file].read_text(encoding="utf-8"))
    }
    tests = set(re.findall(r"`(test_\w+)`", text))
    assert tests <= defined, tests - defined
