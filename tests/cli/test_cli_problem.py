"""`scalebox problem verify`: its table and its exit status, over a judge in memory and once over the real one."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from scalebox.assembly import open_judge
from scalebox.cli import shared
from scalebox.cli.main import app
from scalebox.cli.problem import GENEROUS_CPU_SECONDS, Row, Verification, language_names, verify
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.problem import TestCase
from scalebox.core.result import LanguageStatus
from scalebox.core.verdict import Verdict
from scalebox.packages.load import load_package

PACKAGES: Final = Path(__file__).parents[1] / "packages" / "data"
DUE: Final = {
    "unsigned": Verdict.WA,
    "raises": Verdict.RTE,
    "counts": Verdict.TLE,
    "marked": Verdict.TLE,
}


def verdict_by_source(name: str) -> Callable[[str, TestCase], Verdict]:
    """The verdicts due for the submissions of one package, told by their text."""
    sources = {path.read_text(): path.stem for path in (PACKAGES / name / "submissions").rglob("*.py")}
    return lambda source, _: DUE.get(sources[source], Verdict.AC)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> MockJudge:
    """The judge that the command opens; its verdicts are the ones due in the package `sum`."""
    mock = MockJudge(verdict_of=verdict_by_source("sum"))

    @asynccontextmanager
    async def opened(_: Settings) -> AsyncGenerator[MockJudge, None]:
        await asyncio.sleep(0)
        yield mock

    monkeypatch.setattr(shared, "open_judge", opened)
    return mock


def call(*args: str) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    result = CliRunner().invoke(app, ["problem", "verify", *args])
    return result.exit_code, result.stdout, result.stderr


def row(out: str, name: str) -> list[str]:
    """The cells of a table's row."""
    [line] = [line for line in out.splitlines() if name in line]
    return [cell.strip() for cell in line.split("│")[1:-1]]


def test_every_submission_has_a_row_and_the_verdicts_due_end_with_0(judge: MockJudge) -> None:
    status, out, _ = call(str(PACKAGES / "sum"))
    assert status == 0
    assert "sum: Kattis legacy, 3 cases, checker tokens, 1 s CPU, 256 MiB" in out
    assert row(out, "accepted/add.py") == ["accepted/add.py", "python", "AC", "AC", "0.01", ""]
    assert row(out, "raises.py")[1:5] == ["python", "MLE or OLE or RTE", "RTE", "0.01"]
    assert row(out, "Add.fortran")[1:5] == [".fortran", "-", "skipped", ""]
    assert "5 as due, 0 not as due, 2 skipped" in out
    assert all(options.stop_on_failure and options.in_order for _, _, options in judge.calls)


def test_another_verdict_ends_with_1(judge: MockJudge) -> None:
    judge.verdict_of = lambda _source, _case: Verdict.AC
    status, out, _ = call(str(PACKAGES / "sum"))
    assert status == 1
    assert row(out, "unsigned.py")[2:4] == ["WA", "AC"]
    assert "1 as due, 4 not as due" in out


@pytest.mark.parametrize("verdict", [Verdict.JE, Verdict.IE])
def test_a_judge_that_fails_is_never_as_due(judge: MockJudge, verdict: Verdict) -> None:
    judge.verdict_of = lambda _source, _case: verdict
    status, out, _ = call(str(PACKAGES / "sum"))
    assert status == 1
    assert "0 as due, 5 not as due" in out


@pytest.mark.usefixtures("judge")
def test_a_language_that_is_missing_is_said_and_nothing_judged_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    known = MockJudge.languages

    async def without(self: MockJudge, only: Collection[str] = ()) -> list[LanguageStatus]:
        return [replace(status, available=False, reason="install it") for status in await known(self, only)]

    monkeypatch.setattr(MockJudge, "languages", without)
    status, out, _ = call(str(PACKAGES / "sum"))
    assert status == 1
    assert "python: install it" in out
    assert "0 as due, 0 not as due, 7 skipped" in out


