"""TypeScript as it is written for `tsc` and for Node.js: modules, `require`, both in one program."""

from __future__ import annotations

from typing import Final

import pytest
from languages.language_runs import language_of, needed

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.problem import Problem, StdioCase
from scalebox.core.submission import Submission
from scalebox.core.verdict import Verdict

pytestmark = [pytest.mark.sandbox, pytest.mark.languages]

PROGRAMS: Final = {
    "import and require": "import * as fs from 'fs';\nconst path = require('path');\nconsole.log(Number(fs.readFileSync(0, 'utf8')) * 2, path.sep);",
    "export and require": "export const f = (x: number) => x * 2;\nconsole.log(f(Number(require('fs').readFileSync(0, 'utf8'))), '/');",
    "started or imported": "export {};\nif (require.main === module) console.log(2 * Number(require('fs').readFileSync(0, 'utf8')), __dirname.charAt(0));",
    "await at top level": "import { readFileSync } from 'fs';\nconst x = await Promise.resolve(readFileSync(0, 'utf8'));\nconsole.log(2 * Number(x), '/');",
    "import.meta": "import { readFileSync } from 'fs';\nconsole.log(2 * Number(readFileSync(0, 'utf8')), new URL(import.meta.url).pathname.charAt(0));",
    "import =": "import fs = require('fs');\nconsole.log(2 * Number(fs.readFileSync(0, 'utf8')), '/');",
    "a decorator": "function same(f: any, c: any) { return f; }\nclass A { @same two() { return 2; } }\nconsole.log(new A().two() * 21, '/');",
}


@pytest.mark.parametrize("name", PROGRAMS)
async def test_a_program_runs_as_after_tsc(name: str) -> None:
    problem = Problem(tests=[StdioCase(name="one", input=b"21\n", answer=b"42 /\n")])
    async with open_judge(Settings(slots=1)) as judge:
        await needed(judge, language_of("typescript"))
        judgement = await judge.judge(Submission(source=PROGRAMS[name], language="typescript"), problem)
    assert judgement.verdict is Verdict.AC, (judgement.compile, judgement.cases)


async def test_what_is_no_typescript_is_told_once() -> None:
    problem = Problem(tests=[StdioCase(name="one", input=b"", answer=b"")])
    async with open_judge(Settings(slots=1)) as judge:
        await needed(judge, language_of("typescript"))
        judgement = await judge.judge(Submission(source="const x: = 3;", language="typescript"), problem)
    assert judgement.verdict is Verdict.CE
    assert judgement.compile is not None
    assert judgement.compile.message.count("Unexpected") == 1
