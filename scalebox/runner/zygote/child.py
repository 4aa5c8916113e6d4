"""What a forked box does until it is the program: take what was sent, enter the walls, load. Stdlib only.

Order matters. Everything the box may still need of the service (descriptors, manifest) is taken first; then the walls
go up; only then is anything the program made (its code object, its files) looked at. The harnesses of call and assert
cases run at the same place as the program.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself pulls in enum
import errno
import fcntl
import marshal
import os
import resource
import sys

from scalebox.runner.zygote import ending, protocol
from scalebox.runner.zygote.code import CODE_TYPE, pack_code, unpack_code
from scalebox.sandbox import landlock, linux

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import CodeType
    from typing import Any

    from scalebox.runner.zygote.state import Slot

CODE_FD = protocol.FIRST_FD + 1  # second in DESCRIPTORS, after standard input
_CODE = protocol.CODE
_MANIFEST = protocol.MANIFEST
_loads, _pread = marshal.loads, os.pread  # ruff: ignore[suspicious-marshal-usage] - of what the service wrote
_RLIMIT_FSIZE = resource.RLIMIT_FSIZE
_RLIMIT_NPROC = resource.RLIMIT_NPROC
_PR_SET_DUMPABLE = linux.PR_SET_DUMPABLE
_VALUE_FD = protocol.VALUE_FD
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
_OUT_OF_THE_WAY = 32
_NOT_THERE = (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ELOOP, errno.ENOTDIR)
"""Why a command cannot be started that is no fault of the program: others, such as ENOMEM, are for what it asks."""


class Box:
    """A forked child on its way to be the program; the parent keeps one, blank, and a fork takes it over.

    Args:
        slot: what the parent knows; 0-2 are in place when a box is forked.
        namespace: that of the program's `__main__`.
    """

    __slots__ = ("_manifest", "_slot", "made", "modules", "namespace", "shelf", "uid", "uncaught")

    def __init__(self, slot: Slot, namespace: dict[str, object]) -> None:
        self._slot = slot
        self._manifest: dict[str, object] | None = None
        self.uid = slot.uid if slot.strict and slot.uid is not None else -1
        """What `shut` may change to; -1 where that takes more."""
        self.made = b""
        """The program's code as the service sent it."""
        self.namespace = namespace
        self.modules = slot.modules
        """How many modules are loaded before any program's, `__main__` not counted."""
        self.shelf = slot.shelf
        self.uncaught = 1
        """Exit code after an exception that nobody caught."""

    def enter(self, request: protocol.Received) -> None:
        """Take what the service sent, and put up the walls.

        Raises:
            OSError: a wall could not be put up; nothing of the program was looked at.
        """
        slot = self._slot
        first = protocol.FIRST_FD
        if request.flags & _CODE:
            self.made = os.pread(CODE_FD, request.code_size, 0)
        if request.flags & _MANIFEST:
            self._take(request.flags)
            first = protocol.CHANNEL_FD + 1
        resource.setrlimit(_RLIMIT_FSIZE, slot.largest)
        resource.setrlimit(_RLIMIT_NPROC, slot.tasks)
        self._enter()
        linux.prctl(linux.PR_SET_DUMPABLE, 1)
        os.eventfd_write(slot.entered, 1)
        if self._manifest is not None and self._manifest["mode"] == "exec":  # the counter goes with the call itself
            os.closerange(first, slot.entered)
            first = slot.entered + 1
        os.closerange(first, slot.descriptor_limit)

    def hear(self, told: int, size: int) -> list[tuple[str, bytes]]:
        """Read the manifest; returns the files that are to lie in the work folder.

        Args:
            told: descriptor of the manifest.
            size: bytes of it.
        """
        manifest = self._manifest = _loads(_pread(told, size, 0))
        return manifest.get("files") or []

    def _take(self, flags: int) -> None:
        """Read the manifest and put the channels on the numbers a box is promised."""
        numbers = iter(range(protocol.FIRST_FD, protocol.FIRST_FD + len(protocol.DESCRIPTORS)))
        given = {flag: next(numbers) for flag in protocol.DESCRIPTORS if flags & flag}
        manifest = given[_MANIFEST]
        self._manifest = marshal.loads(os.pread(manifest, os.fstat(manifest).st_size, 0))  # noqa: S302 - the service wrote it
        promised = (
            (protocol.DOCUMENT, protocol.DOCUMENT_FD),
            (protocol.VALUE, protocol.VALUE_FD),
            (protocol.CHANNEL, protocol.CHANNEL_FD),
        )
        moved = {
            number: fcntl.fcntl(given[flag], fcntl.F_DUPFD, _OUT_OF_THE_WAY)
            for flag, number in promised
            if flag in given
        }
        os.closerange(protocol.FIRST_FD, _OUT_OF_THE_WAY)
        for number, fd in moved.items():
            os.dup2(fd, number)

    def _enter(self) -> None:
        """Put up what the parent could not wear itself."""
        slot = self._slot
        if not slot.strict:
            os.setsid()
        if slot.uid is not None:
            os.setresuid(slot.uid, slot.uid, slot.uid)
        if self._manifest is not None:
            self._write_files()
        if slot.capable:
            linux.drop_capabilities()
            os.setsid()  # a session is also what the scheduler groups by; it would be the next box's too
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        if slot.domain is not None:
            linux.prctl(linux.PR_SET_PDEATHSIG, _signal.SIGKILL)
            slot.domain.enter(also=("/proc/self", landlock.READ_ONLY))
        if slot.own_filter is not None:
            slot.own_filter(os.getpid()).install()

    def _write_files(self) -> None:
        files = self._manifest.get("files") if self._manifest is not None else None
        if isinstance(files, list):
            for path, content in files:
                _write_file(path, content)

    def load(self, loads: Callable[[bytes], CodeType] = marshal.loads) -> CodeType | None:  # ruff: ignore[suspicious-marshal-usage] - of the program's own making, inside its box
        """Become what the request says; returns the program's code where the caller is to run it at top level."""
        self.shelf.is_programs = True
        made = self.made
        if self._manifest is None:
            self.made = b""
            return loads(made) if made[0] == CODE_TYPE else unpack_code(made, self._slot.main_file)
        mode = self._manifest["mode"]
        if mode == "exec":
            self._exec()
        if mode == "compile":
            self._compile()
        if mode == "fetch":
            self._fetch()
        self.uncaught = int(str(self._manifest.get("uncaught", 1)))
        sys.argv[1:] = _strings(self._manifest.get("args"))
        sys.orig_argv[2:] = sys.argv[1:]
        if mode == "main":
            return self._load_code()
        try:
            self._harness(str(mode))
        except BaseException as error:  # what ended a judge, as `finish` tells it
            if "uncaught" not in self._manifest:
                raise
            ending.finish(self, error)
        return None

    def _told(self, key: str) -> object:
        return None if self._manifest is None else self._manifest[key]

    def _load_code(self) -> CodeType:
        made, self.made = self.made, b""
        return unpack_code(made, self._slot.main_file)

    def _harness(self, mode: str) -> None:
        harness: Any = self._slot.harness
        told = self._manifest.get("spec") if self._manifest is not None else None
        spec: dict[str, object] = told if isinstance(told, dict) else {}
        if mode == "driver":
            harness.driver.run(spec, protocol.CHANNEL_FD, protocol.VALUE_FD)
            return
        if mode == "unit":
            harness.unit.run(spec, protocol.CHANNEL_FD, protocol.VALUE_FD)
            return
        code = self._load_code()
        namespace = new_module("solution", self._slot.main_file)
        sys.modules["__main__"] = type(sys)("__main__")
        if mode == "call":
            harness.call.run(code, namespace, spec, protocol.VALUE_FD)
        elif mode == "program":
            harness.program_side.run(code, namespace, protocol.CHANNEL_FD)
        elif mode == "onebox_unit":
            harness.unit_onebox.run(code, namespace, spec, protocol.DOCUMENT_FD, protocol.VALUE_FD)
        else:
            harness.onebox.run(code, namespace, spec, protocol.VALUE_FD)

    def _exec(self) -> None:
        argv = _strings(self._told("argv"))
        environment = dict(os.environ)
        extra = self._told("environment")
        if isinstance(extra, dict):
            environment.update(extra)
        _signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)
        _signal.signal(_signal.SIGXFSZ, _signal.SIG_DFL)
        try:
            os.execvpe(argv[0], argv, environment)  # ruff: ignore[start-process-with-no-shell] - no shell is wanted
        except OSError as error:
            os.write(2, ("cannot start " + argv[0] + ": " + str(error) + "\n").encode())
            if error.errno in _NOT_THERE:
                os.eventfd_write(self._slot.entered, 1)
            os._exit(127)

    def _compile(self) -> None:
        """Compile Python source; the diagnostics are those `python3 main.py` would print."""
        filename = str(self._told("filename"))
        try:
            made = pack_code(self.made, filename)
        except BaseException as error:  # ruff: ignore[blind-except] - whatever the parser raises is the program's compile error
            error.__traceback__ = None
            sys.excepthook(type(error), error, None)
            ending.flush()
            os._exit(1)
        _write_all(protocol.VALUE_FD, made)
        os._exit(0)

    def _fetch(self) -> None:
        """Write the wanted regular files to the value channel: index, length of the path below it, size, path, content."""
        for index, name in enumerate(_strings(self._told("names"))):
            if not name.endswith("/"):
                _send_file(index, name, "")
                continue
            for folder, _, files in os.walk(name):
                for file in files:
                    path = folder.rstrip("/") + "/" + file
                    _send_file(index, path, path[len(name) :])
        os._exit(0)


