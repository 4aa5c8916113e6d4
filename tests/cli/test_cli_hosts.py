"""On machines that lack something the service says so and starts with what there is, or refuses: never with half a wall."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import scalebox

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(os.geteuid() != 0, reason="changes what a mount namespace of its own has"),
]

ROOT = Path(scalebox.__file__).parents[1]
EVERYWHERE = os.environ.get("SCALEBOX_HOSTILE") == "all"
"""Whether each lack is tried by itself; without it they come together, as each start takes its time."""
ONE_BY_ONE = {
    "no /dev/shm": "umount /dev/shm; mount -t tmpfs -o ro none /dev/shm",
    "a /dev/shm from which nothing is executed": "mount -t tmpfs -o noexec,size=1g none /dev/shm",
    "a /dev/shm without room": "mount -t tmpfs -o size=1m none /dev/shm",
    "a read-only /tmp": "mount --bind /tmp /tmp; mount -o remount,bind,ro /tmp",
    "cgroups that cannot be written": "mount -t tmpfs -o ro none /sys/fs/cgroup",
    "no /sys": "mount -t tmpfs -o ro none /sys",
}
TOGETHER = {
    "little": "mount -t tmpfs -o size=1m none /dev/shm; mount --bind /tmp /tmp; mount -o remount,bind,ro /tmp",
    "less": "mount -t tmpfs -o noexec,size=1g none /dev/shm; mount -t tmpfs -o ro none /sys",
}
HOSTS = ONE_BY_ONE if EVERYWHERE else TOGETHER
JUDGE = """
import asyncio, json, sys
from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import ScaleBoxError
from scalebox.core.problem import Problem, StdioCase
from scalebox.core.submission import Submission

async def main():
    problem = Problem(tests=[StdioCase(name="0", input=b"2", answer=b"4")])
    said = {}
    for level in ("strict", "standard"):
        try:
            async with open_judge(Settings(slots=1, isolation=level)) as judge:
                verdicts = []
                for source in ("print(int(input()) * 2)", "print(1)", "open('x', 'w').write('y'); print(4)"):
                    judgement = await judge.judge(Submission(source=source, language="python"), problem)
                    verdicts.append(judgement.verdict)
                walls = judgement.isolation
                said[level] = [walls.level, verdicts, sorted(walls.walls)]
        except ScaleBoxError as error:
            said[level] = ["refused", [str(error)], []]
        except OSError as error:
            said[level] = ["refused", [str(error)], []]
    print(json.dumps(said))

asyncio.run(main())
"""


@pytest.mark.parametrize("host", HOSTS)
def test_service_starts_with_what_there_is_or_refuses(host: str) -> None:
    command = f'mount --make-rprivate / && {{ {HOSTS[host]}; }} && exec {sys.executable} -c "$JUDGE"'
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "JUDGE": JUDGE},
        cwd=ROOT,
        timeout=300,
    )
    if "unshare failed" in done.stderr:
        pytest.skip(done.stderr)
    said = json.loads(done.stdout.splitlines()[-1]) if done.stdout else pytest.fail(done.stderr)
    for level, (got, verdicts, walls) in said.items():
        if got == "refused":
            assert verdicts[0], "a refusal says why"
            continue
        assert (got, verdicts) == (level, ["AC", "WA", "AC"])
        assert "cgroup" in walls or "watchdog" in walls
