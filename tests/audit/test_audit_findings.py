"""What a measurement is found to say, what is suggested for it, and the sums over many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from scalebox.audit.comparisons import ACCEPTED, MAIN, RUNGS, compare
from scalebox.audit.figures import figures, something_wrong
from scalebox.audit.findings import OWN, Flaw, Report, report
from scalebox.audit.measurement import Case, Fault, Kind, Measurement, Repetition, Variation
from scalebox.audit.repetitions import repetitions
from scalebox.audit.suggestions import Advice, advice
from scalebox.core.limits import MIB
from scalebox.core.problem import CallCase, StdioCase
from scalebox.core.verdict import Verdict
from scalebox.rows.row import BadRow

NEAR = 0.5


def output_case(name: str, output: bytes, answer: bytes, own: Verdict | None = None) -> Case:
    """A case whose program printed ``output``, judged by tokens unless told otherwise."""
    compared = compare(output, answer)
    by_tokens = Verdict.AC if "tokens" in compared.accepts else Verdict.WA
    return Case(
        name=name,
        kind=Kind.OUTPUT,
        end=None,
        own=own or by_tokens,
        reason="",
        accepts=compared.accepts,
        differences=dict(compared.differences),
        cpu_seconds=0.01,
        memory_bytes=MIB,
    )


def ended(name: str, verdict: Verdict, reason: str = "") -> Case:
    """A case that did not end normally."""
    case = output_case(name, b"", b"")
    return replace(case, end=verdict, own=verdict, reason=reason, accepts=frozenset())


def measured(
    cases: Sequence[Case],
    *,
    declared: str | None = None,
    fault: Fault | None = None,
    repeated: Sequence[Repetition] = (),
    row: int = 1,
) -> Measurement:
    """A measurement with limits of 1 s and 100 MiB."""
    return Measurement(
        row=row,
        id=f"p{row}",
        shape="v1",
        declared=declared,
        cpu_limit_seconds=1.0,
        memory_limit_bytes=100 * MIB,
        runs=2,
        total=len(cases),
        cases=cases,
        repetitions=repeated,
        fault=fault,
        message="the message" if fault else "",
    )


def found(measurement: Measurement) -> Report:
    """Its report."""
    return report(measurement, NEAR)


def advised(measurement: Measurement) -> list[Advice]:
    """What is suggested for it."""
    return advice(measurement, found(measurement))


@pytest.mark.parametrize(
    ("output", "answer", "rejecting", "flaw"),
    [
        (b"1 2\n", b"1 2\n", set(), None),
        (b"1 2", b"1 2\n", {"exact"}, Flaw.EXACT),
        (b"1\n2\n", b"1 2\n", {"exact"}, Flaw.EXACT),
        (b"0.50000000001\n", b"0.5\n", {"exact", "tokens", OWN}, Flaw.FLOATS),
        (b"0.50001\n", b"0.5\n", {*MAIN, OWN}, Flaw.LAXER),
        (b"3.0000001\n", b"3\n", {"exact", "tokens", OWN}, Flaw.FLOATS),
        (b"Yes\n", b"YES\n", {*MAIN, OWN}, Flaw.LAXER),
        (b"ab\n", b"AB\n", {*MAIN, OWN}, Flaw.LAXER),
        (b"2\n1\n", b"1\n2\n", {*MAIN, OWN}, Flaw.SPECIAL),
        (b"2 1\n", b"1 3\n", {*MAIN, OWN}, Flaw.SPECIAL),
    ],
)
def test_the_strictest_comparison_that_accepts_decides(
    output: bytes, answer: bytes, rejecting: set[str], flaw: Flaw | None
) -> None:
    one = found(measured([output_case("0", output, answer), output_case("1", b"", b"")]))
    assert one.rejected == rejecting
    assert (one.worst.flaw if one.worst else None) == flaw


def test_no_comparison_is_laxer_for_one_output_and_stricter_for_another_of_the_three() -> None:
    outputs = [(b"1", b"1\n"), (b"1.0", b"1.00"), (b"a", b"b"), (b"1.00000001", b"1.0"), (b"", b"\n"), (b"NaN", b"nan")]
    for output, answer in outputs:
        accepts = compare(output, answer).accepts
        assert [name in accepts for name in MAIN] == sorted(name in accepts for name in MAIN)


def test_the_same_bytes_are_accepted_by_all() -> None:
    assert compare(b"any\xff", b"any\xff") is ACCEPTED
    assert ACCEPTED.accepts == frozenset(RUNGS)


def test_the_first_difference_is_told_in_words_and_the_answer_apart() -> None:
    cases = [output_case("a", b"1\n", b"1\n"), output_case("b", b"1\n7 9\n", b"1\n7 8\n")]
    finding = found(measured(cases)).worst
    assert finding is not None
    assert finding.cases == ["b"]
    assert "1 of 2 cases" in finding.words
    assert "case b: line 2, token 2 (column 3): the output has '9'" in finding.words
    assert finding.answer == "8"
    assert "8" not in finding.words


@pytest.mark.parametrize("output", [b"2 1\n", b"9\n"])
def test_another_order_is_never_suggested_alone(output: bytes) -> None:
    [change] = advised(measured([output_case("0", output, b"1 2\n")]))
    assert (change.action, change.value) == ("special_judge", None)
    assert ("only if the statement takes every order" in change.reason) == (output == b"2 1\n")


def test_few_differences_make_the_answers_suspect() -> None:
    cases = [output_case(str(number), b"1\n", b"1\n") for number in range(4)]
    [change] = advised(measured([*cases, output_case("bad", b"1\n", b"2\n")]))
    assert (change.action, change.value) == ("look", ["bad"])


@pytest.mark.parametrize(
    ("output", "answer", "value"),
    [
        (b"1 2", b"1  2\n", {"name": "tokens"}),
        (b"1 \n", b"1\n", {"name": "lines"}),
        (b"0.1", b"0.10000000001", {"name": "floats", "abs": 1e-6, "rel": 1e-6}),
        (b"0.1", b"0.10001", {"name": "floats", "abs": 1e-4, "rel": 1e-4}),
        (b"no", b"NO", {"name": "yes_no"}),
        (b"x y", b"X Y", {"name": "tokens", "case_sensitive": False}),
    ],
)
def test_the_checker_suggested_is_one_of_v1(output: bytes, answer: bytes, value: dict[str, object]) -> None:
    [change] = advised(measured([output_case("0", output, answer)]))
    assert (change.action, change.value) == ("checker", value)


def test_a_value_within_the_tolerance_asks_for_one() -> None:
    base = output_case("0", b"0.1", b"0.10000000001")
    value = replace(base, kind=Kind.VALUE, accepts=base.accepts & {"floats"})
    [change] = advised(measured([value]))
    assert (change.action, change.value) == ("tolerance", {"abs": 1e-6, "rel": 1e-6})


def test_what_the_declared_checker_accepts_needs_no_other() -> None:
    right = measured([output_case("0", b"2 1\n", b"1 2\n", own=Verdict.AC)], declared="program (files)")
    assert found(right).findings == []
    assert found(right).rejected == set(MAIN)
    assert advised(right) == []


@pytest.mark.parametrize(("own", "flaw"), [(Verdict.WA, Flaw.OWN), (Verdict.JE, Flaw.JUDGE)])
def test_a_declared_checker_that_does_not_accept_is_the_worst(own: Verdict, flaw: Flaw) -> None:
    one = found(measured([output_case("0", b"2 1\n", b"1 2\n", own=own)], declared="program (files)"))
    assert [finding.flaw for finding in one.findings] == [flaw, Flaw.SPECIAL]


def test_a_crash_is_no_fault_of_the_comparison() -> None:
    cases = [output_case("0", b"1", b"1\n"), ended("1", Verdict.RTE, "exit code 1")]
    one = found(measured(cases))
    assert one.fails
    assert one.rejected == {*MAIN, OWN}
    assert [finding.flaw for finding in one.findings] == [Flaw.FAILS, Flaw.EXACT]
    assert [(change.action, change.value) for change in advised(measured(cases))] == [
        ("checker", {"name": "lines"}),
        ("drop", ["1"]),
    ]


def test_a_reference_that_crashes_everywhere_is_itself_to_be_mended() -> None:
    [change] = advised(measured([ended("0", Verdict.RTE), ended("1", Verdict.RTE)]))
    assert change.action == "reference"


@pytest.mark.parametrize(
    ("verdict", "action", "value"), [(Verdict.TLE, "cpu_s", 2.0), (Verdict.MLE, "memory_mb", 200.0)]
)
def test_a_limit_that_was_hit_is_doubled(verdict: Verdict, action: str, value: float) -> None:
    [change] = advised(measured([ended("0", verdict)]))
    assert (change.action, change.value) == (action, value)


@pytest.mark.parametrize(
    ("seconds", "mebibytes", "changes"),
    [
        (0.49, 49, []),
        (0.5, 1, []),
        (0.64, 1, [("cpu_s", 1.3)]),
        (0.1, 70, [("memory_mb", 144)]),
        (0.9, 99, [("cpu_s", 1.8), ("memory_mb", 208)]),
    ],
)
def test_a_limit_that_is_near_gets_twice_what_was_needed(
    seconds: float, mebibytes: int, changes: list[tuple[str, float]]
) -> None:
    case = replace(output_case("0", b"", b""), cpu_seconds=seconds, memory_bytes=mebibytes * MIB)
    one = measured([case])
    assert found(one).has(Flaw.NEAR) == (seconds >= NEAR or mebibytes >= 100 * NEAR)
    assert [(change.action, change.value) for change in advised(one)] == changes


@pytest.mark.parametrize(
    ("variation", "flaw"),
    [(Variation.VERDICT, Flaw.FLAKY), (Variation.OUTPUT, Flaw.VARYING), (Variation.NONE, None)],
)
def test_runs_that_differ_are_told(variation: Variation, flaw: Flaw | None) -> None:
    one = found(measured([replace(output_case("0", b"1", b"1"), variation=variation)]))
    assert (one.worst.flaw if one.worst else None) == flaw


def test_repeated_inputs_go_and_contradictions_cost_the_one_the_reference_disagrees_with() -> None:
    cases = [output_case("a", b"1", b"1"), output_case("b", b"1", b"1"), output_case("c", b"1", b"2")]
    repeated = [
        Repetition(case="b", earlier="a", same_answer=True),
        Repetition(case="c", earlier="a", same_answer=False),
    ]
    one = measured(cases, repeated=repeated)
    assert {finding.flaw for finding in found(one).findings} == {Flaw.SPECIAL, Flaw.CONFLICT, Flaw.REPEATED}
    drops = [change.value for change in advised(one) if change.action == "drop"]
    assert drops == [["b"], ["c"]]


def test_repetitions_are_told_by_what_the_program_is_given() -> None:
    tests = [
        StdioCase(name="a", input=b"1\n", answer=b"1\n"),
        StdioCase(name="b", input=b"1\n", answer=b"1"),
        StdioCase(name="c", input=b"1\n", answer=b"2"),
        StdioCase(name="d", input=b"1\n", answer=b"1", args=["-x"]),
        CallCase(name="e", function="f", args=[1], answer=1),
        CallCase(name="f", function="f", args=[1], answer=2),
        CallCase(name="g", function="g", args=[1], answer=2),
    ]
    assert [(one.case, one.earlier, one.same_answer) for one in repetitions(tests)] == [
        ("b", "a", True),
        ("c", "a", False),
        ("f", "e", False),
    ]


def test_figures_tell_the_comparison_from_the_crash() -> None:
    reports = [
        found(measured([output_case("0", b"1", b"1")], row=1)),
        found(measured([output_case("0", b"1", b"1\n")], row=2)),
        found(measured([output_case("0", b"yes", b"Yes")], row=3)),
        found(measured([output_case("0", b"1", b"2")], row=4)),
        found(measured([output_case("0", b"1", b"2", own=Verdict.AC)], declared="program (kattis)", row=5)),
        found(measured([ended("0", Verdict.TLE)], row=6)),
        found(measured([], fault=Fault.COMPILE, row=7)),
        found(measured([], fault=Fault.REFUSED, row=8)),
        found(measured([], row=9)),
    ]
    sums = figures(reports, [BadRow(number=10, id=None, field=None, message="m", hint=None)], runs=1)
    assert (sums.rows, sums.bad_rows, sums.not_audited, sums.audited, sums.cases) == (10, 1, 1, 8, 6)
    assert [(row.compared, row.rejected, row.by_comparison) for row in sums.rejections] == [
        (7, 6, 4),
        (7, 5, 3),
        (7, 5, 3),
        (1, 0, 0),
    ]
    left = sums.remaining
    assert (left.own_checker, left.other_comparison, left.special_judge) == (1, 1, 1)
    assert {count.flaw: count.problems for count in sums.counts if count.problems} == dict.fromkeys(
        (Flaw.COMPILE, Flaw.FAILS, Flaw.NO_CASES, Flaw.SPECIAL, Flaw.LAXER, Flaw.EXACT, Flaw.REFUSED), 1
    )
    assert sums.rejections[0].share == pytest.approx(6 / 7)
    assert sums.rejections[3].share == 0


@pytest.mark.parametrize(
    ("measurement", "wrong"),
    [
        (measured([output_case("0", b"1", b"1\n")]), False),
        (measured([output_case("0", b"1.0", b"1")]), True),
        (measured([]), True),
        (measured([], fault=Fault.REFUSED), True),
        (measured([], fault=Fault.UNJUDGED), True),
        (measured([], fault=Fault.COMPILE), True),
        (measured([output_case("0", b"x", b"y", own=Verdict.AC)], declared="program (files)"), False),
    ],
)
def test_the_status_follows_from_the_verdicts_that_training_would_get(measurement: Measurement, wrong: bool) -> None:
    reports = [found(measurement)]
    assert something_wrong(figures(reports, [], runs=1), reports) is wrong
