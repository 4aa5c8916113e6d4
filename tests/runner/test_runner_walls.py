"""What a box cannot reach: network, processes, privileges, rare kernel interfaces, the machine's files."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest
from runner.rig import NEEDS_ROOT, Rig

pytestmark = [pytest.mark.sandbox, NEEDS_ROOT]

NETWORK = """
    import socket, sys
    def tried(action):
        try:
            action()
        except OSError as error:
            return False
        return True
    port = int(sys.argv[1])
    reached = []
    for family in range(64):
        for kind in (1, 2, 3, 5):
            try:
                made = socket.socket(family, kind)
            except OSError:
                continue
            if family != socket.AF_UNIX: reached.append(["made", family, kind])
            made.close()
    for what in (
        lambda: socket.create_connection(("127.0.0.1", port), 1),
        lambda: socket.create_connection(("169.254.169.254", 80), 1),
        lambda: socket.create_server(("127.0.0.1", 0)),
        lambda: socket.getaddrinfo("example.com", 80),
        lambda: socket.socket(socket.AF_UNIX).connect(sys.argv[2]),
        lambda: socket.socket(socket.AF_UNIX).connect("\\0" + sys.argv[3]),
    ):
        if tried(what): reached.append(what.__code__.co_firstlineno)
    print(reached)
"""


async def test_no_network(rig: Rig, tmp_path: Path) -> None:
    if rig.mode == "none":
        return
    abstract = f"scalebox-test-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as unnamed,
    ):
        path = str(tmp_path / "socket")
        umask = os.umask(0)
        named.bind(path)
        os.umask(umask)
        unnamed.bind("\0" + abstract)
        named.listen()
        unnamed.listen()
        run = await rig.run(NETWORK, args=[str(tcp.getsockname()[1]), path, abstract])
    assert (run.stdout, run.exit_code) == (b"[]\n", 0), run.stderr


async def test_interfaces_are_none(strict: Rig) -> None:
    run = await strict.run("import socket; print(socket.if_nameindex())")
    assert run.exit_code == 1  # no socket to ask with, and but `lo` nothing to see


async def test_socket_pairs_and_event_loops_work(rig: Rig) -> None:
    source = """
        import asyncio, socket
        a, b = socket.socketpair(); a.send(b"x"); print(b.recv(1))
        async def main():
            done = await asyncio.create_subprocess_exec("/bin/echo", "hi", stdout=asyncio.subprocess.PIPE)
            print((await done.communicate())[0], await asyncio.to_thread(lambda: 5))
        asyncio.run(main())
    """
    run = await rig.run(source)
    assert run.stdout == b"b'x'\nb'hi\\n' 5\n", run.stderr


STATUS = """
    import json, os
    fields = dict(line[:-1].split(":\\t", 1) for line in open("/proc/self/status") if ":\\t" in line)
    print(json.dumps([fields, os.getresuid(), os.getresgid(), os.getgroups()]))
