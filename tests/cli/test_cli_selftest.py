"""The shipped programs, the way they are judged and reported; once for real, and otherwise with a judge that has no opinion."""

from __future__ import annotations

import io
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest
from rich.console import Console

from scalebox.cli import demo, selftest
from scalebox.cli.examples import Example, ExampleError, Outcome, judge_examples, load_examples, reason_of, select
from scalebox.cli.shared import chosen_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable, QueueFull, ScaleBoxError
from scalebox.core.limits import Usage
from scalebox.core.problem import AssertCase, CallCase, Problem, StdioCase
from scalebox.core.result import (
    CaseResult,
    CheckResult,
    CompileResult,
    Health,
    Isolation,
    Judgement,
    LanguageStatus,
    RunReport,
)
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission
from scalebox.core.verdict import AGAINST, Verdict

EXAMPLES = load_examples(selftest.CORPUS)
PROBLEMS = load_examples(demo.PROBLEMS)
ISOLATION = Isolation(level="strict", walls=("pid", "landlock"))


def judgement(verdict: Verdict, *, compiled: CompileResult | None = None, case: CaseResult | None = None) -> Judgement:
    """A judgement of one case."""
    return Judgement(
        id="",
        verdict=verdict,
        reason=None,
        reward=None,
        score=None,
        passed=0,
        ran=1,
        total=1,
        hardened=True,
        cases=[case or CaseResult(name="0", verdict=verdict)],
        extraction=None,
        compile=compiled,
        usage=Usage(cpu_seconds=0.25),
        queue_seconds=0.0,
        isolation=ISOLATION,
        versions={},
        node="here",
    )


class KnowingJudge:
    """Gives every example the verdict due, and ``other`` to what it does not know; some languages are missing."""

    def __init__(
        self,
        examples: Sequence[Example],
        *,
        missing: Sequence[str] = (),
        other: Verdict = Verdict.AC,
        full: bool = False,
    ) -> None:
        self._due = [(example.submission, example.problem, example.due) for example in examples]
        self._missing = missing
        self._other = other
        self._full = full

    async def judge(self, submission: Submission | Completion, problem: Problem, options: JudgeOptions) -> Judgement:
        if self._full:
            raise QueueFull(1.0)
        due = (due for known, its, due in self._due if known == submission and its == problem)
        return judgement(next(due, self._other))

    async def run(self, submission: Submission | Completion, spec: RunSpec) -> RunReport:
        raise AssertionError("a selftest judges, it does not run")

    async def languages(self, only: Collection[str] = ()) -> Sequence[LanguageStatus]:
        return [
            LanguageStatus(
                id=name,
                name=name,
                aliases=(),
                available=name not in self._missing,
                version=None,
                reason=f"install {name}" if name in self._missing else None,
                compiled=False,
                world={},
            )
            for name in ("bash", "c", "cpp", "python")
        ]

    async def health(self) -> Health:
        return Health(
            ready=True,
            isolation=ISOLATION,
            missing_walls={"cgroup": "not writable"},
            slots=2,
            busy=0,
            queued=0,
            languages={},
            version="0",
            node="here",
        )


def printed(findings: selftest.Findings) -> str:
    page = io.StringIO()
    selftest.report(findings, Console(file=page, width=120))
    return page.getvalue()


def test_corpus_is_large_and_has_every_verdict_in_every_language() -> None:
    assert len(EXAMPLES) >= 60
    found = {(example.submission.language, example.due) for example in EXAMPLES}
    for language in ("python", "c", "cpp"):
        assert {(language, verdict) for verdict in AGAINST | {Verdict.AC}} <= found


def test_corpus_has_every_kind_of_case() -> None:
    kinds = Counter(type(case) for example in EXAMPLES for case in example.problem.tests)
    assert min(kinds[kind] for kind in (StdioCase, CallCase, AssertCase)) >= 5


def test_corpus_folders_are_named_for_their_language() -> None:
    assert not [example.name for example in EXAMPLES if example.name.split("/")[0] != example.submission.language]


def test_demo_problems_have_a_title_and_a_line_about_the_program() -> None:
    assert not [example.name for example in PROBLEMS if not (example.title and example.why)]


def test_wrong_programs_are_wrong_somewhere_else_than_in_the_first_case_too() -> None:
    greedy = next(example for example in PROBLEMS if example.name.endswith("change-greedy"))
    assert greedy.due is Verdict.WA
    assert len(greedy.problem.tests) > 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("why = 1", "why"),
        ('why = ""\nlanguage = "python"\nverdict = "OK"\n[problem]\ntests = []', "verdict"),
        ('why = ""\nlanguage = "python"\nverdict = "AC"\n[problem]\ntests = []', "problem.tests"),
        ("why = ", "case.toml"),
        ('surprise = 1\nwhy = ""\nlanguage = "python"\nverdict = "AC"\n[problem]\ntests = []', "case.toml"),
    ],
)
def test_malformed_case_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "case.toml").write_text(text)
    (tmp_path / "main.py").write_text("")
    with pytest.raises(ExampleError, match=message):
        load_examples(tmp_path)


