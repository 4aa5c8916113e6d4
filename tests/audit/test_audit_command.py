"""`scalebox audit` over a small data set that has one of each flaw, on the real judge; its files, its status, its errors."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
from audit import dataset
from audit.dataset import Tree
from html_tags import Tags
from typer.testing import CliRunner

from scalebox.api.app import create_app
from scalebox.assembly import open_judge
from scalebox.audit import records
from scalebox.audit.audit import Options, Outcome, audit
from scalebox.audit.findings import Flaw
from scalebox.audit.measure import measure
from scalebox.audit.page import render
from scalebox.cli import shared
from scalebox.cli.main import app
from scalebox.client.client import HttpJudge
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable, JudgeUnreachable
from scalebox.core.limits import Limits
from scalebox.core.ports import Judge
from scalebox.core.verdict import Verdict
from scalebox.rows.read import Line
from scalebox.rows.recognise import read_row
from scalebox.rows.row import ReadOptions, Row

MARKUP: Final = "<b>&"
OPTIONS: Final = Options(read=ReadOptions(limits=Limits(cpu_seconds=2.0)), runs=1, jobs=2)
JUDGE: Final = (
    "import sys\n"
    "n = int(open('stdin.txt').read())\n"
    "ours = list(map(int, open('answer.txt').read().split()))\n"
    "sys.exit(sum(ours) != n)\n"
)


def rows() -> list[Tree | str]:
    """One of each."""
    judged = dataset.verl("judged", dataset.SPLIT, [("5\n", "2 3\n")])
    judged["reward_model"]["ground_truth"] = json.dumps({
        "test_cases": {"input": ["5\n"], "output": ["2 3\n"]},
        "special_judge_program": JUDGE,
    })
    call = {"fn_name": "third", "inputs": [[1], [3]], "outputs": [0.33333333, 1.0]}
    return [
        dataset.verl("right", dataset.SUM, [("1 2\n", "3\n"), ("4 5\n", "9\n")]),
        dataset.verl("last-newline", dataset.SUM, [("1 2\n", "3"), ("4 5\n", "9\n")]),
        dataset.verl("floats", dataset.HALF, [("1\n", "0.33333333\n"), ("3\n", "1\n")]),
        dataset.verl(MARKUP, dataset.SPLIT, [("5\n", "2 3\n"), ("2\n", "1 1\n")]),
        judged,
        dataset.verl("crash", dataset.CRASH, [("1\n", "1\n"), ("2\n", "2\n")]),
        dataset.verl("flaky", dataset.COUNTS, [("1\n", "1 0\n")]),
        dataset.verl("empty", dataset.SUM, []),
        dataset.verl("syntax", "print(", [("1\n", "1\n")]),
        {"id": "call", "ground_truth": call, "solution": "def third(n):\n    return n / 3\n"},
        dataset.verl("klingon", dataset.SUM, [("1 2\n", "3\n")]) | {"language": "klingon"},
        dataset.verl("twice", dataset.SUM, [("1 2\n", "3\n"), ("1 2\n", "3\n"), ("1 2\n", "4\n")]),
        {"id": "strange", "statement": "no cases here"},
        "{broken",
    ]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set in a file."""
    return dataset.written(tmp_path_factory.mktemp("audit") / "rows.jsonl", rows())


def call(*args: str | Path) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    result = CliRunner().invoke(app, ["audit", *map(str, args)])
    return result.exit_code, result.stdout, " ".join(result.stderr.split())


def flaws(outcome: Outcome) -> dict[str, list[Flaw]]:
    """What was found, by problem."""
    return {problem.report.id: [one.flaw for one in problem.report.findings] for problem in outcome.problems}