"""


async def test_no_privileges(rig: Rig) -> None:
    if rig.mode == "none":
        return
    run = await rig.run(STATUS)
    fields, uids, gids, groups = json.loads(run.stdout)
    assert (fields["NoNewPrivs"], fields["Seccomp"]) == ("1", "2")
    assert {fields[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {"0" * 16}
    assert fields["CapBnd"] == "0" * 16 or os.geteuid() != 0
    assert (len(set(uids)), len(set(gids)), groups) == (1, 1, [])
    if rig.engine.walls.change_uid:
        assert uids[0] >= rig.engine.slots.uid_base
        assert gids == uids


async def test_no_other_process_is_seen(strict: Rig) -> None:
    source = """
        import os
        print([int(name) for name in os.listdir("/proc") if name.isdigit()] == [os.getpid()])
        for pid in range(1, os.getpid()):
            try: print(pid, os.kill(pid, 0))
            except OSError: pass
            for name in ("status", "environ", "maps", "mem", "fd", "cwd", "root", "exe", "cmdline"):
                path = f"/proc/{pid}/{name}"
                try: print(path, os.readlink(path))
                except OSError: pass
                try: print(path, len(open(path, "rb").read(9)))
                except OSError: pass
    """
    run = await strict.run(source)
    assert run.stdout == b"True\n"


async def test_parent_cannot_be_looked_into_or_signalled(rig: Rig) -> None:
    if rig.mode == "none":
        return
    source = """
        import os
        pid = os.getppid()
        for name in ("environ", "maps", "mem", "fd", "cwd", "root", "exe", "auxv", "stack"):
            path = f"/proc/{pid}/{name}"
            for look in (os.readlink, os.listdir, lambda path: open(path, "rb").read(9)):
                try: print(path, look(path))
                except OSError: pass
        for number in (0, 9, 19):
            try: os.kill(pid, number); print(number)
            except OSError: pass
        try: os.setpriority(os.PRIO_PROCESS, pid, 19); print("nice")
        except OSError: pass
    """
    slot = await rig.slot()
    run = await rig.run(source)
    assert run.stdout in {b"", b"0\n9\n19\n"}  # process 1 of a namespace is deaf to its children
    if not rig.strict:
        assert run.stdout == b""
    assert (await rig.run("print(1)")).stdout == b"1\n"
    assert await rig.slot() is slot


CALLS = """
    import ctypes, errno, json, sys
    libc = ctypes.CDLL(None, use_errno=True)
    found = {}
    for name, number, args in json.loads(sys.argv[1]):
        ctypes.set_errno(0)
        result = libc.syscall(number, *[ctypes.c_long(a) for a in args])
        found[name] = [result, errno.errorcode.get(ctypes.get_errno(), "")]
    print(json.dumps(found))
