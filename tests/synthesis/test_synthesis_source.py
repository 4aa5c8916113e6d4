"""The text of a judge is looked at for what no judge needs."""

from __future__ import annotations

import pytest

from scalebox.synthesis.source import faults_of
from scalebox.synthesis.templates.catalogue import TEMPLATES, draft_of

JUDGE = "def validate_solution(i, a, o):\n    {}\n    return True\n"


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("x = eval(open(o).read())", "eval"),
        ("exec(open(o).read())", "exec"),
        ("__import__('os')._exit(0)", "__import__"),
        ("import random", "random"),
        ("from time import time", "time"),
        ("import os; os._exit(0)", "os._exit"),
        ("from os import system", "os.system"),
        ("import importlib.util", "importlib"),
        ("open(o, 'w').close()", "write"),
    ],
)
def test_a_fault_is_named(line: str, word: str) -> None:
    [fault] = faults_of(JUDGE.format(line))
    assert word in fault


@pytest.mark.parametrize(
    "line",
    ["import os; os.path.getsize(o)", "from os.path import getsize", "import re, math", "open(o, 'rb').read()", "from collections import Counter"],
)  # fmt: skip
def test_what_judges_need_is_no_fault(line: str) -> None:
    assert not faults_of(JUDGE.format(line))


def test_what_is_no_python_is_a_fault() -> None:
    assert faults_of("def validate_solution(:")


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_have_no_fault(name: str) -> None:
    assert not faults_of(draft_of(name, {}, "def cost(data, made):\n    return 0\n").source)


@pytest.mark.parametrize("source", ["e = eval\ne('1')\n", "import os as o\no.system('x')\n", "list(map(exec, []))\n"])
def test_another_name_hides_nothing(source: str) -> None:
    assert faults_of(source)


def test_a_call_is_told_once() -> None:
    assert len(faults_of("eval('1')\n")) == 1