@pytest.mark.sandbox
def test_each_flaw_is_found_and_the_files_say_so(source: Path, tmp_path: Path) -> None:
    page, figures, advice = (tmp_path / name for name in ("page.html", "figures.json", "advice.jsonl"))
    status, out, err = call(
        source, "--repeat", "3", "--slots", "1", "--html", page, "--json", figures, "--suggestions", advice
    )
    if "isolation" in err:
        pytest.skip(err)
    assert (status, err) == (1, "")
    assert "14 rows: 11 problems audited with 18 cases, 2 rows not readable, 1 not audited" in out
    tree = json.loads(figures.read_text())
    assert [(row["compared"], row["rejected"], row["by_comparison"]) for row in tree["rejections"]] == [
        (10, 9, 7),
        (10, 8, 6),
        (10, 6, 4),
        (1, 0, 0),
    ]
    assert tree["remaining"] == {"own_checker": 1, "other_comparison": 0, "special_judge": 3}
    counted = {count["flaw"]: count["problems"] for count in tree["counts"] if count["problems"]}
    assert counted == {
        "reference does not compile": 1,
        "reference fails": 1,
        "no cases": 1,
        "no comparison accepts the reference": 3,
        "same input, different answers": 1,
        "floats are needed": 2,
        "only exact comparison rejects": 1,
        "output differs from run to run": 1,
        "repeated inputs": 1,
        "refused by the judge": 1,
    }
    check_advice(advice)
    check_page(page.read_text())


