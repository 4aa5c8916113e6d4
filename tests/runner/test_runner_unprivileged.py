"""The same walls for a service that is not root: namespaces through a user namespace, or landlock and seccomp alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import scalebox
from scalebox.config import OLDEST_PYTHON, SYSTEM_PYTHON, _version

pytestmark = pytest.mark.sandbox

NOBODY = 65534
PACKAGE = Path(scalebox.__file__).parent
MAIN = Path(__file__).with_name("unprivileged_main.py")
SECONDS = 120


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A copy of the package that everybody may read, and a scratch folder that everybody may write."""
    with tempfile.TemporaryDirectory(prefix="scalebox-test-", dir="/tmp") as name:
        top = Path(name)
        shutil.copytree(PACKAGE, top / "scalebox", ignore=shutil.ignore_patterns("__pycache__", "corpus"))
        shutil.copy(MAIN, top / MAIN.name)
        (top / "scratch").mkdir()
        for path in (top, *top.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        (top / "scratch").chmod(0o777)
        yield top


@pytest.fixture(scope="module")
def told(folder: Path, request: pytest.FixtureRequest) -> dict[str, object]:
    """What came of the programs at one level."""
    if _version(SYSTEM_PYTHON) < OLDEST_PYTHON:
        pytest.skip(f"{SYSTEM_PYTHON} is too old, and others may not be readable for everybody")
    if os.geteuid() != 0:
        user: dict[str, object] = {}
    else:
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    command = [
        str(SYSTEM_PYTHON),
        "-B",
        str(folder / MAIN.name),
        request.param,
        str(SYSTEM_PYTHON),
        str(folder / "scratch"),
    ]
    done = subprocess.run(
        command, capture_output=True, cwd=folder, env={"PATH": "/usr/bin:/bin"}, timeout=SECONDS, check=False, **user
    )  # type: ignore[call-overload]  # ids or nothing
    assert done.returncode == 0, done.stderr.decode()
    answer: dict[str, object] = json.loads(done.stdout)
    if "unavailable" in answer:
        pytest.skip(str(answer["unavailable"]))
    return answer


both = pytest.mark.parametrize("told", ["strict", "standard"], indirect=True)


@both
@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("echo", ["in\n", 0, None, None, None]),
        ("stdin", ["in", 0, None, None, None]),
        ("stdout", ["in", 0, None, None, None]),
        ("after", ["['main.py'] [] import os\n", 0, None, None, None]),
        ("parent", None),
        ("everyone", None),
        ("attributes", ["end\n", 0, None, None, None]),
        ("network", ["", 0, None, None, None]),
        ("survivor", ["1000\nrefused\n", 0, None, None, None]),
        ("loop", ["", None, 9, "TLE", "CPU time limit exceeded"]),
        ("sleep", ["", None, 9, "TLE", "wall time limit exceeded"]),
        ("memory", ["", None, 9, "MLE", "memory limit exceeded"]),
        ("children", ["", None, 9, "MLE", "memory limit exceeded"]),
        ("daemon", ["", 0, None, None, None]),
        ("honest", ["6\n", 0, None, None, None]),
    ],
)
def test_programs_end_as_they_should(told: dict[str, object], name: str, end: list[object] | None) -> None:
    seen = told[name]
    assert isinstance(seen, list)
    if end is None:
        assert seen[0].replace("reached None\n", "") in {
            "",
            "end\n",
        }  # process 1 of a namespace is deaf to its children
        assert seen[1:] in ([0, None, None, None], [None, 9, None, None])
    else:
        assert seen == end


@both
def test_flood_and_bomb_are_bounded(told: dict[str, object]) -> None:
    flood, bomb = told["flood"], told["bomb"]
    assert isinstance(flood, list)
    assert isinstance(bomb, list)
    assert flood[3] == "OLE"
    assert bomb[3] == "TLE" or bomb[4] == "more processes than allowed"


@both
def test_programs_have_no_right(told: dict[str, object]) -> None:
    status, ids = told["status"], told["ids"]
    assert isinstance(status, list)
    assert isinstance(ids, list)
    words = status[0].replace("'", "").strip("[]\n").split(", ")
    assert set(words) == {"0" * 16, "1", "2", *words[-1:]}
    assert "1" in words, "no-new-privileges"
    assert "2" in words, "seccomp"
    assert ids[0].split()[0] != "0"


@both
def test_files_of_the_same_user_stay_as_they_are(told: dict[str, object]) -> None:
    assert told["theirs"] == [0o640, 1, 6]


@both
def test_slot_was_kept_and_nothing_is_left(told: dict[str, object]) -> None:
    assert told["replaced"] is False
    assert told["left"] == 0
    assert told["leftovers"] == [[], 0]


@pytest.mark.parametrize("told", ["strict"], indirect=True)
def test_namespaces_come_from_a_user_namespace(told: dict[str, object]) -> None:
    walls = told["walls"]
    assert isinstance(walls, list)
    assert {"pid", "network", "mount", "user", "landlock", "seccomp"} <= set(walls)
    assert "uid" not in walls


@both
def test_storm_of_processes_does_not_stop_a_compiler_beside_it(told: dict[str, object]) -> None:
    if told["beside"] is None:
        pytest.skip("there is no g++")
    assert told["beside"] == [""] * 2


def test_descriptors_that_programs_left_under_way_leave_room_for_ours(folder: Path) -> None:
    script = """
import errno, os, resource, socket
from scalebox.sandbox import references
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 4096))
sender, receiver = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
try:
    while True: socket.send_fds(sender, [b"x"], [0] * 100)  # as a program of the same user does
except OSError as error:
    assert error.errno == errno.ETOOMANYREFS, error
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
references.send(ours, b"packet", [0])
print(socket.recv_fds(theirs, 9, 1)[0].decode(), resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(
        [str(SYSTEM_PYTHON), "-B", "-c", script], capture_output=True, cwd=folder, timeout=SECONDS, check=False, **user
    )  # type: ignore[call-overload]  # ids or nothing
    assert done.stdout == b"packet (4096, 4096)\n", done.stderr.decode()
