"""What must hold once an item of the corpus is judged, by the name that its row gives it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hostile import host as on_host
from hostile.host import MIB, Host, comes_true
from hostile.rows import Attack, Probe
from hostile.surfaces import Reply, Surface

REFUSED_TO_SHARED_UIDS: Final = {"ben-20": "WA"}
"""It watches a folder by inotify, which would also tell the names in neighbours' folders (docs/security.md)."""
LATENCY_SECONDS: Final = 120.0
"""Instead of what a row says: the deadline of a request holds on a slow machine too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything there is to look at."""

    surface: Surface
    host: Host
    every: Mapping[str, Attack]
    replies: Sequence[Reply]
    took_seconds: float
    resident_before: int


async def honest(surface: Surface, every: Mapping[str, Attack], name: str) -> bool:
    """A right program is accepted; one in a language that is not there yet, or that wants what is refused, is passed over."""
    refused = surface.shares_uid and name in REFUSED_TO_SHARED_UIDS
    return name not in every or refused or (await surface.judge(every[name].item)).verdict == "AC"


async def _alive(scene: Scene, _: Probe) -> bool:
    return await scene.surface.alive()


async def _honest_ac(scene: Scene, probe: Probe) -> bool:
    for _ in range(probe.get("repeat", 1)):
        if not await honest(scene.surface, scene.every, probe["ref"]):
            return False
    return True


async def _no_process(_: Scene, probe: Probe) -> bool:
    return await comes_true(lambda: not on_host.processes_named(probe["match"]))


def _process_alive(scene: Scene, _: Probe) -> bool:
    return scene.host.processes_alive()


def _file_absent(_: Scene, probe: Probe) -> bool:
    return not on_host.there(probe["paths"])


def _glob_absent(_: Scene, probe: Probe) -> bool:
    return not [found for pattern in probe["globs"] for found in on_host.planted(pattern)]


def _file_unchanged(scene: Scene, probe: Probe) -> bool:
    return scene.host.file_unchanged(probe["path"])


def _mode_unchanged(scene: Scene, probe: Probe) -> bool:
    return scene.host.modes_unchanged(probe["paths"])


def _no_connection(scene: Scene, _: Probe) -> bool:
    return not scene.host.connections


def _in_time(scene: Scene, _: Probe) -> bool:
    return scene.took_seconds < LATENCY_SECONDS


async def _space_recovered(scene: Scene, probe: Probe) -> bool:
    return await scene.host.space_recovered(probe.get("tolerance_mb", 64), probe.get("tolerance", 1000))


def _small(scene: Scene, probe: Probe) -> bool:
    return scene.surface.resident() - scene.resident_before < probe["value"] * MIB


def _does_not_contain(scene: Scene, probe: Probe) -> bool:
    """Of the library's callers it is not asked: they have the answers in hand."""
    said = [value for value in probe["values"] for reply in scene.replies if value in reply.text]
    return not scene.surface.hides_answers or not said


def _short(scene: Scene, probe: Probe) -> bool:
    return all(len(reply.text.encode()) <= probe["value"] for reply in scene.replies)


def _seen(_: Scene, __: Probe) -> bool:
    """What every item shows.

    A reply that is no JSON has no verdict; a program that is run again until it is lucky is accepted now and then; the
    machine answers while an item runs; a folder that was left would be the next program's; the dead are counted once all have run.
    """
    return True


ASKED: Final[Mapping[str, Callable[[Scene, Probe], Awaitable[bool]]]] = {
    "service_alive": _alive,
    "honest_ac": _honest_ac,
    "no_process": _no_process,
    "disk_free_recovered": _space_recovered,
    "inodes_recovered": _space_recovered,
}
LOOKED_AT: Final[Mapping[str, Callable[[Scene, Probe], bool]]] = {
    "host_process_alive": _process_alive,
    "file_absent": _file_absent,
    "glob_absent": _glob_absent,
    "host_file_unchanged": _file_unchanged,
    "mode_owner_unchanged": _mode_unchanged,
    "no_connection": _no_connection,
    "verdict_latency_max_s": _in_time,
    "judge_rss_max_mb": _small,
    "response_does_not_contain": _does_not_contain,
    "response_bytes_max": _short,
    "response_is_valid_json": _seen,
    "runs_per_test_max": _seen,
    "host_responsive": _seen,
    "workdir_removed": _seen,
    "zombie_count_stable": _seen,
}


async def holds(scene: Scene, probe: Probe) -> bool:
    """Whether a probe finds what it should.

    Raises:
        KeyError: there is no such probe.
    """
    if probe["check"] in ASKED:
        return await ASKED[probe["check"]](scene, probe)
    return LOOKED_AT[probe["check"]](scene, probe)