def check_advice(path: Path) -> None:
    """Each problem gets what it needs, with the reason."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    actions = {line["id"]: {one["action"]: one["value"] for one in line["suggestions"]} for line in lines}
    assert actions == {
        "last-newline": {"checker": {"name": "lines"}},
        "floats": {"checker": {"name": "floats", "abs": 1e-6, "rel": 1e-6}},
        MARKUP: {"special_judge": None},
        "crash": {"drop": ["1"]},
        "flaky": {"special_judge": None},
        "empty": {"cases": None},
        "syntax": {"reference": None},
        "call": {"tolerance": {"abs": 1e-6, "rel": 1e-6}},
        "twice": {"special_judge": None, "drop": ["2"]},
    }
    assert all(one["reason"] for line in lines for one in line["suggestions"])
    assert all(set(line) == {"row", "id", "suggestions"} for line in lines)


def check_page(text: str) -> None:
    """Well-formed, alone in the world, the worst first, and what a data set says is text."""
    tags = Tags()
    tags.feed(text)
    assert not tags.open
    assert not tags.addresses
    assert not {"script", "link", "img", "iframe", "b"} & tags.seen
    assert "url(" not in text
    assert "@import" not in text
    assert "&lt;b&gt;&amp;" in text
    headings = re.findall(r"<h3>(\S+) ", text)
    assert headings[:3] == ["syntax", "crash", "empty"]
    assert "prefers-color-scheme: dark" in text
    assert "row 14" in text


def lines_of(given: list[Tree | str]) -> list[Line]:
    """Rows as the lines of a file."""
    texts = [row if isinstance(row, str) else json.dumps(row) for row in given]
    return [Line(number=number, data=text.encode()) for number, text in enumerate(texts, 1)]


@asynccontextmanager
async def real_judge() -> AsyncGenerator[Judge, None]:
    """The judge of this machine."""
    try:
        async with open_judge(Settings(slots=1)) as judge:
            yield judge
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.sandbox
async def test_outputs_that_no_judgement_shows_whole_are_compared_whole() -> None:
    big = "print('x' * 100_000)\nprint(input())\n"
    answer = "x" * 100_000
    given: list[Tree | str] = [
        dataset.verl("same", big, [("1\n", f"{answer}\n1\n")]),
        dataset.verl("late", big, [("1\n", f"{answer}\n2\n")]),
        dataset.verl("last-newline", big, [("1\n", f"{answer}\n1")]),
    ]
    async with real_judge() as judge:
        found = flaws(await audit(judge, lines_of(given), OPTIONS))
    assert found == {"same": [], "late": [Flaw.SPECIAL], "last-newline": [Flaw.EXACT]}


@pytest.mark.sandbox
async def test_a_verdict_that_changes_from_run_to_run_is_flaky() -> None:
    flips = "import os\nprint(input() if os.urandom(1)[0] < 128 else 0)\n"
    given: list[Tree | str] = [dataset.verl("flips", flips, [(f"{n}\n", f"{n}\n") for n in range(1, 31)])]
    options = Options(read=OPTIONS.read, runs=4)
    async with real_judge() as judge:
        [problem] = (await audit(judge, lines_of(given), options)).problems
    assert problem.report.has(Flaw.FLAKY)


@pytest.mark.sandbox
async def test_limits_are_measured() -> None:
    slow = "import time\nend = time.process_time() + 0.7\nwhile time.process_time() < end:\n    pass\nprint(1)\n"
    endless = "while True:\n    pass\n"
    given: list[Tree | str] = [
        dataset.verl("slow", slow, [("", "1\n")]),
        dataset.verl("endless", endless, [("", "1\n")]),
    ]
    options = Options(read=ReadOptions(limits=Limits(cpu_seconds=1.0)))
    async with real_judge() as judge:
        outcome = await audit(judge, lines_of(given), options)
    assert flaws(outcome) == {"slow": [Flaw.NEAR], "endless": [Flaw.FAILS]}
    assert [[one.action for one in problem.advice] for problem in outcome.problems] == [["cpu_s"], ["cpu_s"]]


@pytest.mark.sandbox
async def test_test_code_decides_where_nothing_is_compared() -> None:
    right = {"assert_case": ["assert f(1) == 2", "assert f(2) == 3"]}
    wrong = {"assert_case": ["assert f(1) == 2", "assert f(2) == 4"]}
    given: list[Tree | str] = [
        {"id": name, "ground_truth": truth, "solution": "def f(n):\n    return n + 1\n"}
        for name, truth in (("right", right), ("wrong", wrong))
    ]
    async with real_judge() as judge:
        outcome = await audit(judge, lines_of(given), OPTIONS)
    assert flaws(outcome) == {"right": [], "wrong": [Flaw.OWN]}
    assert [row.compared for row in outcome.figures.rejections] == [0, 0, 0, 0]


def echo(judge: MockJudge, wrong: Verdict = Verdict.AC) -> MockJudge:
    """A judge whose programs all print ``out`` and get one verdict."""
    judge.verdict_of = lambda _source, _case: wrong
    return judge


def printing(name: str) -> Tree:
    """A row that the judge in memory accepts."""
    return dataset.verl(name, "pass", [("", "out\n")])


async def test_results_are_kept_and_not_measured_again(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    first, second = MockJudge(), MockJudge()
    given: list[Tree | str] = [printing("a"), printing("b")]
    before = await audit(first, lines_of(given), OPTIONS, results)
    with results.open("ab") as file:
        file.write(b'{"key": "torn')
    after = await audit(second, lines_of(["{bad", *given, printing("c")]), OPTIONS, results)
    assert [len(judge.calls) for judge in (first, second)] == [2, 1]
    assert [problem.report.id for problem in after.problems] == ["a", "b", "c"]
    assert [problem.report.row for problem in after.problems] == [2, 3, 4]
    assert len(before.problems) == 2
    assert len(results.read_bytes().splitlines()) == 3


async def test_other_settings_are_measured_anew(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    judge = MockJudge()
    for options in (OPTIONS, Options(read=OPTIONS.read, runs=2), Options(read=ReadOptions(), runs=1)):
        await audit(judge, lines_of([printing("a")]), options, results)
    assert len(judge.calls) == 1 + 2 + 1


async def test_what_was_not_judged_is_measured_again(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    judge = MockJudge(errors=[JudgeUnreachable("away")])
    away = await audit(judge, lines_of([printing("a"), printing("b")]), OPTIONS, results)
    assert flaws(away) == {"a": [Flaw.UNJUDGED], "b": []}
    back = await audit(judge, lines_of([printing("a"), printing("b")]), OPTIONS, results)
    assert flaws(back) == {"a": [], "b": []}
    assert len(judge.calls) == 3


@pytest.mark.parametrize("verdict", [Verdict.IE, Verdict.SK])
async def test_a_case_that_was_not_run_is_no_evidence(verdict: Verdict) -> None:
    row = read_row(1, json.dumps(printing("a")).encode(), OPTIONS.read)
    assert isinstance(row, Row)
    measurement = await measure(echo(MockJudge(), verdict), row, 1)
    assert not records.is_final(measurement)
    assert measurement.cases == ()


async def test_measurements_survive_their_file(tmp_path: Path) -> None:
    row = read_row(1, json.dumps(dataset.verl("a", "pass", [("", "other\n"), ("", "out")])).encode(), OPTIONS.read)
    assert isinstance(row, Row)
    measurement = await measure(MockJudge(), row, 2)
    path = tmp_path / "results.jsonl"
    path.write_bytes(records.record_line("k", measurement))
    assert list(records.resume(path)) == ["k"]
    again = records.resume(path)["k"]
    assert list(again.cases) == list(measurement.cases)
    assert again.repetitions == measurement.repetitions


async def test_an_audit_over_http_says_the_same() -> None:
    given: list[Tree | str] = [printing("a"), dataset.verl("b", "pass", [("", "out"), ("1", "x\n")]), "{bad"]
    near = await audit(MockJudge(), lines_of(given), OPTIONS)
    transport = httpx2.ASGITransport(app=create_app(MockJudge(), Settings()))
    async with HttpJudge("http://scalebox", transport=transport) as judge:
        far = await audit(judge, lines_of(given), OPTIONS)
    assert (far.figures, far.problems, far.bad) == (near.figures, near.problems, near.bad)
    assert flaws(far) == {"a": [], "b": [Flaw.SPECIAL]}


@pytest.fixture
def mock(monkeypatch: pytest.MonkeyPatch) -> MockJudge:
    """The judge that the command opens."""
    judge = MockJudge()

    @asynccontextmanager
    async def opened(_: Settings) -> AsyncGenerator[MockJudge, None]:
        yield judge

    monkeypatch.setattr(shared, "open_judge", opened)
    return judge


@pytest.mark.usefixtures("mock")
def test_a_data_set_without_flaws_ends_with_0(tmp_path: Path) -> None:
    path = dataset.written(tmp_path / "rows.jsonl", [printing("a"), printing("b")])
    status, out, _ = call(path)
    assert status == 0
    assert "2 rows: 2 problems audited" in out
    assert "Found" not in out


def test_only_the_first_rows_where_so_asked(tmp_path: Path, mock: MockJudge) -> None:
    path = dataset.written(tmp_path / "rows.jsonl", [printing("a"), "", printing("b"), "{bad"])
    assert call(path, "--limit", "2")[0] == 0
    assert len(mock.calls) == 2


def test_every_case_is_asked_for_with_its_output_and_once_a_run(tmp_path: Path, mock: MockJudge) -> None:
    path = dataset.written(tmp_path / "rows.jsonl", [dataset.verl("a", "pass", [("", "no\n"), ("1", "out\n")])])
    assert call(path, "--repeat", "2")[0] == 0
    assert len(mock.calls) == 2
    for _, problem, options in mock.calls:
        assert len(problem.tests) == 2
        assert options.keep_output
        assert not options.stop_on_failure


@pytest.mark.usefixtures("mock")
@pytest.mark.parametrize(
    ("content", "args", "words"),
    [
        (None, [], "there is no file"),
        ("", [], "has no rows"),
        ("\n \n", [], "has no rows"),
        ('[{"a": 1}]', [], "is a JSON array"),
        ("PAR1...", [], "is a Parquet file"),
        ("{}", ["--html", "no/such/page.html"], "there is no folder no/such"),
        ("{}", ["--json", "."], "it is a folder"),
        ("{}", ["--json", "x", "--html", "x"], "two outputs have one name"),
        ("{}", ["--results", "rows.jsonl"], "is the data set itself"),
        ("{}", ["--results", "results.jsonl"], "line 1 is no result of an audit"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None, args: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("results.jsonl").write_text("something else\n")
    if content is not None:
        Path("rows.jsonl").write_text(content)
    status, out, err = call("rows.jsonl", *args)
    assert (status, out) == (2, "")
    assert words in err


def test_the_server_is_named_where_it_is_away(tmp_path: Path) -> None:
    path = dataset.written(tmp_path / "rows.jsonl", [printing("a")])
    status, _, err = call(path, "--server", "http://127.0.0.1:9")
    assert status == 2
    assert "http://127.0.0.1:9" in err


async def test_a_page_of_many_problems_shows_the_worst() -> None:
    given: list[Any] = [dataset.verl(f"p{number}", "pass", [("", "out")]) for number in range(203)]
    outcome = await audit(MockJudge(), lines_of([*given, dataset.verl("worst", "pass", [("", "x")])]), OPTIONS)
    text = render(outcome, "rows.jsonl", ["a fact"])
    assert text.count("<article") == 200
    assert "The 200 worst of 204 problems" in text
    assert re.findall(r"<h3>(\S+) ", text)[0] == "worst"