def test_a_malformed_package_is_one_line_and_2(tmp_path: Path, judge: MockJudge) -> None:
    shutil.copytree(PACKAGES / "sum", tmp_path / "sum")
    (tmp_path / "sum/data/secret/2-negative.ans").unlink()
    status, _, err = call(str(tmp_path / "sum"))
    assert status == 2
    assert err.strip().endswith("data/secret/2-negative.in: has no answer; add 2-negative.ans beside it")
    assert not judge.calls


def test_a_time_limit_that_is_not_stated_follows_from_the_accepted(tmp_path: Path, judge: MockJudge) -> None:
    shutil.copytree(PACKAGES / "sum", tmp_path / "sum")
    (tmp_path / "sum/.timelimit").unlink()
    status, out, _ = call(str(tmp_path / "sum"))
    assert (status, "1 s CPU (computed)" in out) == (0, True)
    assert [problem.limits.cpu_seconds for _, problem, _ in judge.calls] == [GENEROUS_CPU_SECONDS, 1, 1, 1, 1]
    assert call(str(tmp_path / "sum"), "--time-limit", "7")[1].count("7 s CPU") == 1


@pytest.mark.parametrize(
    ("failing", "status", "cells"),
    [
        ("zero", 0, ["AC in part", "AC", "0.01", "30 of 100 points; secret/zero/1"]),
        ("none", 1, ["AC in part", "AC", "0.01", "100 of 100 points"]),
        ("secret", 1, ["AC in part", "WA", "0.01", "0 of 100 points; secret/small/1"]),
    ],
)
def test_a_scoring_package_is_graded_by_its_groups(
    judge: MockJudge, failing: str, status: int, cells: list[str]
) -> None:
    part = (PACKAGES / "shares/submissions/partially_accepted/small.py").read_text()
    wrong = (PACKAGES / "shares/submissions/wrong_answer/rounds.py").read_text()

    def verdict(source: str, case: TestCase) -> Verdict:
        failed = source == wrong or (source == part and failing in case.name)
        return Verdict.WA if failed else Verdict.AC

    judge.verdict_of = verdict
    found, out, _ = call(str(PACKAGES / "shares"))
    line = row(out, "small.py")
    assert (found, [cell.split(": exit")[0] for cell in line[2:]]) == (status, cells)
    assert not any(options.stop_on_failure for _, _, options in judge.calls)


def test_two_submissions_of_one_name_are_two_rows(judge: MockJudge) -> None:
    judge.verdict_of = lambda source, _case: Verdict.AC if "max(map" in source else Verdict.WA
    status, out, _ = call(str(PACKAGES / "polygon"))
    assert (status, "3 as due, 0 not as due, 2 skipped" in out) == (0, True)


def test_suffixes_and_names_tell_the_language() -> None:
    names = language_names()
    assert {names[key] for key in (".cc", ".cpp", ".cxx", "cpp")} == {"cpp"}
    assert (names[".py"], names["python3"], names.get("python2"), names[".c"]) == ("python", "python", None, "c")


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["sum", "shares", "even", "guess", "polygon"])
async def test_the_real_judge_gives_the_verdicts_due(name: str) -> None:
    try:
        async with open_judge(Settings(slots=2)) as real:
            package = load_package(PACKAGES / name, language_names())
            verification = await verify(real, package, stop_on_failure=package.grading is None)
    except IsolationUnavailable as error:
        pytest.skip(str(error))
    assert not verification.wrong, describe(verification)
    assert verification.judged


def describe(verification: Verification) -> str:
    """The rows that are wrong, for a failing test."""
    return json.dumps([shown(wrong) for wrong in verification.wrong])


def shown(wrong: Row) -> list[str]:
    """One row in words."""
    return [wrong.submission.name, str(wrong.submission.due), str(wrong.got), wrong.why]
