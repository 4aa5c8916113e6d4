"""HumanEval, MBPP and their plus sets as problems: test code as published, answers of the plus sets from plain runs of the references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from acceptance import evalplus_rule, shared
from acceptance.judging import Item
from acceptance.mutants import Mutant, mutants
from acceptance.plain import Called, Opaque, PlainJob, PlainReport, run_plain
from acceptance.shared import FULL, HumanEvalRow, MbppRow, PlusRow
from scalebox.core.limits import Limits
from scalebox.core.problem import AssertCase, AssertStyle, CallCase, Problem, TestCase, Tolerance
from scalebox.core.submission import Submission
from scalebox.core.verdict import AGAINST

RIGHT: Final = frozenset({"AC"})
WRONG: Final = frozenset(verdict.value for verdict in AGAINST)
PLUS_INPUTS: Final = None if FULL else 20
"""Inputs of a plus set taken for each problem, beside all base inputs."""
HEAVY_LEAVES: Final = 1_000_000
"""An answer of more values than that is no answer that anybody sends."""
HEAVY_SECONDS: Final = 10.0 if FULL else 1.0
"""An input that takes the reference longer on the CPU is left out."""
REFERENCE_SECONDS: Final = 120 if FULL else 20
"""CPU seconds of a reference over all its inputs; what is not reached is left out."""
MUTANT_SECONDS: Final = 20 if FULL else 3
MUTANTS_TRIED: Final = 8
"""Mutants of a reference among which one that differs is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A problem with its reference, in a form that judges and plain runs both take."""

    id: str
    reference: str
    problem: Problem
    call: PlusProblem | None = None
    """For problems of inputs and values."""
    test_code: str = ""
    """For problems of test code: what follows the program in a plain run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlusProblem:
    """Inputs and the reference's answers."""

    function: str
    inputs: Sequence[Sequence[object]]
    answers: Sequence[object]
    absolute: float
    left_out: int
    """Inputs too heavy, or on which the reference fails."""


def humaneval() -> list[Benchmark]:
    """HumanEval with its ``check`` functions."""
    return [_humaneval(row) for row in shared.read("data/benchmarks/humaneval.jsonl.gz", HumanEvalRow)]


def _humaneval(row: HumanEvalRow) -> Benchmark:
    case = AssertCase(
        name="0", code=row["test"], style=AssertStyle.CHECK, entry_point=row["entry_point"], prompt=row["prompt"]
    )
    return Benchmark(
        id=row["task_id"],
        reference=row["prompt"] + row["canonical_solution"],
        problem=Problem(tests=[case]),
        test_code=f"\n{row['test']}\ncheck({row['entry_point']})\n",
    )


def mbpp() -> list[Benchmark]:
    """MBPP with its asserts."""
    return [_mbpp(row) for row in shared.read("data/benchmarks/mbpp.jsonl.gz", MbppRow)]


def _mbpp(row: MbppRow) -> Benchmark:
    code = row["test_setup_code"] + "\n" + "\n".join(row["test_list"]) + "\n"
    case = AssertCase(name="0", code=code, style=AssertStyle.BARE)
    return Benchmark(
        id=str(row["task_id"]), reference=row["code"], problem=Problem(tests=[case]), test_code=f"\n{code}"
    )


def plus(name: str) -> list[Benchmark]:
    """A plus set: ``humanevalplus-v…`` or ``mbppplus-v…``."""
    rows = shared.read(f"data/benchmarks/{name}.jsonl.gz", PlusRow)
    inputs = _mbppplus_inputs(rows) if name.startswith("mbpp") else [_raw_inputs(row) for row in rows]
    references = [_plus_reference(row) for row in rows]
    jobs = [
        PlainJob(source=reference, function=row["entry_point"], inputs=given, cpu_seconds=REFERENCE_SECONDS)
        for row, reference, given in zip(rows, references, inputs, strict=True)
    ]
    reports = run_plain(jobs)
    return [_plus(*known) for known in zip(rows, references, inputs, reports, strict=True)]