def shut(
    code: int,
    size: int,
    largest: tuple[int, int],
    tasks: tuple[int, int],
    uid: int,
    entered: int,
    first: int,
    end: int,
    value: int = -1,
    files: Sequence[tuple[str, bytes]] = (),
    *,
    pread: Callable[[int, int, int], bytes] = os.pread,
    setrlimit: Callable[[int, tuple[int, int]], None] = resource.setrlimit,
    setresuid: Callable[[int, int, int], None] = os.setresuid,
    prctl: Callable[..., int] = linux.fast_prctl,
    tell: Callable[[int, int], None] = os.eventfd_write,
    closerange: Callable[[int, int], None] = os.closerange,
) -> bytes:
    """Read the program's code and shut the box around us: the shortest way, which a program without a manifest takes.

    So does one that has files, or a value channel, and nothing else.

    All it calls is at hand as a local; to look it up would write pages.

    Args:
        code: descriptor of the code.
        size: bytes of it.
        largest: RLIMIT_FSIZE.
        tasks: RLIMIT_NPROC.
        uid: the program's.
        entered: event counter that tells the parent.
        first: closed are descriptors from here.
        end: to here, this one left out.
        value: descriptor of the value channel, where there is one.
        files: what is to lie in the work folder, the program's own.

    Raises:
        OSError: a wall could not be put up.
    """
    made = pread(code, size, 0)
    setrlimit(_RLIMIT_FSIZE, largest)
    setrlimit(_RLIMIT_NPROC, tasks)
    setresuid(uid, uid, uid)
    for path, content in files:
        _write_file(path, content)
    # Changing the uid made /proc/self root's; programs read /proc/self/fd through /dev/stdin.
    if prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0) < 0:
        raise OSError("the box cannot be made dumpable")
    tell(entered, 1)
    if value >= 0:
        os.dup2(value, _VALUE_FD)
        closerange(first, _VALUE_FD)
        first = _VALUE_FD + 1
    closerange(first, end)
    return made


