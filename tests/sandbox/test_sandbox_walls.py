"""The pieces that walls are made of, each by itself: the filter's shape, landlock's rights, cgroup's figures."""

from __future__ import annotations

import errno
import io
import os
import signal
from pathlib import Path

import pytest

from scalebox.sandbox import cgroup, landlock, seccomp, syscalls

LONGEST_JUMP = 255


@pytest.mark.parametrize("unix_sockets", [True, False])
@pytest.mark.parametrize("memfd", [True, False])
def test_filter_around_a_slot_is_well_formed(unix_sockets: bool, memfd: bool) -> None:
    assert_well_formed(seccomp._compile(unix_sockets, memfd))


@pytest.mark.parametrize("shared_uid", [True, False])
@pytest.mark.parametrize("own_pid", [None, 4711])
def test_filter_within_a_box_is_well_formed(shared_uid: bool, own_pid: int | None) -> None:
    assert_well_formed(seccomp._compile_box(shared_uid, own_pid))


def assert_well_formed(code: list[tuple[int, int, int, int]]) -> None:
    """Every jump ends within the filter, and the filter ends with a verdict."""
    assert len(code) < 4096
    for index, (_, then, otherwise, _) in enumerate(code):
        for jump in (then, otherwise):
            assert 0 <= jump <= LONGEST_JUMP
            assert index + jump < len(code)
    assert code[-1][0] == seccomp._RETURN


ALLOW, KILL, NO_SUCH, REFUSED, NO_FAMILY = 0x7FFF0000, 0x80000000, 0x50026, 0x50001, 0x50061
FEIGNED = 0x50000


