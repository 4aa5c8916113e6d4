"""`scalebox judges evaluate`: several judges over labelled outputs and submissions, on the real judge; its page, figures and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from html_tags import Tags
from registry.samples import SUMS, new
from typer.testing import CliRunner

from scalebox.cli.main import app
from scalebox.registry.states import State
from scalebox.registry.store import Registry

MARKUP = "<b>&"
CRASHES = "def validate_solution(a, b, c):\n    return [][int(open(c).read().split()[0])]\n"
PROBLEM = {
    "name": "split",
    "statement": "split it",
    "tests": [{"name": "five", "input": "5\n", "answer": "2 3\n"}, {"name": "two", "input": "2\n", "answer": "1 1\n"}],
    "references": [{"source": "print(int(input()), 0)", "language": "python"}],
    "wrong": [
        {"source": "print(int(input()), 1)", "language": "python"},
        {"source": "1 / 0", "language": "python"},
    ],
    "bad_outputs": [{"case": "two", "output": "2 2\n"}],
}
OUTPUTS: list[dict[str, object]] = [
    {"problem": "split", "test": "five", "output": "5 0\n", "expected": "OK"},
    {"problem": "split", "test": "five", "output": "2 3\n", "expected": "AC"},
    {"problem": "split", "test": "five", "output": "5\n", "expected": "WA"},
    {"problem": "split", "test": "five", "output": "3 3\n", "expected": False},
    {"problem": "split", "test": "gone", "output": "3 3\n", "expected": "WA"},
    {"problem": MARKUP, "input": "1\n", "answer": "1\n", "output": MARKUP, "expected": "WA"},
]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with problems, outputs and judges."""
    (tmp_path / "problems.jsonl").write_text(json.dumps(PROBLEM) + "\n")
    (tmp_path / "outputs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in OUTPUTS))
    (tmp_path / "sums.py").write_text(SUMS)
    (tmp_path / "crashes.py").write_text(CRASHES)
    (tmp_path / "accepts.py").write_text("import sys\nsys.exit(0)\n")
    return tmp_path


def call(folder: Path, *args: str | Path, status: int = 0) -> str:
    """What the command prints."""
    result = CliRunner().invoke(
        app, ["judges", "evaluate", *map(str, args), "--registry", str(folder / "judges.db"), "--slots", "1"]
    )
    if "isolation" in result.output and result.exit_code == 2:
        pytest.skip(result.output)
    assert result.exit_code == status, result.output
    return " ".join(result.output.split())


@pytest.mark.sandbox
def test_judges_are_compared(files: Path) -> None:
    page, figures = files / "page.html", files / "figures.json"
    judges = ["tokens", f"good={files / 'sums.py'}", str(files / "accepts.py"), "own", f"odd={files / 'crashes.py'}"]
    sets: list[str | Path] = ["--problems", files / "problems.jsonl", "--outputs", files / "outputs.jsonl"]
    said = call(files, *judges, *sets, "--html", page, "--json", figures)
    assert "1 outputs belong to cases that are not here" in said
    found = {judge["name"].rpartition("/")[2]: judge for judge in json.loads(figures.read_text())["judges"]}
    assert {name: rates(judge) for name, judge in found.items()} == {
        # right: two outputs and the reference; wrong: four outputs, and of two programs the one that ends normally
        "good": ((3, 3), (5, 5), 0, 1),
        "accepts.py": ((3, 3), (0, 5), 0, 1),
        "tokens": ((1, 3), (5, 5), 0, 1),
        "own": ((0, 0), (0, 0), 0, 0),
        "odd": ((1, 3), (0, 5), 7, 1),
    }
    assert found["own"]["problems_without"] == 2
    assert found["good"]["problems"]["split"]["tpr"]["interval"] == pytest.approx([0.4385, 1.0], abs=1e-4)
    wrong = [(one["case"], one["right"], one["said"]) for one in found["tokens"]["mistakes"]]
    assert wrong == [("five", True, "WA"), ("five", True, "WA")]
    shown = [(one["input"], one["answer"], one["output"]) for one in found["tokens"]["mistakes"]]
    assert shown == [("5\n", "2 3\n", "5 0\n"), ("5\n", "2 3\n", "references 0")]
    check_page(page.read_text())


def rates(judge: dict[str, Any]) -> tuple[tuple[int, int], tuple[int, int], int, int]:
    """Hits and totals, and what broke or was undecided."""
    pairs = [(judge[name]["hits"], judge[name]["total"]) for name in ("tpr", "tnr")]
    return pairs[0], pairs[1], judge["broken"], judge["undecided"]


def check_page(text: str) -> None:
    """Well-formed, alone in the world, and what outputs say is text."""
    tags = Tags()
    tags.feed(text)
    assert not tags.open
    assert not tags.addresses
    assert not {"script", "link", "img", "iframe", "b"} & tags.seen
    assert "&lt;b&gt;&amp;" in text
    assert "url(" not in text
    for words in ("Accepted a wrong output", "Refused a right output", "Broke over a right output", "references 0"):
        assert words in text
    problems = text[text.index("<h2>By problem") :]
    assert problems.index(">split<") < problems.index("&lt;b&gt;&amp;")  # the first judge was wrong there alone


@pytest.mark.sandbox
def test_what_is_measured_is_kept_and_proves_drafts(files: Path) -> None:
    registry = Registry(str(files / "judges.db"))
    good = registry.add(new(state=State.DRAFT))[0].id
    lax = registry.add(new("def validate_solution(a, b, c):\n    return True\n", state=State.DRAFT))[0].id
    sets: list[str | Path] = ["--problems", files / "problems.jsonl", "--outputs", files / "outputs.jsonl", "--record"]
    said = call(files, good, lax, *sets, "--min-tpr", "0.97", "--min-tnr", "0.95")
    assert "problems.jsonl" in said
    states = {judge.id: judge.state for judge in registry.list()}
    assert states == {good: State.VALIDATED, lax: State.DRAFT}
    kept = registry.get(good).rates
    assert kept is not None
    assert (kept.right.hits, kept.wrong.hits, kept.measured_on) == (3, 4, "outputs.jsonl and problems.jsonl")
    registry.activate(good)
    figures = files / "figures.json"
    call(files, "registry", *sets, "--json", figures)
    [judge] = json.loads(figures.read_text())["judges"]
    assert (judge["tpr"]["share"], judge["tnr"]["share"], judge["problems_without"]) == (1.0, 1.0, 1)
    assert judge["problems"]["split"]["judge"] == good
    registry.close()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "Missing argument"),
        (["tokens"], "on what?"),
        (["tokens", "--outputs", "/none"], "there is no file"),
        (["tokens", "--outputs", "OUTPUTS", "--min-tpr", "0.5"], "go together"),
        (["tokens", "--outputs", "OUTPUTS", "--only", "odd"], "there is no problem 'odd'"),
        (["nobody", "--outputs", "OUTPUTS"], "there is no judge or problem 'nobody'"),
        (["odd:SUMS", "--outputs", "OUTPUTS"], "there is no protocol 'odd'"),
        (["tokens", "--outputs", "BAD"], "line 2: nobody knows what this output is worth"),
        (["tokens", "--problems", "BARE"], "no output and no submission has a label"),
    ],
)
def test_what_cannot_be_is_one_clear_line(files: Path, args: list[str], words: str) -> None:
    (files / "bad.jsonl").write_text(json.dumps(OUTPUTS[5]) + "\n" + json.dumps(OUTPUTS[5] | {"expected": 3}) + "\n")
    (files / "bare.jsonl").write_text(json.dumps({"name": "x", "tests": PROBLEM["tests"]}) + "\n")
    names = {"OUTPUTS": "outputs.jsonl", "SUMS": "sums.py", "BAD": "bad.jsonl", "BARE": "bare.jsonl"}
    given = [
        next((arg.replace(mark, str(files / name)) for mark, name in names.items() if mark in arg), arg) for arg in args
    ]
    result = CliRunner().invoke(app, ["judges", "evaluate", *given, "--registry", str(files / "judges.db")])
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())