def new_module(name: str, filename: str) -> dict[str, object]:
    """A fresh module as `python3 main.py` makes it, names in the same order, registered under its name."""
    module = type(sys)(name)
    namespace: dict[str, object] = module.__dict__
    namespace["__loader__"] = sys.modules["_frozen_importlib_external"].SourceFileLoader(name, filename)
    if sys.version_info < (3, 14):
        namespace["__annotations__"] = {}
    namespace["__builtins__"] = sys.modules["builtins"]
    namespace["__file__"] = filename
    namespace["__cached__"] = None
    sys.modules[name] = module
    return namespace


def _write_file(
    path: str,
    content: bytes,
    open_file: Callable[..., int] = os.open,
    write: Callable[[int, bytes], int] = os.write,
    close: Callable[[int], None] = os.close,
) -> None:
    if "/" in path:
        folder = os.path.dirname(path)
        os.makedirs(folder, exist_ok=True)
        if path.endswith("/"):
            return  # the folder is all that is wanted
    fd = open_file(path, _NEW_FILE, 0o644)
    if write(fd, content) < len(content):  # a file that is too large for one call, or for the box
        os.lseek(fd, 0, os.SEEK_SET)
        _write_all(fd, content)
    close(fd)


def _send_file(index: int, name: str, below: str) -> None:
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return
    status = os.fstat(fd)
    path = os.fsencode(below)
    if (status.st_mode & 0o170000) == 0o100000 and len(path) < 65536:
        head = index.to_bytes(4, "little") + len(path).to_bytes(2, "little") + status.st_size.to_bytes(8, "little")
        _write_all(protocol.VALUE_FD, head + path)
        left, offset = status.st_size, 0
        while left:
            sent = os.sendfile(protocol.VALUE_FD, fd, offset, left)
            if sent == 0:
                os._exit(1)
            left -= sent
            offset += sent
    os.close(fd)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _strings(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []
