"""Which level follows from which walls, and that what is demanded and cannot be had is refused."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from scalebox.core.errors import IsolationUnavailable
from scalebox.sandbox import landlock, probe
from scalebox.sandbox.level import Level, Walls
from scalebox.sandbox.probe import Probe

PROBES = {
    "namespaces": "_try_namespaces",
    "landlock": "_try_landlock",
    "seccomp": "_try_seccomp",
    "reaper": "_try_reaper",
    "uid": "_try_uid",
    "cgroup": "_try_cgroup",
}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> object:
    """A machine on which the walls named are not to be had."""

    def without(missing: Iterable[str]) -> None:
        lacking = set(missing)
        for wall, function in PROBES.items():
            found = Probe(wall=wall, up=wall not in lacking, why="not here" if wall in lacking else "")
            monkeypatch.setattr(probe, function, lambda found=found: found)
        monkeypatch.setattr(landlock, "abi", lambda: 0 if "landlock" in lacking else 6)

    return without


def survey_of(machine: object, missing: str, wanted: Level | None = None) -> Walls:
    """The survey of a machine that lacks some walls."""
    assert callable(machine)
    machine(missing.split())
    return probe.survey(wanted=wanted)


@pytest.mark.parametrize(
    ("missing", "level"),
    [
        ("", Level.STRICT),
        ("uid", Level.STRICT),
        ("cgroup", Level.STRICT),
        ("namespaces", Level.STANDARD),
        ("namespaces uid cgroup", Level.STANDARD),
        ("reaper", Level.STRICT),
    ],
)
def test_strongest_level(machine: object, missing: str, level: Level) -> None:
    walls = survey_of(machine, missing)
    assert walls.level is level
    assert set(walls.missing) == set(missing.split())
    assert all(walls.missing.values())


@pytest.mark.parametrize("missing", ["landlock", "seccomp", "namespaces landlock", "namespaces reaper"])
def test_no_isolation_has_to_be_demanded(machine: object, missing: str) -> None:
    with pytest.raises(IsolationUnavailable, match=r"not here.*'none'"):
        survey_of(machine, missing)
    walls = survey_of(machine, missing, Level.NONE)
    assert walls.level is Level.NONE
    assert ("reaper" in walls.names()) is ("reaper" not in missing)


@pytest.mark.parametrize(
    ("missing", "wanted"),
    [
        ("namespaces", Level.STRICT),
        ("landlock", Level.STRICT),
        ("landlock", Level.STANDARD),
        ("seccomp", Level.STANDARD),
        ("seccomp namespaces", Level.STRICT),
    ],
)
def test_demanded_and_not_to_be_had_is_refused(machine: object, missing: str, wanted: Level) -> None:
    with pytest.raises(IsolationUnavailable, match=f"'{wanted}' cannot be had here.*not here"):
        survey_of(machine, missing, wanted)


@pytest.mark.parametrize("wanted", list(Level))
def test_weaker_than_possible_is_granted(machine: object, wanted: Level) -> None:
    assert survey_of(machine, "", wanted).level is wanted


def test_switched_off_cgroup_is_not_tried(machine: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(machine)
    machine([])
    monkeypatch.setattr(probe, "_try_cgroup", lambda: pytest.fail("tried"))
    walls = probe.survey(wanted=None, use_cgroup=False)
    assert not walls.cgroup
    assert walls.missing == {"cgroup": "switched off by the settings"}


def test_none_changes_no_uid(machine: object) -> None:
    assert not survey_of(machine, "", Level.NONE).change_uid


@pytest.mark.parametrize(
    ("level", "names"),
    [
        (Level.STRICT, "pid ipc network mount uid landlock seccomp rlimits cgroup reaper"),
        (Level.STANDARD, "uid landlock seccomp rlimits cgroup reaper"),
        (Level.NONE, "rlimits cgroup reaper"),
    ],
)
def test_names_of_walls(machine: object, level: Level, names: str) -> None:
    walls = survey_of(machine, "", level)
    user = ["user"] if walls.user_namespace else []
    assert sorted(walls.names()) == sorted([*names.split(), *user])


def test_watchdog_stands_in_for_the_cgroup(machine: object) -> None:
    names = survey_of(machine, "cgroup").names()
    assert "watchdog" in names
    assert "cgroup" not in names


def test_trial_that_dies_is_a_missing_wall() -> None:
    assert probe._attempt(lambda: os.kill(os.getpid(), 9)) == "the trial ended with status 9"
    assert "No such file" in probe._attempt(lambda: os.close(os.open("/nowhere", os.O_RDONLY)))
    assert probe._attempt(lambda: None) == ""


def test_survey_leaves_nothing_behind() -> None:
    def held() -> tuple[int, str]:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
        return len(os.listdir("/proc/self/fd")), children

    before = held()
    probe.survey(wanted=None)
    assert held() == before


def test_uids_of_programs_are_no_accounts() -> None:
    first = probe.uid_base()
    assert 1 << 30 <= first < (1 << 31) - 1024
