"""Problems that want a judge, one JSON object a line. Refuses unknown fields, and says which line and field is at fault.

{"name", "statement", "tests": [{"name"?, "input" | "input_base64", "answer" | "answer_base64"}],
 "references"?: [{"source", "language"}], "wrong"?: [the same], "good_outputs"?: [{"case", "output" | "output_base64", "origin"?}],
 "bad_outputs"?: [the same], "limits"?: {"cpu_seconds"?, "memory_mb"?}}
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scalebox.core.errors import RequestError, ScaleBoxError
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import StdioCase
from scalebox.core.submission import Submission
from scalebox.synthesis.domain import KnownOutput, ProblemRecord
from scalebox.wire.fields import need_bytes

_STRICT: Final = ConfigDict(extra="forbid", frozen=True)


class ProblemsError(ScaleBoxError):
    """A line is no problem."""


class _Test(BaseModel):
    model_config = _STRICT
    name: str | None = None
    input: str | None = None
    input_base64: str | None = None
    answer: str | None = None
    answer_base64: str | None = None


class _Submission(BaseModel):
    model_config = _STRICT
    source: str
    language: str = "python"


class _Output(BaseModel):
    model_config = _STRICT
    case: str
    output: str | None = None
    output_base64: str | None = None
    origin: str = ""


class _Limits(BaseModel):
    model_config = _STRICT
    cpu_seconds: float = Field(default=10.0, gt=0, le=3600)
    memory_mb: int = Field(default=1024, ge=1, le=1 << 20)


class _Problem(BaseModel):
    model_config = _STRICT
    name: str = Field(min_length=1, max_length=500)
    statement: str = Field(min_length=1)
    tests: Sequence[_Test] = Field(min_length=1)
    references: Sequence[_Submission] = ()
    wrong: Sequence[_Submission] = ()
    good_outputs: Sequence[_Output] = ()
    bad_outputs: Sequence[_Output] = ()
    limits: _Limits = _Limits()


def read_problems(path: Path) -> Iterator[ProblemRecord]:
    """The problems of a file, plain or gzipped.

    Raises:
        ProblemsError: a line is none, or a name comes twice.
        OSError: it cannot be read.
    """
    names: set[str] = set()
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            problem = read_problem(line, f"{path}, line {number}")
            if problem.name in names:
                raise ProblemsError(f"{path}, line {number}: name: {problem.name!r} comes twice; give each its own")
            names.add(problem.name)
            yield problem


def read_problem(line: bytes, where: str) -> ProblemRecord:
    """One problem.

    Raises:
        ProblemsError: it is none.
    """
    try:
        model = _Problem.model_validate_json(line)
        return _record(model)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise ProblemsError(f"{where}: {field or 'the line'}: {first['msg']}") from None
    except RequestError as error:
        raise ProblemsError(f"{where}: {error.field}: {error.message}; {error.hint}") from None


def _record(model: _Problem) -> ProblemRecord:
    tests = [_case(test, number) for number, test in enumerate(model.tests)]
    names = {case.name for case in tests}
    if len(names) < len(tests):
        raise RequestError("two tests have one name", field="tests", hint="give each its own, or none")
    return ProblemRecord(
        name=model.name,
        statement=model.statement,
        tests=tests,
        references=[Submission(source=item.source, language=item.language) for item in model.references],
        wrong=[Submission(source=item.source, language=item.language) for item in model.wrong],
        good_outputs=_outputs(model.good_outputs, names, "good_outputs"),
        bad_outputs=_outputs(model.bad_outputs, names, "bad_outputs"),
        limits=Limits(cpu_seconds=model.limits.cpu_seconds, memory_bytes=model.limits.memory_mb * MIB),
    )


def _case(test: _Test, number: int) -> StdioCase:
    return StdioCase(
        name=test.name or str(number),
        input=need_bytes(test.input, test.input_base64, f"tests.{number}.input"),
        answer=need_bytes(test.answer, test.answer_base64, f"tests.{number}.answer"),
    )


def _outputs(items: Sequence[_Output], names: set[str], field: str) -> list[KnownOutput]:
    known = []
    for number, item in enumerate(items):
        if item.case not in names:
            hint = "write the name of one of the tests"
            raise RequestError(f"there is no test {item.case[:100]!r}", field=f"{field}.{number}.case", hint=hint)
        output = need_bytes(item.output, item.output_base64, f"{field}.{number}.output")
        known.append(KnownOutput(case=item.case, output=output, origin=item.origin))
    return known
