"""doctor: every wall that matters has a row, what is off has a reason and a remedy, and a refused demand is told and shown."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scalebox.cli import shared
from scalebox.cli.main import app
from scalebox.cli.walls import KEEPS, Host, Row, grouped, rows, this_host
from scalebox.client.mock import MockJudge
from scalebox.config import Settings
from scalebox.core.errors import IsolationUnavailable, SandboxError
from scalebox.core.result import Health, Isolation
from scalebox.sandbox import scratch
from scalebox.sandbox.level import Level, Walls
from scalebox.sandbox.scratch import BYTES_PER_SLOT, Place

POD = Host(root=False, container=True, forbidding=())
UBUNTU = Host(root=False, container=False, forbidding=("kernel.apparmor_restrict_unprivileged_userns=0",))
ROOT = Host(root=True, container=False, forbidding=())
REFUSED = {"namespaces": "Operation not permitted", "uid": "Operation not permitted", "cgroup": "none may be written"}
AT_STANDARD = Isolation(level="standard", walls=("landlock", "seccomp", "rlimits", "watchdog", "reaper"))
SHARED = Place(path="/dev/shm", in_memory=True, executable=True, free_bytes=4 * BYTES_PER_SLOT)


def by_name(isolation: Isolation, missing: Mapping[str, str], host: Host | None) -> Mapping[str, Row]:
    """Rows by their walls."""
    return {row.wall: row for row in rows(isolation, missing, host)}


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("missing", [{}, REFUSED, {"landlock": "no", "seccomp": "no", "reaper": "no"}])
@pytest.mark.parametrize("host", [POD, UBUNTU, ROOT, None])
def test_what_is_off_has_a_reason_and_a_remedy(level: Level, missing: Mapping[str, str], host: Host | None) -> None:
    walls = Walls(
        level=level,
        user_namespace="uid" in missing,
        change_uid="uid" not in missing,
        landlock_abi=0 if "landlock" in missing else 6,
        seccomp="seccomp" not in missing,
        cgroup="cgroup" not in missing,
        missing=missing,
    )
    shown = rows(Isolation(level=level.value, walls=walls.names()), missing, host)
    assert {row.wall for row in shown if row.on} == set(walls.names())
    assert all(row.on or (row.why and row.turn_on) for row in shown)
    assert all(row.keeps for row in shown)


def test_every_wall_has_words() -> None:
    walls = Walls(
        level=Level.STRICT, user_namespace=True, change_uid=True, landlock_abi=6, seccomp=True, cgroup=True, missing={}
    )
    assert {*walls.names(), *replace(walls, cgroup=False).names()} == set(KEEPS)


@pytest.mark.parametrize(
    ("host", "words"),
    [
        (POD, "container runtime"),
        (UBUNTU, "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
        (ROOT, "CAP_SYS_ADMIN"),
        (replace(UBUNTU, forbidding=()), "as root"),
        (None, "there"),
    ],
)
def test_remedy_fits_the_machine(host: Host | None, words: str) -> None:
    assert words in by_name(AT_STANDARD, REFUSED, host)["pid"].turn_on


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("work folders lie on a disk (/tmp)", "/dev/shm"),
        ("switched off by the settings", "SCALEBOX_CGROUP"),
        ("none may be written", "docs/deployment.md"),
    ],
)
def test_remedy_for_the_cgroup_fits_the_reason(why: str, words: str) -> None:
    assert words in by_name(AT_STANDARD, {**REFUSED, "cgroup": why}, POD)["cgroup"].turn_on


def test_what_one_thing_turns_on_is_told_once() -> None:
    told = grouped(rows(AT_STANDARD, REFUSED, POD))
    assert [row.wall for row in told] == ["pid, ipc, network, mount", "uid", "cgroup"]


def test_machine_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "kernel").mkdir()
    (tmp_path / "user").mkdir()
    (tmp_path / "kernel/unprivileged_userns_clone").write_text("0\n")
    (tmp_path / "user/max_user_namespaces").write_text("96364\n")
    host = this_host(uid=1000, system=tmp_path, root=tmp_path)
    assert host == Host(root=False, container=False, forbidding=["kernel.unprivileged_userns_clone=1"])
    (tmp_path / ".dockerenv").touch()
    assert this_host(uid=0, system=tmp_path, root=tmp_path).container


@dataclass
class AtLevel(MockJudge):
    """A judge that says it has a level."""

    level: str = "standard"

    async def health(self) -> Health:
        """With the level's walls, and why others are missing."""
        isolation = replace(AT_STANDARD, level=self.level)
        return replace(await super().health(), isolation=isolation, missing_walls=REFUSED)


