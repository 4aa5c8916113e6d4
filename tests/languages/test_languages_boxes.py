"""Every language that is here judges its self-tests truly in a box, at both levels: a right, a wrong, a slow and a crashing program."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Final

import pytest
import pytest_asyncio
from languages.language_runs import CATALOGUE, marks

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import Problem, StdioCase
from scalebox.core.submission import Submission
from scalebox.judge.local import LocalJudge
from scalebox.languages.definition import Language, SelfTest

pytestmark = pytest.mark.sandbox

_MEMORY: Final = 256 * MIB
_COMPILE_SECONDS: Final = 120.0
"""Much, as these tests are of verdicts; what compilers cost is measured elsewhere."""
ROWS: Final = [
    pytest.param(language, test, id=f"{language.id}-{test.name}", marks=marks(language))
    for language in CATALOGUE
    for test in language.self_tests
]


@pytest_asyncio.fixture(scope="module", params=["strict", "standard"])
async def judge(request: pytest.FixtureRequest) -> AsyncGenerator[LocalJudge, None]:
    try:
        async with open_judge(Settings(slots=1, isolation=request.param)) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


async def needed(judge: LocalJudge, language: Language) -> None:
    """Skip where a language's tools are not here; fail where they are, but do not work."""
    status = next(status for status in await judge.languages([language.id]) if status.id == language.id)
    if not status.available and "not found" in (status.reason or ""):
        pytest.skip(status.reason or "")
    assert status.available, status.reason


@pytest.mark.parametrize(("language", "test"), ROWS)
async def test_self_tests_get_the_verdict_due_in_a_box(judge: LocalJudge, language: Language, test: SelfTest) -> None:
    await needed(judge, language)
    limits = Limits(cpu_seconds=test.cpu_seconds, memory_bytes=_MEMORY, compile_seconds=_COMPILE_SECONDS)
    problem = Problem(tests=[StdioCase(name=test.name, input=test.input, answer=test.answer)], limits=limits)
    judgement = await judge.judge(Submission(source=test.source, language=language.id), problem)
    told = (judgement.compile and judgement.compile.message, judgement.cases[0].reason, judgement.cases[0].stderr)
    assert judgement.verdict is test.verdict, told
