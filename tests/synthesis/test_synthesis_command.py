"""The commands of `scalebox judges` that make judges: clear words for bad input, a dry run that asks nobody, and the demo."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scalebox.cli.main import app
from scalebox.synthesis.domain import problem_id
from scalebox.synthesis.reading import ProblemsError, read_problem, read_problems

LINE = {"name": "p", "statement": "s", "tests": [{"input": "1\n", "answer": "2\n"}]}


def run(*args: str) -> tuple[int, str]:
    """Exit status and everything printed."""
    result = CliRunner().invoke(
        app, ["judges", *args], env={"COLUMNS": "200", "SCALEBOX_LLM_URL": "", "SCALEBOX_LLM_MODEL": ""}
    )
    return result.exit_code, result.output


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tests": []}, "tests"),
        ({"statement": ""}, "statement"),
        ({"colour": "red"}, "colour"),
        ({"tests": [{"input": "1"}]}, "tests.0.answer: neither tests.0.answer nor"),
        ({"tests": [{"input": "1", "input_base64": "MQ==", "answer": "2"}]}, "both given"),
        ({"tests": [{"input_base64": "!", "answer": "2"}]}, "tests.0.input_base64"),
        ({"tests": [{"name": "a", "input": "1", "answer": "2"}] * 2}, "two tests have one name"),
        ({"good_outputs": [{"case": "9", "output": "2"}]}, "good_outputs.0.case: there is no test '9'"),
        ({"limits": {"cpu_seconds": 0}}, "limits.cpu_seconds"),
    ],
)
def test_a_bad_problem_is_named(change: dict[str, object], words: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_problem(json.dumps({**LINE, **change}).encode(), "line 1")
    assert words in str(caught.value)


def test_two_problems_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text((json.dumps(LINE) + "\n") * 2)
    with pytest.raises(ProblemsError, match=r"line 2.*comes twice"):
        list(read_problems(path))


def test_a_problem_is_known_by_its_cases_in_any_order() -> None:
    two = [{"input": "1\n", "answer": "2\n"}, {"input": "3\n", "answer": "4\n"}]
    first = read_problem(json.dumps({**LINE, "tests": two}).encode(), "")
    second = read_problem(json.dumps({**LINE, "tests": two[::-1], "statement": "other words"}).encode(), "")
    third = read_problem(json.dumps({**LINE, "tests": [{"input": "1\n2", "answer": "\n"}, two[1]]}).encode(), "")
    assert first.id == second.id == problem_id(first.tests)
    assert third.id != first.id


def test_no_model_is_a_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(LINE) + "\n")
    status, output = run("synthesize", str(path), "--out", str(tmp_path / "out"))
    assert status == 2
    assert "SCALEBOX_LLM_URL" in output
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_a_clear_line(tmp_path: Path) -> None:
    status, output = run("synthesize", str(tmp_path / "none.jsonl"), "--out", str(tmp_path / "out"), "--dry-run")
    assert (status, "there is no file" in output) == (2, True)
    status, output = run("replay", str(tmp_path / "none.jsonl"))
    assert (status, "there is no file" in output) == (2, True)


def test_other_commands_pay_neither_for_the_database_nor_for_the_pipeline() -> None:
    asked = "import sys, scalebox.cli.main; print([m for m in ('sqlalchemy', 'scalebox.synthesis.pipeline') if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
    status, output = run("--help")
    assert (status, "synthesize" in output, "rollback" in output) == (0, True, True)
    assert run("nothing")[0] == 2


@pytest.mark.sandbox
def test_a_dry_run_prints_prompts_and_cost_and_asks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(LINE) + "\n")
    args = ("--dry-run", "--output-price", "10", "--reply-tokens", "1000", "--slots", "1")
    status, output = run("synthesize", str(path), "--out", str(tmp_path / "out"), *args)
    assert status == 0
    assert output.count("--- system") == 2
    assert "<<<STATEMENT" in output
    assert "2 first requests" in output
    assert "0.0200 at most" in output


@pytest.mark.sandbox
@pytest.mark.slow
def test_the_demo_ends_with_two_proved_judges() -> None:
    status, output = run("demo")
    assert status == 0, output
    assert "2 of 2 problems have a proved judge" in output
    assert "seating: any_construction" in output