"""
# name, x86-64 number, arguments that would do something harmless or fail in another way were the call let through
REFUSED: Sequence[tuple[str, int, Sequence[int]]] = (
    ("unshare-user", 272, (0x10000000,)),
    ("unshare-net", 272, (0x40000000,)),
    ("unshare-fs", 272, (0x200,)),
    ("setns", 308, (0, 0)),
    ("mount", 165, (0, 0, 0, 0, 0)),
    ("umount2", 166, (0, 0)),
    ("pivot_root", 155, (0, 0)),
    ("chroot", 161, (0,)),
    ("ptrace", 101, (0, 0, 0, 0)),
    ("process_vm_readv", 310, (1, 0, 0, 0, 0, 0)),
    ("process_vm_writev", 311, (1, 0, 0, 0, 0, 0)),
    ("kcmp", 312, (1, 1, 0, 0, 0)),
    ("bpf", 321, (0, 0, 0)),
    ("perf_event_open", 298, (0, 0, -1, -1, 0)),
    ("io_uring_setup", 425, (8, 0)),
    ("userfaultfd", 323, (1,)),
    ("add_key", 248, (0, 0, 0, 0, 0)),
    ("request_key", 249, (0, 0, 0, 0)),
    ("keyctl", 250, (0, -3, 0)),
    ("init_module", 175, (0, 0, 0)),
    ("finit_module", 313, (0, 0, 0)),
    ("kexec_load", 246, (0, 0, 0, 0)),
    ("reboot", 169, (0, 0, 0, 0)),
    ("swapon", 167, (0, 0)),
    ("settimeofday", 164, (0, 0)),
    ("clock_settime", 227, (0, 0)),
    ("adjtimex", 159, (0,)),
    ("sethostname", 170, (0, 0)),
    ("syslog", 103, (3, 0, 0)),
    ("acct", 163, (0,)),
    ("quotactl", 179, (0, 0, 0, 0)),
    ("open_by_handle_at", 304, (0, 0, 0)),
    ("name_to_handle_at", 303, (0, 0, 0, 0, 0)),
    ("fanotify_init", 300, (0, 0)),
    ("shmget", 29, (0, 4096, 0o1600)),
    ("semget", 64, (0, 1, 0o1600)),
    ("msgget", 68, (0, 0o1600)),
    ("mq_open", 240, (0, 0, 0, 0)),
    ("personality", 135, (0xFFFFFFFF,)),
    ("iopl", 172, (3,)),
    ("move_mount", 429, (0, 0, 0, 0, 0)),
    ("fsopen", 430, (0, 0)),
    ("open_tree", 428, (0, 0, 0)),
    ("clone3", 435, (0, 0)),
    ("clone-newuser", 56, (0x10000011, 0, 0, 0, 0)),
    ("clone-newpid", 56, (0x20000011, 0, 0, 0, 0)),
    ("prlimit-other", 302, (1, 7, 0, 0)),
    ("pidfd_getfd", 438, (0, 0, 0)),
    ("process_madvise", 440, (0, 0, 0, 0, 0)),
    ("memfd_secret", 447, (0,)),
    ("x32-getpid", 0x40000000 + 39, ()),
    ("unknown", 1000, ()),
)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86-64")
async def test_rare_kernel_interfaces_are_refused(rig: Rig) -> None:
    if rig.mode == "none":
        return
    run = await rig.run(CALLS, args=[json.dumps(REFUSED)])
    found = json.loads(run.stdout)
    let_through = {name: end for name, end in found.items() if end[0] != -1 or end[1] not in {"ENOSYS", "EPERM"}}
    assert let_through == {}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the other table is that of 32-bit x86")
async def test_calls_of_another_architecture_kill(strict: Rig) -> None:
    source = """
        import ctypes, mmap
        code = bytes.fromhex("b814000000cd80c3")  # mov eax, 20; int 0x80; ret
        area = mmap.mmap(-1, 4096, prot=7)
        area.write(code)
        function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(area)))
        print("returned", function())
    """
    run = await strict.run(source)
    assert b"returned" not in run.stdout
    assert run.signal is not None


@pytest.mark.parametrize(
    "source",
    [
        "import ctypes; print(ctypes.CDLL(None).prctl(38, 0, 0, 0, 0))",  # no-new-privileges cannot be taken back
        "import os; os.setuid(0)",
        "import os; os.setresgid(0, 0, 0)",
        "import os; os.setgroups([0])",
        "import os; os.chown('main.py', 0, 0)",
        "import os; os.mknod('null', 0o20666, os.makedev(1, 3))",
        "import os; os.nice(-5)",
        "import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
        "import os; open('/proc/self/oom_score_adj', 'w').write('-1000')",
        "import os; open('/proc/sys/kernel/core_pattern', 'w').write('|/box/work/x')",
        "open('/usr/bin/python3', 'r+b')",
        "open('/etc/passwd', 'a')",
        "open('/new', 'w')",
        "import os; os.mkdir('/usr/new')",
        "import os; os.rename('/usr/bin/env', '/usr/bin/env2')",
        "import os; os.remount if False else os.chmod('/usr', 0o777)",
    ],
)
async def test_what_takes_privileges_fails(rig: Rig, source: str) -> None:
    if rig.mode == "none":
        return
    run = await rig.run(source)
    assert run.exit_code == 1 or run.stdout == b"-1\n"
    assert b"Error" in run.stderr or run.stdout == b"-1\n"


async def test_nobody_else_is_scheduled_otherwise(rig: Rig) -> None:
    if rig.mode == "none":
        return
    source = """
        import os
        for policy in (os.SCHED_OTHER, os.SCHED_BATCH, os.SCHED_IDLE):
            try:
                os.sched_setscheduler(os.getppid() or 1, policy, os.sched_param(0))
            except PermissionError:
                print("refused")
            else:
                print("as everyone")
    """
    run = await rig.run(source)
    assert run.stdout == b"as everyone\nrefused\nrefused\n"


async def test_nobody_else_gets_other_cpus(rig: Rig) -> None:
    if rig.mode == "none":
        return
    source = """
        import os, threading
        before = os.sched_getaffinity(0)
        first = threading.get_native_id()
        os.sched_setaffinity(os.getppid() or 1, {min(before)})
        for _ in range(2):
            thread = threading.Thread(target=lambda: os.sched_setaffinity(first, {min(before)}))
            thread.start()
            thread.join()
        print(os.sched_getaffinity(0) == before)
    """
    run = await rig.run(source)
    assert run.stdout == b"True\n", run.stderr


async def test_programs_that_change_their_uid_gain_nothing(rig: Rig) -> None:
    if rig.mode == "none":
        return
    run = await rig.run(
        "import subprocess; print(subprocess.run(['/bin/sh', '-c', 'su -c id; mount; passwd -d root'], "
        "capture_output=True).stdout)"
    )
    assert b"uid=0" not in run.stdout


HIDDEN = [
    "/root",
    "/home",
    "/work",
    "/boot",
    "/mnt",
    "/srv",
    "/opt",
    "/sys",
    "/run",
    "/var/lib",
    "/dev/sda",
    "/dev/kmsg",
]


async def test_machines_files_are_not_there(strict: Rig) -> None:
    paths = [path for path in [*HIDDEN, str(Path(__file__).parents[2])] if path not in strict.engine.slots.show]
    run = await strict.run("import os, sys; print([p for p in sys.argv[1:] if os.path.lexists(p)])", args=paths)
    shown = {str(parent) for folder in strict.engine.slots.show for parent in Path(folder).parents}
    assert set(json.loads(run.stdout.decode().replace("'", '"'))) <= shown


async def test_machines_files_cannot_be_read(rig: Rig, tmp_path: Path) -> None:
    if rig.mode == "none":
        return
    secret = tmp_path / "secret"
    secret.write_text("secret")
    secret.chmod(0o644)
    paths = [
        str(secret),
        "/etc/shadow",
        "/etc/hostname",
        "/proc/1/environ",
        "/proc/kcore",
        "/proc/kallsyms",
        "/dev/mem",
    ]
    source = """
        import os, sys
        for path in sys.argv[1:]:
            for look in (os.listdir, lambda path: open(path, "rb").read(9)):
                try: print(path, look(path))
                except OSError: pass
    """
    run = await rig.run(source, args=[*paths, "/root", str(Path(__file__).parents[2]), "/var/log", "/sys", "/run"])
    assert (run.stdout, run.exit_code) == (b"", 0)


async def test_root_of_the_box_is_small_and_read_only(strict: Rig) -> None:
    source = """
        import os
        print(sorted(os.listdir("/")), sorted(os.listdir("/dev")), sorted(os.listdir("/box")))
        for folder in ("/", "/etc", "/dev", "/usr", "/box", "/proc", "/var"):
            try:
                open(folder + "/x", "w"); print("written", folder)
            except OSError: pass
    """
    run = await strict.run(source)
    [first] = run.stdout.decode().splitlines()
    assert "['shm', 'tmp', 'work']" in first
    assert "'fd', 'full', 'null', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'urandom', 'zero'" in first
    assert ".old" not in first


async def test_other_slots_files_are_not_seen(rig: Rig) -> None:
    if rig.strict or rig.mode == "none":
        return
    mine = os.environ.get("TMPDIR", "/tmp")
    run = await rig.run("import os, sys\nprint([p for p in sys.argv[1:] if os.access(p, 4)])", args=["/dev/shm", mine])
    assert run.exit_code == 0
    listed = await rig.run("import os\ntry: print(os.listdir('/dev/shm'))\nexcept OSError: print('refused')")
    assert listed.stdout == b"refused\n"


async def test_devices_are_harmless(rig: Rig) -> None:
    source = """
        import os
        print(len(open("/dev/urandom", "rb").read(9)), open("/dev/zero", "rb").read(2), open("/dev/null", "w").write("x"))
        try: open("/dev/full", "w").write("x" * 99999)
        except OSError as error: print(error.errno)
    """
    run = await rig.run(source)
    assert run.stdout == b"9 b'\\x00\\x00' 1\n28\n", run.stderr