def verdict_of(
    code: list[tuple[int, int, int, int]], number: int, args: tuple[int, ...] = (), arch: int = 0xC000003E
) -> int:
    """Run the filter by hand over one call."""
    words = {0: number, 4: arch} | {16 + 8 * index: value & 0xFFFFFFFF for index, value in enumerate(args)}
    loaded, at = 0, 0
    while True:
        operation, then, otherwise, k = code[at]
        at += 1
        if operation == 0x06:
            return k
        if operation == 0x20:
            loaded = words.get(k, 0)
            continue
        if operation == 0x54:
            loaded &= k
            continue
        holds = {0x15: loaded == k, 0x25: loaded > k, 0x35: loaded >= k, 0x45: bool(loaded & k)}[operation]
        at += then if holds else otherwise


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86-64")
@pytest.mark.parametrize(
    ("number", "args", "verdict"),
    [
        (0, (), ALLOW),  # read
        (231, (), ALLOW),  # exit_group
        (272, (), NO_SUCH),  # unshare
        (101, (), NO_SUCH),  # ptrace
        (1000, (), NO_SUCH),
        (0x40000000, (), NO_SUCH),  # x32 read
        (0xFFFFFFFF, (), NO_SUCH),
        (41, (1, 1, 0), REFUSED),  # socket(AF_UNIX)
        (41, (2, 1, 0), REFUSED),
        (53, (1, 1, 0), ALLOW),  # socketpair
        (56, (0x11,), ALLOW),  # clone as fork does
        (56, (0x10000000,), REFUSED),
        (56, (0x00020000,), REFUSED),
        (56, (0x3D0F00,), ALLOW),  # as the C library makes threads
        (56, (0x3D0B00,), REFUSED),  # a thread with descriptors of its own
        (436, (3, 9, 0), ALLOW),  # close_range
        (436, (3, 9, 2), REFUSED),  # with descriptors of one's own from then on
        (435, (), NO_SUCH),  # clone3
        (302, (0, 7), ALLOW),  # prlimit of oneself
        (302, (5, 7), REFUSED),
        (16, (0, 0x5413), ALLOW),  # ioctl
        (16, (0, 0x5412), REFUSED),  # TIOCSTI
        (16, (0, 0x541C), REFUSED),
        (62, (1, 9), ALLOW),  # kill
        (90, (), ALLOW),  # chmod
        (319, (), NO_SUCH),  # memfd_create
        (16, (3, 0x40086602), REFUSED),  # FS_IOC_SETFLAGS
        (16, (3, 0x8901), REFUSED),  # FIOSETOWN
        (72, (3, 4), ALLOW),  # fcntl
        (72, (3, 8), REFUSED),  # F_SETOWN
        (72, (3, 10), REFUSED),  # F_SETSIG
        (72, (3, 15), REFUSED),  # F_SETOWN_EX
        (53, (1, 0x80001, 0), ALLOW),  # a pair of streams
        (53, (1, 0x80002, 0), REFUSED),  # of datagram sockets
        (49, (), NO_SUCH),  # bind
        (42, (), NO_SUCH),  # connect
        (46, (), ALLOW),  # sendmsg
        (203, (0, 8, 1), ALLOW),  # sched_setaffinity of oneself
        (203, (7, 8, 1), FEIGNED),
        (142, (0, 1), ALLOW),  # sched_setparam
        (142, (7, 1), REFUSED),
        (141, (0, 0, 19), ALLOW),  # setpriority of oneself
        (141, (0, 1, 19), REFUSED),
        (141, (1, 0, 19), ALLOW),
        (141, (2, 0, 19), REFUSED),  # of all that its user has
    ],
)
def test_filter_decides(number: int, args: tuple[int, ...], verdict: int) -> None:
    assert verdict_of(seccomp._compile(False, False), number, args) == verdict


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86-64")
@pytest.mark.parametrize(
    ("number", "args", "shared", "apart"),
    [
        (0, (), ALLOW, ALLOW),
        (62, (4711, 9), ALLOW, ALLOW),  # kill
        (62, (1, 9), REFUSED, REFUSED),
        (62, (-1, 9), REFUSED, REFUSED),
        (424, (3, 9), NO_SUCH, NO_SUCH),  # pidfd_send_signal
        (90, (), FEIGNED, ALLOW),  # chmod
        (268, (), FEIGNED, ALLOW),  # fchmodat
        (280, (), FEIGNED, ALLOW),  # utimensat
        (294, (), NO_SUCH, ALLOW),  # inotify_init1
    ],
)
def test_filter_within_a_box_decides(number: int, args: tuple[int, ...], shared: int, apart: int) -> None:
    assert verdict_of(seccomp._compile_box(True, 4711), number, args) == shared
    assert verdict_of(seccomp._compile_box(False, 4711), number, args) == apart


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86-64")
def test_filter_within_a_box_leaves_signals_to_landlock() -> None:
    code = seccomp._compile_box(True, None)
    assert (verdict_of(code, 62, (1, 9)), verdict_of(code, 90)) == (ALLOW, FEIGNED)
    assert verdict_of(code, 0, arch=0x40000003) == KILL


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86-64")
def test_filter_with_more_allowed() -> None:
    code = seccomp._compile(True, True)
    assert verdict_of(code, 41, (1, 1, 0)) == ALLOW
    assert verdict_of(code, 41, (2, 1, 0)) == NO_FAMILY
    assert verdict_of(code, 319) == ALLOW
    assert verdict_of(code, 62, (1, 9)) == ALLOW
    assert verdict_of(code, 0, arch=0x40000003) == KILL


def test_every_allowed_call_is_allowed_and_nothing_else() -> None:
    if os.uname().machine not in {"x86_64", "aarch64"}:
        pytest.skip("no table for this architecture")
    column, arch = seccomp._ARCHITECTURES[os.uname().machine]
    code = seccomp._compile(True, True)
    conditional = {row[column] for row in (seccomp._CLONE, seccomp._CLONE3, seccomp._SOCKET, seccomp._PRLIMIT64)}
    conditional |= {
        row[column]
        for row in (
            seccomp._IOCTL,
            seccomp._SETPRIORITY,
            seccomp._CLOSE_RANGE,
            seccomp._SET_AFFINITY,
            seccomp._SET_PARAM,
        )
    }
    allowed = {row[column] for row in syscalls.ALLOWED.values()} - {-1} - conditional
    for number in set(range(600)) - conditional:
        assert verdict_of(code, number, arch=arch) == (ALLOW if number in allowed else NO_SUCH), number