def _plus_reference(row: PlusRow) -> str:
    """HumanEval's references continue the prompt, MBPP's prompts are a docstring."""
    return row["prompt"] + row["canonical_solution"]


def _raw_inputs(row: PlusRow) -> list[list[object]]:
    """All base inputs and the first of the others; a row without others has an empty object there."""
    more = row["plus_input"] if isinstance(row["plus_input"], list) else []
    return row["base_input"] + more[:PLUS_INPUTS]


def _mbppplus_inputs(rows: Sequence[PlusRow]) -> list[list[list[object]]]:
    """The inputs with their real types: for each row the first reading its contract holds for most often."""
    ways = [evalplus_rule.readings(_raw_inputs(row), row.get("assertion", ""), row["entry_point"]) for row in rows]
    jobs, places = [], []
    for index, (row, readings) in enumerate(zip(rows, ways, strict=True)):
        contract = evalplus_rule.contract_program(row["canonical_solution"], row["entry_point"], row["contract"])
        if not contract:
            continue
        for way, reading in enumerate(readings):
            jobs.append(
                PlainJob(source=contract, function=row["entry_point"], inputs=reading, cpu_seconds=REFERENCE_SECONDS)
            )
            places.append((index, way))
    held = {
        place: sum(call.raised is None for call in report.calls)
        for place, report in zip(places, run_plain(jobs), strict=True)
    }
    return [
        max(enumerate(readings), key=lambda way: (held.get((index, way[0]), 0), -way[0]))[1]
        for index, readings in enumerate(ways)
    ]


def _plus(row: PlusRow, reference: str, inputs: Sequence[Sequence[object]], report: PlainReport) -> Benchmark:
    function = row["entry_point"]
    known = [
        (given, call.value)
        for given, call in zip(inputs, report.calls, strict=False)
        if call.raised is None
        and call.cpu_seconds <= HEAVY_SECONDS
        and (_plain_value(call) or function in evalplus_rule.NOT_NONE)
        and _leaves(call.value, HEAVY_LEAVES) < HEAVY_LEAVES
    ]
    problem = PlusProblem(
        function=function,
        inputs=[given for given, _ in known],
        answers=[answer for _, answer in known],
        absolute=row["atol"],
        left_out=len(inputs) - len(known),
    )
    return Benchmark(id=row["task_id"], reference=reference, problem=_problem(problem), call=problem)


def _leaves(value: object, most: int) -> int:
    """How many values there are inside one, itself included, counted to ``most`` only."""
    count = 1
    for inner in value.items() if isinstance(value, dict) else value if isinstance(value, (list, tuple, set)) else ():
        if count >= most:
            break
        count += _leaves(inner, most - count)
    return count


def _plain_value(call: Called) -> bool:
    """Whether the value of a call is plain data."""
    return not isinstance(call.value, Opaque)


def _problem(plus_problem: PlusProblem) -> Problem:
    cases = [
        _plus_case(plus_problem, str(index), given, answer)
        for index, (given, answer) in enumerate(zip(plus_problem.inputs, plus_problem.answers, strict=True))
    ]
    return Problem(tests=cases, limits=Limits(cpu_seconds=max(10.0, 10 * HEAVY_SECONDS)))


def _plus_case(known: PlusProblem, name: str, given: Sequence[object], answer: object) -> TestCase:
    """A call case; test code where the published rule is no comparison of values, or a value has no JSON form."""
    function = known.function
    call = f"{function}(*{_literal(list(given))})"
    if function in evalplus_rule.ANY_OUTPUT:
        return _bare(name, call)
    if function in evalplus_rule.SET_EQUAL:
        return _bare(name, f"assert set({call}) == set({_literal(answer)})")
    if function in evalplus_rule.NOT_NONE:
        return _bare(name, f"assert bool({call}) is {bool(answer)}")
    if _has_complex(given) or _has_complex(answer):
        return _bare(name, f"assert {call} == {_literal(answer)}")
    absolute = evalplus_rule.absolute_tolerance(known.absolute, answer)
    tolerance = Tolerance(absolute=absolute, relative=evalplus_rule.RELATIVE) if absolute else None
    return CallCase(name=name, function=function, args=given, answer=answer, tolerance=tolerance)


