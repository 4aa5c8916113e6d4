"""The README's Python is run and must print what the README says; its requests must be judged."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scalebox.wire.parse import parse_json, validate
from scalebox.wire.v1 import JudgeV1

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)\n```\n\n```text\n(.*?)```", README, re.DOTALL)
REQUESTS = re.findall(r"```json\n(.*?)\n```\n", README, re.DOTALL)


def test_readme_has_examples() -> None:
    assert len(EXAMPLES) == 4
    assert len(REQUESTS) == 1


@pytest.mark.sandbox
@pytest.mark.parametrize(("source", "output"), EXAMPLES)
def test_readme_example_prints_what_it_says(source: str, output: str) -> None:
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == output


@pytest.mark.parametrize("request_text", REQUESTS)
def test_readme_request_is_valid(request_text: str) -> None:
    assert validate(JudgeV1, parse_json(json.dumps(json.loads(request_text)).encode()))