def test_no_call_is_listed_twice() -> None:
    for column in (0, 1):
        numbers = [row[column] for row in syscalls.ALLOWED.values() if row[column] >= 0]
        assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize(("version", "bits"), [(0, 0), (1, 13), (2, 14), (3, 15), (4, 15), (5, 16), (6, 16), (99, 16)])
def test_rights_by_landlock_version(version: int, bits: int) -> None:
    assert landlock.handled_rights(version) == (1 << bits) - 1


def test_cgroup_is_made_and_removed() -> None:
    group = cgroup.make(f"scalebox-{os.getpid()}-test")
    if group is None:
        pytest.skip("no memory cgroup may be written here")
    version, folder, cpu = group
    try:
        assert cgroup.make(Path(folder).name) == group  # what a killed service left behind is taken over
        gauge = cgroup.Gauge(version, folder, cpu)
        gauge.rest()
        gauge.begin(64 << 20)
        assert (gauge.peak(), gauge.killed()) == (0, False)
        for fd in (gauge.limit_fd, gauge.peak_fd, gauge.usage_fd, gauge._events):
            os.close(fd)
    finally:
        assert cgroup.remove(group)
    assert cgroup.remove(group)  # idempotent
    assert not Path(folder).exists()


class Refusing(io.BytesIO):
    """A control file as Linux before 6.12 has memory.peak: root may open it, and nobody write it."""

    def write(self, _: object) -> int:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("resets", [True, False])
def test_group_whose_peak_cannot_be_reset_is_none(
    version: int, resets: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peak = "memory.peak" if version == 2 else "memory.max_usage_in_bytes"
    real = open

    def opened(name: str, *args: object, **options: object) -> object:
        if not str(name).endswith(peak):
            return real(name, *args, **options)  # type: ignore[call-overload]
        return io.BytesIO() if resets else Refusing()

    monkeypatch.setattr("builtins.open", opened)
    monkeypatch.setattr("os.access", lambda *_: True)  # what root is always told
    monkeypatch.setattr(cgroup, "locate", lambda: (version, str(tmp_path)))
    assert (cgroup.make("group") is not None) is resets
    assert (tmp_path / "group").exists() is resets


@pytest.mark.parametrize(
    ("mounts", "found"),
    [
        ("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", {"cgroup2": "/sys/fs/cgroup"}),
        (
            "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\ncgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n",
            {"memory": "/sys/fs/cgroup/memory"},
        ),
        ("tmpfs / tmpfs rw 0 0\n", {}),
    ],
)
def test_mounts_are_told_apart(
    mounts: str, found: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mounts"
    path.write_text(mounts)
    real = open
    monkeypatch.setattr(
        "builtins.open",
        lambda name, *args, **options: real(path if name == "/proc/self/mounts" else name, *args, **options),
    )
    assert cgroup._mounts() == found


def test_groups_of_killed_services_are_swept() -> None:
    gone, ours = cgroup.make(f"scalebox-{1 << 23}-0-0-0"), cgroup.make(f"scalebox-{os.getpid()}-test")
    if gone is None or ours is None:
        pytest.skip("no memory cgroup may be written here")
    cgroup.sweep()
    assert [Path(gone[1]).exists(), Path(ours[1]).exists()] == [False, True]
    assert cgroup.remove(ours)


def test_group_that_somebody_lives_in_is_not_taken_over() -> None:
    group = cgroup.make(f"scalebox-{os.getpid()}-test")
    if group is None:
        pytest.skip("no memory cgroup may be written here")
    pid = os.fork()
    if pid == 0:
        cgroup.join(group)
        os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(0)
    os.waitpid(pid, os.WUNTRACED)
    try:
        assert cgroup.make(Path(group[1]).name) is None
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        cgroup.remove(group)