def _bare(name: str, statement: str) -> AssertCase:
    return AssertCase(name=name, code=statement + "\n", style=AssertStyle.BARE)


def _literal(value: object) -> str:
    """A value as Python text; numbers that have no literal are made of text."""
    text = repr(value)
    return f"eval({text!r}, {{'inf': float('inf'), 'nan': float('nan')}})" if "inf" in text or "nan" in text else text


def _has_complex(value: object) -> bool:
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(map(_has_complex, value))
    if isinstance(value, dict):
        return any(map(_has_complex, value.values()))
    return isinstance(value, complex)


def reference_item(benchmark: Benchmark) -> Item:
    """The reference, to be accepted."""
    return Item(
        id=benchmark.id,
        submission=Submission(source=benchmark.reference, language="python"),
        problem=benchmark.problem,
        due=RIGHT,
        plain="passes",
    )


def plain_job(benchmark: Benchmark, source: str, cpu_seconds: int) -> PlainJob:
    """A plain run of a program on the benchmark's tests."""
    if benchmark.call is None:
        return PlainJob(source=source + benchmark.test_code, cpu_seconds=cpu_seconds)
    return PlainJob(
        source=source, function=benchmark.call.function, inputs=benchmark.call.inputs, cpu_seconds=cpu_seconds
    )


def plain_passes(benchmark: Benchmark, report: PlainReport) -> bool:
    """Whether a plain run met every test under the published rule."""
    if benchmark.call is None:
        return report.passed
    known = benchmark.call
    return len(report.calls) == len(known.answers) and all(
        call.raised is None and evalplus_rule.same(call.value, answer, known.absolute, known.function)
        for call, answer in zip(report.calls, known.answers, strict=True)
    )


def mutant_items(benchmarks: Sequence[Benchmark]) -> tuple[list[Item], int]:
    """For each reference its first mutant that a plain run finds wrong, and the equivalent ones before it; and how many have none.

    A mutant that never ends is used in a full run only, since each costs its whole time limit.
    """
    sources = [islice(mutants(benchmark.reference), MUTANTS_TRIED) for benchmark in benchmarks]
    items: list[Item] = []
    open_ones = set(range(len(benchmarks)))
    for _ in range(MUTANTS_TRIED):
        drawn = [(index, mutant) for index in sorted(open_ones) if (mutant := next(sources[index], None))]
        jobs = [plain_job(benchmarks[index], mutant.source, MUTANT_SECONDS) for index, mutant in drawn]
        for (index, mutant), report in zip(drawn, run_plain(jobs), strict=True):
            item = _mutant_item(benchmarks[index], mutant, report)
            if FULL or not _endless(benchmarks[index], report):
                items.append(item)
                open_ones -= {index} if item.due == WRONG else set()
    return items, len(open_ones)


def _endless(benchmark: Benchmark, report: PlainReport) -> bool:
    if benchmark.call is None:
        return report.end == "timeout"
    return len(report.calls) < len(benchmark.call.inputs)


def _mutant_item(benchmark: Benchmark, mutant: Mutant, report: PlainReport) -> Item:
    return Item(
        id=f"{benchmark.id} {mutant.change}",
        submission=Submission(source=mutant.source, language="python"),
        problem=benchmark.problem,
        due=RIGHT if plain_passes(benchmark, report) else WRONG,
        plain=f"{report.end} {report.detail}",
        stop_on_failure=True,
    )
