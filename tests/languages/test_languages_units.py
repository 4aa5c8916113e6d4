"""Unit-test frameworks judge in a box: each test is told of, and no program gets away with tests that were not run or did not pass."""

from __future__ import annotations

from typing import Final

import pytest
from languages.language_runs import CATALOGUE, language_of, needed
from languages.unit_rows import ADD, HELLO, PRINTS, PYTEST, RIGHT, Row
from languages.unit_rows_compiled import GO, JEST, JUNIT

from scalebox.core.errors import RequestError
from scalebox.core.limits import Limits
from scalebox.core.problem import CallCase, Problem, UnitCase
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission
from scalebox.core.verdict import Verdict
from scalebox.judge.local import LocalJudge
from scalebox.languages.definition import Language, SelfTest

pytestmark = pytest.mark.sandbox

QUICK: Final = frozenset({"pytest"})
"""Of which CI has the tools; the others are part of `make test-languages`."""
FRAMEWORKS: Final = [language for language in CATALOGUE if language.unit is not None]
ROWS: Final = [
    (name, row)
    for name, rows in (("pytest", PYTEST), ("go_test", GO), ("junit", JUNIT), ("jest", JEST))
    for row in rows
]


def _marks(framework: str) -> list[pytest.MarkDecorator]:
    return [] if framework in QUICK else [pytest.mark.languages]


def submission_to(framework: Language, source: str, language: str | None = None) -> Submission:
    """A program in the language that the framework tests."""
    assert framework.unit is not None
    return Submission(source=source, language=language or framework.unit.languages[0])


@pytest.mark.parametrize(
    ("framework", "test"),
    [
        pytest.param(language, test, id=f"{language.id}-{test.name}", marks=_marks(language.id))
        for language in FRAMEWORKS
        for test in language.self_tests
    ],
)
async def test_self_tests_get_the_verdict_due(judge: LocalJudge, framework: Language, test: SelfTest) -> None:
    await needed(judge, framework)
    assert framework.unit is not None
    case = UnitCase(name=test.name, framework=framework.id, files=framework.unit.self_test)
    limits = Limits(cpu_seconds=test.cpu_seconds, compile_seconds=120)
    judgement = await judge.judge(submission_to(framework, test.source), Problem(tests=[case], limits=limits))
    told = (judgement.compile and judgement.compile.message, judgement.cases[0].reason, judgement.cases[0].tests)
    assert judgement.verdict is test.verdict, told
    assert judgement.versions[framework.id], "a judgement names the framework that judged"


@pytest.mark.parametrize(
    ("name", "row"),
    [pytest.param(name, row, id=f"{name}-{row.id}", marks=_marks(name)) for name, row in ROWS],
)
async def test_tests_decide(judge: LocalJudge, name: str, row: Row) -> None:
    framework = language_of(name)
    await needed(judge, framework)
    problem = Problem(tests=[row.case(name)], limits=Limits(cpu_seconds=10, compile_seconds=120))
    judgement = await judge.judge(submission_to(framework, row.source, row.language), problem)
    case = judgement.cases[0]
    told = (case.reason, case.tests, judgement.compile and judgement.compile.message)
    assert judgement.verdict is row.verdict, told
    assert judgement.hardened is row.hardened
    assert row.reason in (case.reason or "")
    found = {test.name: test.outcome.value for test in case.tests or ()}
    assert {name: found.get(name) for name in row.tests} == row.tests
    if row.share is not None:
        assert judgement.score == pytest.approx(row.share)


async def test_what_needs_the_programs_process_is_not_judged_where_that_is_refused(judge: LocalJudge) -> None:
    await needed(judge, language_of("pytest"))
    problem = Problem(tests=[UnitCase(name="0", framework="pytest", files={"test_solution.py": PRINTS})])
    submission = Submission(source=HELLO, language="python")
    judgement = await judge.judge(submission, problem, JudgeOptions(hardened_only=True))
    assert judgement.verdict is Verdict.JE
    assert "not_hardened" in (judgement.cases[0].reason or "")


async def test_tests_that_are_named_must_run_and_others_need_not_pass(judge: LocalJudge) -> None:
    await needed(judge, language_of("pytest"))
    files = {
        "test_solution.py": "from solution import add\n\n\ndef test_a():\n    assert add(1, 1) == 2\n\n\ndef test_b():\n    assert add(1, 1) == 3\n"
    }
    verdicts = []
    for names in (["test_solution.py::test_a"], ["test_solution.py::test_a", "test_solution.py::test_c"]):
        case = UnitCase(name="0", framework="pytest", files=files, tests=names)
        verdicts.append((await judge.judge(Submission(source=RIGHT, language="python"), Problem(tests=[case]))).verdict)
    assert verdicts == [Verdict.AC, Verdict.WA]


@pytest.mark.parametrize(
    ("framework", "files", "language", "words"),
    [
        ("junit9", {"test_a.py": ""}, "python", "no unit-test framework"),
        ("python", {"test_a.py": ""}, "python", "no unit-test framework"),
        ("pytest", {"a.py": ""}, "python", "none of the files is called"),
        ("pytest", {"test_a.py": ""}, "bash", "tests programs in python"),
        ("pytest", {"test_a.py": "", "solution.py": ""}, "python", "is where the program's file goes"),
    ],
)
async def test_what_no_framework_can_run_is_refused(
    judge: LocalJudge, framework: str, files: dict[str, str], language: str, words: str
) -> None:
    await needed(judge, language_of("pytest"))
    problem = Problem(tests=[UnitCase(name="0", framework=framework, files=files)])
    with pytest.raises(RequestError, match=words):
        await judge.judge(Submission(source="", language=language), problem)


BRINGS: Final = {
    "pytest": (
        "def add(a, b):\n    return a + b\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
        "def test_add():\n    assert 1 == 2\n",
    ),
    "go_test": (
        'package add_test\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif 1+2 != 3 {\n\t\tt.Fatal()\n\t}\n}\n',
        'package main\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) { t.Fatal() }\n',
    ),
    "junit": (
        "import org.junit.jupiter.api.*;\npublic class AddTest {\n  @Test void add() { Assertions.assertEquals(3, 1 + 2); }\n}\n",
        "import org.junit.jupiter.api.*;\nclass AddTest {\n  @Test void add() { Assertions.fail(); }\n}\n",
    ),
    "jest": ("test('add', () => expect(1 + 2).toBe(3));\n", "test('add', () => expect(1 + 2).toBe(4));\n"),
}
"""Programs that bring their tests, as the compatibility routes take them: one whose tests pass, one whose do not."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in BRINGS])
async def test_a_program_that_brings_its_tests_is_run_by_its_framework(judge: LocalJudge, name: str) -> None:
    await needed(judge, language_of(name))
    codes = []
    for source in BRINGS[name]:
        limits = Limits(cpu_seconds=10, compile_seconds=120)
        report = await judge.run(Submission(source=source, language=name), RunSpec(limits=limits))
        assert report.run is not None, report.compile
        codes.append(report.run.exit_code)
    assert codes == [0, 1]


async def test_a_frameworks_name_stands_for_its_language_where_the_tests_are_the_problems(judge: LocalJudge) -> None:
    await needed(judge, language_of("pytest"))
    cases = [
        UnitCase(name="0", framework="pytest", files={"test_solution.py": ADD}),
        CallCase(name="1", function="add", args=[1, 2], answer=3),
    ]
    completion = Completion(text=f"Here:\n```python\n{RIGHT}```\n", language="pytest")
    judgement = await judge.judge(completion, Problem(tests=cases))
    assert judgement.verdict is Verdict.AC
    assert set(judgement.versions) == {"scalebox", "python", "pytest"}