@pytest.fixture
def granted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The settings of ``isolation`` that this machine grants; others are refused."""
    grants: list[str] = []

    @asynccontextmanager
    async def opened(settings: Settings) -> AsyncGenerator[MockJudge, None]:
        if settings.isolation not in grants:
            error = SandboxError if settings.isolation == "none" else IsolationUnavailable
            msg = f"{settings.isolation} cannot be had"
            raise error(msg)
        yield AtLevel(level="standard" if settings.isolation == "auto" else settings.isolation)

    monkeypatch.setattr(shared, "open_judge", opened)
    monkeypatch.setattr(scratch, "choose", lambda _: SHARED)
    return grants


def call(*args: str) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    result = CliRunner().invoke(app, ["doctor", *args])
    return result.exit_code, result.stdout, result.stderr


def test_a_refused_demand_shows_what_there_is(granted: list[str]) -> None:
    granted.append("auto")
    status, out, _ = call("--isolation", "strict")
    assert status == 1
    assert "strict cannot be had" in out
    assert "Isolation: standard" in out
    assert "To turn it on" in out
    assert call()[0] == 0


def test_no_isolation_at_all_shows_why(granted: list[str]) -> None:
    granted.append("none")
    status, out, _ = call()
    assert (status, "auto cannot be had" in out, "Isolation: none" in out) == (1, True, True)


def test_a_machine_without_any_judge_is_one_line(granted: list[str]) -> None:
    assert granted == []
    status, out, err = call("--isolation", "strict")
    assert (status, out, err) == (2, "", "scalebox: strict cannot be had\n")


def test_json(granted: list[str]) -> None:
    granted.append("auto")
    status, out, _ = call("--json")
    told = json.loads(out)
    assert (status, told["ready"], told["refusal"], told["isolation"]["level"]) == (0, True, None, "standard")
    walls = {row["wall"]: row for row in told["walls"]}
    assert walls["landlock"]["on"]
    assert (walls["pid"]["on"], walls["pid"]["why"]) == (False, "Operation not permitted")
    assert told["work_folders"]["path"] == "/dev/shm"
    status, out, _ = call("--json", "--isolation", "strict")
    assert (status, json.loads(out)["ready"], json.loads(out)["refusal"]) == (1, False, "strict cannot be had")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (SHARED, ["/dev/shm: memory, 512 MiB free"]),
        (replace(SHARED, in_memory=False), ["a disk"]),
        (replace(SHARED, executable=False), ["noexec"]),
        (replace(SHARED, free_bytes=1), ["128 MiB a slot"]),
    ],
)
def test_work_folders_are_told(
    granted: list[str], monkeypatch: pytest.MonkeyPatch, place: Place, words: list[str]
) -> None:
    granted.append("auto")
    monkeypatch.setattr(scratch, "choose", lambda _: place)
    out = call()[1]
    assert all(word in out for word in words)
    assert ("noexec" in out, "That is little" in out) == (not place.executable, not place.has_room(2))


def test_a_server_that_is_not_there_is_one_line() -> None:
    status, _, err = call("--url", "http://127.0.0.1:9")
    assert (status, err.count("\n")) == (2, 1)
