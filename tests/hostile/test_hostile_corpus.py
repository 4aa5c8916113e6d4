"""Every item of the adversarial corpus: what it attacks holds, honest programs pass beside it, and nothing of it is left."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from hostile import host as on_host
from hostile.host import Host, comes_true
from hostile.probes import REFUSED_TO_SHARED_UIDS, Scene, holds, honest
from hostile.rows import Attack, Probe, attacks
from hostile.surfaces import Reply, Surface, open_library, open_server
from scalebox.core.errors import IsolationUnavailable

pytestmark = pytest.mark.sandbox

ATTACKS: Final = {attack.item.id: attack for attack in attacks()}
SECRETS: Final = [
    attack.setup["server_env"]["ADV_SECRET"] for attack in ATTACKS.values() if "server_env" in attack.setup
]
EVERYWHERE: Final = os.environ.get("SCALEBOX_HOSTILE") == "all"
"""Every way at every level; without it root attacks `strict`, and an ordinary user `standard`."""
AS_ROOT: Final = ("strict-http", *(("strict-library", "standard-http", "standard-library") if EVERYWHERE else ()))
AS_USER: Final = ("pod-http", *(("strict-http", "strict-library") if EVERYWHERE else ()))
"""A pod is an ordinary user's process to whom new namespaces are forbidden; `pod.py` makes it one."""
WAYS: Final = AS_ROOT if os.geteuid() == 0 else AS_USER
POD: Final = (sys.executable, str(Path(__file__).with_name("pod.py")))
WIDTH: Final = 4
"""Items under way at once, each on a slot; most of them wait most of the time."""
STRICTER: Final = {"standard": {"st-16": "RTE"}}
"""Where a level refuses more than a row expects: at `standard` there are no local sockets, so the program ends early."""
MODES: Final = ("/etc/passwd", "/bin/sh", "/usr/bin/env", "/etc/hosts")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=WAYS)
async def surface(request: pytest.FixtureRequest) -> AsyncIterator[Surface]:
    """A judge at one level, reached in one way."""
    place, _, way = request.param.partition("-")
    level = "standard" if place == "pod" else place
    try:
        if way == "library":
            async with open_library({"slots": WIDTH, "isolation": level}, SECRETS, level) as opened:
                yield opened
        else:
            launcher, isolation = (POD, "auto") if place == "pod" else ((), level)
            async with open_server({"slots": WIDTH, "isolation": isolation}, SECRETS, level, launcher) as opened:
                yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.asyncio(loop_scope="module")
async def test_level_is_what_it_should_be(surface: Surface) -> None:
    honest_item = next(attack.item for attack in ATTACKS.values() if not attack.hostile)
    assert (await surface.judge(honest_item)).level == surface.level


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def found(surface: Surface) -> Mapping[str, str]:
    """What is wrong, by item; nothing where all held. Several are under way at once, but those that stage something."""
    zombies, resident = on_host.zombies(), surface.resident()
    gate, stage = asyncio.Semaphore(WIDTH), asyncio.Lock()

    async def one(attack: Attack) -> str:
        async with gate, stage if attack.setup else contextlib.nullcontext():
            return await _wrong(surface, attack, resident)

    async with asyncio.TaskGroup() as group:
        tasks = {name: group.create_task(one(attack)) for name, attack in ATTACKS.items()}
    assert await comes_true(lambda: on_host.zombies() <= zombies)
    return {name: task.result() for name, task in tasks.items()}


@pytest.mark.parametrize("name", ATTACKS)
def test_item(found: Mapping[str, str], name: str) -> None:
    assert not found[name], found[name]


async def _wrong(surface: Surface, attack: Attack, resident: int) -> str:
    """Run one item and look at all that it could have done; returns what is wrong, or nothing."""
    host = Host()
    on_host.remove_leftovers(_paths(attack.probes, "file_absent"))
    async with host.prepared(attack.setup):
        host.note(_paths(attack.probes, "disk_free_recovered", "inodes_recovered"), MODES)
        for before in attack.before:
            said = await surface.judge(before)
            if said.verdict == "IE" or (before.due and said.verdict not in before.due):
                return f"{before.id}: {said}"
        began = time.monotonic()
        replies, missed = await _attacked(surface, attack)
        scene = Scene(
            surface=surface,
            host=host,
            every=ATTACKS,
            replies=replies,
            took_seconds=time.monotonic() - began,
            resident_before=resident,
        )
        stricter = {STRICTER.get(surface.level, {}).get(attack.item.id, "")}
        if surface.shares_uid:
            stricter |= {REFUSED_TO_SHARED_UIDS.get(attack.item.id, "")}
        due, must_not = attack.item.due | stricter, attack.must_not - stricter
        wrong = [str(reply) for reply in replies if reply.verdict not in due or reply.verdict in must_not]
        wrong += [str(probe) for probe in attack.probes if not await holds(scene, probe)]
    return "; ".join([*wrong, *missed])


async def _attacked(surface: Surface, attack: Attack) -> tuple[list[Reply], list[str]]:
    """The item, as often at once as it asks for; and what did not go on beside it as it should."""
    running = [asyncio.create_task(surface.judge(attack.item)) for _ in range(attack.copies)]
    missed = []
    for probe in attack.probes:
        if probe["check"] == "honest_ac" and probe.get("while_running"):
            if not await honest(surface, ATTACKS, probe["ref"]):
                missed.append(f"meanwhile: {probe}")
        elif probe["check"] == "host_responsive":
            process = await asyncio.create_subprocess_exec("true")
            await process.wait()
    return list(await asyncio.gather(*running)), missed


def _paths(probes: Sequence[Probe], *checks: str) -> list[str]:
    return [path for probe in probes if probe["check"] in checks for path in probe["paths"]]