def test_case_without_source_is_refused(tmp_path: Path) -> None:
    tests = '[[problem.tests]]\nkind = "stdio"\ninput = ""\nanswer = ""\n'
    (tmp_path / "case.toml").write_text(f'why = ""\nlanguage = "python"\nverdict = "AC"\n{tests}')
    with pytest.raises(ExampleError, match="exactly one source"):
        load_examples(tmp_path)


def test_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExampleError, match=r"no case\.toml"):
        load_examples(tmp_path)


async def test_right_verdicts_pass() -> None:
    findings = await selftest.examine(KnowingJudge(EXAMPLES), EXAMPLES)
    assert findings.wrong == []
    assert f"\n{len(EXAMPLES)} passed, 0 failed, 0 skipped\n" in printed(findings)


async def test_one_wrong_verdict_is_named() -> None:
    loop = next(example for example in EXAMPLES if example.name == "python/endless-loop")
    findings = await selftest.examine(KnowingJudge([]), [loop])
    text = printed(findings)
    assert "python/endless-loop" in text
    assert "0 passed, 1 failed" in text


async def test_missing_toolchain_is_left_out_and_said() -> None:
    judge = KnowingJudge(EXAMPLES, missing=("cpp",))
    findings = await selftest.examine(judge, EXAMPLES)
    assert findings.wrong == []
    assert all(name.startswith("cpp/") for name in findings.selection.skipped)
    assert findings.missing(["c", "cpp"]) == {"cpp"}
    assert ": cpp: install cpp" in printed(findings)


def test_attack_is_left_out_where_nothing_isolates() -> None:
    skipped = select(EXAMPLES, [], "none").skipped
    assert "python/kills-its-parent" in skipped
    assert "python/kills-its-parent" not in select(EXAMPLES, [], "standard").skipped
    assert select(EXAMPLES, [], "strict").skipped == {}


async def test_no_judgement_is_not_as_due() -> None:
    outcomes = await judge_examples(KnowingJudge([], full=True), EXAMPLES[:1])
    assert outcomes[0].got is None
    assert not outcomes[0].as_due
    assert "queue is full" in outcomes[0].reason


def test_only_keeps_the_language_named() -> None:
    assert {example.submission.language for example in selftest.only(EXAMPLES, ["c"])} == {"c"}
    assert selftest.only(EXAMPLES, []) == EXAMPLES


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ScaleBoxError, match="--language cobol"):
        selftest.only(EXAMPLES, ["cobol"])


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (judgement(Verdict.AC), ""),
        (judgement(Verdict.WA, case=CaseResult(name="0", verdict=Verdict.WA, reason="cut")), "cut"),
        (
            judgement(
                Verdict.WA,
                case=CaseResult(
                    name="0", verdict=Verdict.WA, check=CheckResult(verdict=Verdict.WA, name="tokens", detail="token 2")
                ),
            ),
            "token 2",
        ),
        (judgement(Verdict.RTE, case=CaseResult(name="0", verdict=Verdict.RTE, signal=11)), "signal 11"),
        (judgement(Verdict.RTE, case=CaseResult(name="0", verdict=Verdict.RTE, exit_code=3)), "exit code 3"),
        (
            judgement(
                Verdict.CE,
                compiled=CompileResult(
                    verdict=Verdict.CE, cached=False, usage=Usage(), message="main.c: In main\nmain.c:1: error: no\n"
                ),
            ),
            "main.c:1: error: no",
        ),
    ],
)
def test_reason_is_that_of_the_deciding_case(given: Judgement, reason: str) -> None:
    assert reason_of(given) == reason


async def test_demo_is_good_only_when_every_verdict_is_as_due() -> None:
    page = Console(file=io.StringIO(), width=160)
    assert await demo.show(KnowingJudge(PROBLEMS), PROBLEMS, page)
    assert not await demo.show(KnowingJudge([]), PROBLEMS, page)


@pytest.mark.sandbox
async def test_demo_is_good_without_namespaces_too() -> None:
    settings = Settings(isolation="standard", slots=2)
    try:
        async with chosen_judge(None, settings) as judge:
            assert await demo.show(judge, PROBLEMS, Console(file=io.StringIO(), width=160))
    except IsolationUnavailable as error:
        pytest.skip(str(error))


async def test_demo_names_the_isolation_and_what_is_missing() -> None:
    page = io.StringIO()
    await demo.show(KnowingJudge(PROBLEMS), PROBLEMS, Console(file=page, width=160))
    assert "Isolation: strict. Walls that are up: pid, landlock." in page.getvalue()
    assert "Not up: cgroup (not writable)." in page.getvalue()


def test_outcome_shows_markup_as_text() -> None:
    outcome = Outcome(example=PROBLEMS[0], got=Verdict.WA, reason="[/bold] is no tag")
    page = io.StringIO()
    Console(file=page, width=200).print(demo.table([outcome]))
    assert "[/bold] is no tag" in page.getvalue()


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["selftest", "demo"])
def test_every_shipped_program_gets_the_verdict_due(name: str) -> None:
    done = subprocess.run([sys.executable, "-m", "scalebox", name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
