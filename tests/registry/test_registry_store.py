"""The life of a judge, on SQLite and on PostgreSQL: moves, versions, counts, disputes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from registry.samples import PROBLEM, SUMS, TESTS, judge, new, version

from scalebox.core.errors import RequestError
from scalebox.core.problem import CheckerProtocol
from scalebox.registry.entry import Filter, UnknownJudge, Use
from scalebox.registry.states import RULES, IllegalMove, Move, State, after
from scalebox.registry.store import Registry
from scalebox.synthesis.domain import problem_id
from scalebox.synthesis.rates import Rate, Rates


def test_a_judge_comes_back_as_it_was_kept(registry: Registry) -> None:
    made, is_new = registry.add(new(), by="me")
    assert is_new
    assert made.id == f"{PROBLEM.removeprefix('sha256:')[:16]}-v1"
    assert (made.state, made.version, made.problem_name, made.category) == (
        State.VALIDATED,
        1,
        "split",
        "any_construction",
    )
    again = registry.get(made.id)
    assert again == made
    assert again.checker.program.files == {"source": SUMS}
    assert again.checker.protocol is CheckerProtocol.FUNCTION
    assert again.provenance == {"model": "m", "prompt_hashes": ["ab"]}
    assert again.evidence == {"proof": {"outcome": "proved"}}


def test_the_same_text_is_kept_once_and_another_is_another_version(in_file: Registry) -> None:
    first, _ = in_file.add(new())
    same, is_new = in_file.add(new(state=State.DRAFT))
    assert (same.id, same.state, is_new) == (first.id, State.VALIDATED, False)
    second, is_new = in_file.add(new(version(2)))
    assert (second.version, is_new) == (2, True)
    assert [one.version for one in in_file.list()] == [1, 2]


def test_the_order_of_cases_is_not_part_of_a_problem() -> None:
    assert problem_id(TESTS) == problem_id(TESTS[::-1])
    assert problem_id(TESTS) != problem_id(TESTS[:1])


def test_activating_retires_the_one_before(in_file: Registry) -> None:
    one, two = (in_file.add(new(version(number)))[0] for number in (1, 2))
    assert in_file.activate(one.id, by="me", reason="first").state is State.ACTIVE
    before = in_file.revision()
    assert in_file.activate(two.id).state is State.ACTIVE
    assert in_file.get(one.id).state is State.RETIRED
    assert in_file.revision() > before
    [active] = in_file.active()[1]
    assert (active.name.id, active.name.version, active.problem_id) == (two.id, 2, PROBLEM)
    changes = in_file.story(one.id).changes
    assert [(one.start, one.end) for one in changes] == [
        (None, State.VALIDATED),
        (State.VALIDATED, State.ACTIVE),
        (State.ACTIVE, State.RETIRED),
    ]
    assert (changes[1].by, changes[1].reason) == ("me", "first")
    assert changes[2].reason == "replaced by version 2"


def test_rolling_back_goes_back_step_by_step(registry: Registry) -> None:
    ids = [registry.add(new(version(number)))[0].id for number in (1, 2, 3)]
    for one in ids:
        registry.activate(one)
    assert registry.roll_back("split").id == ids[1]
    assert registry.roll_back("split").id == ids[0]
    assert [one.state for one in registry.list()] == [State.ACTIVE, State.RETIRED, State.RETIRED]
    with pytest.raises(IllegalMove, match="no judge that was in use before"):
        registry.roll_back("split")
    assert registry.get("split").id == ids[0]


def test_one_judge_that_cannot_be_read_is_left_out_of_those_in_use(in_file: Registry, tmp_path: Path) -> None:
    good = in_file.add(new())[0].id
    other = in_file.add(new(problem="sha256:" + "0" * 64, name="other"))[0].id
    for one in (good, other):
        in_file.activate(one)
    with closing(sqlite3.connect(tmp_path / "judges.db")) as connection, connection:
        connection.execute("UPDATE judges SET checker = '{\"name\": \"later\"}' WHERE problem LIKE 'sha256:0000%'")
    assert [active.name.id for active in in_file.active()[1]] == [good]


def test_rolling_back_after_a_retirement_undoes_it(in_file: Registry) -> None:
    one = in_file.add(new())[0].id
    in_file.activate(one)
    in_file.retire(one, reason="wrong")
    assert not in_file.active()[1]
    assert in_file.roll_back(one).state is State.ACTIVE


LEGAL = {
    (State.DRAFT, Move.VALIDATE): State.VALIDATED,
    (State.VALIDATED, Move.ACTIVATE): State.ACTIVE,
    (State.DRAFT, Move.RETIRE): State.RETIRED,
    (State.VALIDATED, Move.RETIRE): State.RETIRED,
    (State.ACTIVE, Move.RETIRE): State.RETIRED,
    (State.RETIRED, Move.RESTORE): State.ACTIVE,
}


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("move", Move)
def test_only_moves_of_the_table_are_made(state: State, move: Move) -> None:
    due = LEGAL.get((state, move))
    if due is not None:
        assert after(state, move, "j") is due
        return
    with pytest.raises(IllegalMove) as caught:
        after(state, move, "j")
    assert f"judge j is {state}" in caught.value.message
    assert caught.value.hint == RULES[move].advice


def test_an_illegal_move_changes_nothing(in_file: Registry) -> None:
    active = in_file.add(new(version(1)))[0].id
    in_file.activate(active)
    draft = in_file.add(new(version(2), state=State.DRAFT))[0].id
    before, revision = in_file.list(), in_file.revision()
    for move in (in_file.activate, lambda one: in_file.validate(active, {}) and one):
        with pytest.raises(IllegalMove):
            move(draft)
    assert (in_file.list(), in_file.revision()) == (before, revision)


def test_a_draft_is_proved_before_use(in_file: Registry) -> None:
    draft = in_file.add(new(state=State.DRAFT))[0].id
    with pytest.raises(IllegalMove, match="is draft; to activate one it must be validated"):
        in_file.activate(draft)
    proved = in_file.validate(draft, {"measured": {"right": 3}}, by="me")
    assert proved.state is State.VALIDATED
    assert proved.evidence == {"proof": {"outcome": "proved"}, "measured": {"right": 3}}
    assert in_file.activate(draft).state is State.ACTIVE


def test_a_new_judge_is_never_in_use(in_file: Registry) -> None:
    with pytest.raises(IllegalMove, match="a new judge cannot be active"):
        in_file.add(new(state=State.ACTIVE))


def test_references(in_file: Registry) -> None:
    one, two = (in_file.add(new(version(number)))[0] for number in (1, 2))
    in_file.activate(one.id)
    in_file.add(new(problem="sha256:" + "0" * 64, name="other"))
    for reference in ("split", PROBLEM, PROBLEM[7:23]):
        assert in_file.get(reference).id == one.id  # the one in use
    assert in_file.get(two.id).id == two.id
    assert len(in_file.list(Filter(problem="split"))) == 2
    assert [found.id for found in in_file.list(Filter(state=State.ACTIVE))] == [one.id]
    assert [found.problem_name for found in in_file.list(Filter(limit=1, offset=1))] == ["split"]
    for unknown in ("nothing", "0" * 16 + "-v9", "", PROBLEM[:30]):
        with pytest.raises(UnknownJudge):
            in_file.get(unknown)
    in_file.add(new(problem="sha256:" + "1" * 64, name="other"))
    with pytest.raises(RequestError, match="names several problems"):
        in_file.get("other")


def test_uses_add_up(registry: Registry) -> None:
    one = registry.add(new())[0].id
    registry.note_uses({one: Use(judgements=1, accepted=3), "0" * 16 + "-v1": Use(judgements=1), "odd": Use()})
    registry.note_uses({one: Use(judgements=2, refused=1, broken=1)})
    assert registry.get(one).use == Use(judgements=3, accepted=3, refused=1, broken=1)


def test_rates_are_those_measured_last(in_file: Registry) -> None:
    one = in_file.add(new())[0].id
    assert in_file.get(one).rates is None
    rates = Rates(right=Rate(hits=9, total=10), wrong=Rate(hits=0, total=0), broken=1, measured_on="gold")
    in_file.note_rates(one, rates)
    assert in_file.get(one).rates == rates


def test_disputes_are_opened_and_settled_once(in_file: Registry) -> None:
    one = in_file.add(new())[0].id
    said = in_file.dispute(one, "3 2 is right, too", output="3\0002\n", by="me")
    assert (said.judge_id, said.output, said.upheld) == (one, "3\ufffd2\n", None)
    assert in_file.get(one).open_disputes == 1
    settled = in_file.settle(said.number, upheld=True)
    assert (settled.upheld, in_file.get(one).open_disputes) == (True, 0)
    assert list(in_file.story(one).disputes) == [settled]
    with pytest.raises(RequestError, match="no open dispute"):
        in_file.settle(said.number, upheld=False)
    with pytest.raises(RequestError, match="needs a reason"):
        in_file.dispute(one, " ")


def test_so_many_disputes_may_be_open_about_one_judge(in_file: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scalebox.registry.store.MOST_OPEN_DISPUTES", 2)
    one, other = (in_file.add(new(version(number)))[0].id for number in (1, 2))
    first, _ = in_file.dispute(one, "a"), in_file.dispute(one, "b")
    with pytest.raises(RequestError, match="2 disputes") as caught:
        in_file.dispute(one, "c")
    assert (caught.value.field, caught.value.code) == ("judge", "too_many_disputes")
    in_file.dispute(other, "another judge's")
    in_file.settle(first.number, upheld=False)
    in_file.dispute(one, "c")


def test_any_text_is_kept(registry: Registry) -> None:
    source = "# \0 \U0001f600 ' \" \\ %s :name\n"
    made, _ = registry.add(new(source, name="a'b\0c%"))
    assert registry.get(made.id).checker.program.files == {"source": source}
    assert registry.get(made.id).problem_name == "a'b\ufffdc%"
    assert registry.add(new(source))[1] is False
    files = judge(source, CheckerProtocol.FILES)
    assert files.protocol is CheckerProtocol.FILES
