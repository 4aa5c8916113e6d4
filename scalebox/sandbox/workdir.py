"""The folders a box may write, made again after every case that touched them; never follows what a program left.

A case that wrote nothing is known by inotify, whose descriptor the slot polls anyway, or where there is none by the
change times of the folders. Where all that lies there has names we gave, we remove it by those names; anything else is
removed through directory descriptors, without following links, at any depth and under any mode, by a child that is
forked for it. Runs in slots.
"""

from __future__ import annotations

import os
import select
import struct
import time

from scalebox.sandbox import linux

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NAMES = ("work", "tmp", "shm")

_CHANGES = 0x00000002 | 0x00000004 | 0x000000C0 | 0x00000100 | 0x00000200 | 0x00000400 | 0x00000800
"""IN_MODIFY, IN_ATTRIB, IN_MOVED_FROM and _TO, IN_CREATE, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF."""

_DAY = 86_400_000_000_000
_LONG_AGO = 18_262 * _DAY
"""The first day of 2020, in nanoseconds: archivers want none before 1980."""

_EVENTS = 4096
"""Bytes; more than the longest event."""

_EVENT = struct.Struct("i8xI")
"""Of an event: whose watch it is, and how long the name is that follows."""

_LOST = -1
"""The watch of an event that says that others were dropped."""

_MAX_DEPTH = 64
"""Deeper trees are lifted: a sub-folder is moved up instead of being walked, so no path grows long."""


class Workdir:
    """The three folders of one slot.

    Args:
        base: folder that holds them; its owner is us.
        names: the folders' names.
        owner: uid of the programs, or None where it is our own.
        given: names in the first folder that the service gives to files of its own.
    """

    def __init__(self, base: str, names: tuple[str, ...], owner: int | None, given: tuple[str, ...] = ()) -> None:
        self.base = base
        self._names = names
        self._owner = owner
        self.seen: list[int] = []
        self.given = [self.path(names[0]) + "/" + name for name in given]
        self.placed: str | None = None
        self._scrap = bytearray(_EVENTS)
        self.at_rest = 0
        self._sits = False
        self.watched = [self.path(name) for name in names]
        self.watches: list[int] = []
        self.news = -1
        """Readable once a box changed anything; -1 where inotify is not to be had. Closing it would wait for a grace
        period of the kernel (fsnotify_destroy_group()), milliseconds of them, so there is one for good."""
        self.reset()

    def sit(self) -> None:
        """Make the first folder our own work folder, from now on after every reset too."""
        os.chdir(self.path(self._names[0]))
        self._sits = True

    def path(self, name: str) -> str:
        """Where a folder is."""
        return self.base + "/" + name

    def place(self, name: str, source: int, mode: int) -> None:
        """Copy a program's file into the first folder, inside the kernel: our heap never holds its bytes."""
        if self.placed is not None or self.touched():
            self.reset()
        target = os.open(
            self.path(self._names[0]) + "/" + name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode
        )
        try:
            offset, size = 0, os.fstat(source).st_size
            while offset < size:
                sent = os.sendfile(target, source, offset, size - offset)
                if sent == 0:
                    break
                offset += sent
            os.fchmod(target, mode)
            self._settle_times(target)
        finally:
            os.close(target)
        self.placed = name
        if self._owner is None:
            self._watch()
        else:
            self._take_stock()

    def touched(self) -> bool:
        """Whether a box changed anything since the last ``place`` or ``reset``; for where ``news`` cannot be polled."""
        return not self._pristine()

    def changed(self) -> bool:
        """As `touched`, while a box runs and asked often; a file that never had a name is told of once it has a size.

        True where nobody tells: the times of folders do not change with what is written to such files.
        """
        if self.news < 0:
            return True
        told = select.poll()
        told.register(self.news, select.POLLIN)
        return bool(told.poll(0))

    @property
    def is_watched(self) -> bool:
        """Whether ``news`` tells of every folder."""
        return self.news >= 0 and len(self.watches) == len(self.seen) == len(self.watched)

    def used(self) -> int:
        """Bytes that boxes have written; only where the file system that holds the folders is the slot's own."""
        return max(self._in_use() - self.at_rest, 0)

    def exceeds(self, most_bytes: int, most_entries: int, held: Callable[[str], int]) -> bool:
        """Whether boxes have put more than that into the folders; for where the file system is not the slot's own.

        Looked up by a process of its own, as names that a program chose are read.

        Args:
            most_bytes: what may be there.
            most_entries: how many files and folders.
            held: what is taken up below a folder by files without a name; asked last, in that process.
        """
        try:
            pid = os.fork()
        except BlockingIOError:  # a box has taken every task there is, and is over some limit in any case
            return True
        if pid == 0:
            status = 1
            try:
                left = _left_over(self.base, most_bytes, most_entries)
                status = int(left < 0 or held(self.base) > left)
            finally:
                os._exit(status)
        return os.waitpid(pid, 0)[1] != 0

    def _in_use(self) -> int:
        space = os.statvfs(self.base)
        return (space.f_blocks - space.f_bfree) * space.f_frsize

    def reset(self) -> None:
        """Remove everything and make the folders anew, so that not even their times tell of an earlier case."""
        removed = self._removed_by_name()
        if removed is None:
            for watch in self.watches:
                linux.inotify_unwatch(self.news, watch)
            self.watches = []
            self._remove_all()
        remade = range(len(self._names)) if removed is None else removed
        for index in remade:
            path = self.path(self._names[index])
            os.mkdir(path, 0o700)
            if self._owner is not None:
                os.chmod(path, 0o755 if index == 0 else 0o1777)
                os.chown(path, self._owner, self._owner)
        if self._sits:
            self.sit()  # which ends the folder that we sat in, so that its end is told before we take stock
        self._settle_times(self.base)
        for name in self._names:  # of those too that stay as they are: two days later an access would be noted
            self._settle_times(self.path(name))
        self.placed = None
        if self.watches:
            self._watch_again(remade)
        else:
            self._watch()

    def _settle_times(self, what: str | int) -> None:
        """Set both times, so that a later case cannot tell by them that an earlier one has read or listed something.

        The kernel notes a first access that is not later than the last change (relatime), so that access lies ahead.
        """
        ahead = (time.time_ns() // _DAY + 1) * _DAY
        os.utime(what, ns=(ahead, _LONG_AGO))

    def _removed_by_name(self) -> list[int] | None:
        """Remove the folders that were changed where they hold nothing but files whose names we gave: nothing is listed, no name is read.

        Only where no program can write the base, so that it holds the folders alone.

        Returns:
            Which were removed, the first always; None where that was not enough.
        """
        if self._owner is None:
            return None
        heard = self._forget_news() if self.watches else {_LOST}
        changed = [
            index for index in range(len(self._names)) if index == 0 or _LOST in heard or self.watches[index] in heard
        ]
        placed = [] if self.placed is None else [self.path(self._names[0]) + "/" + self.placed]
        try:
            for path in placed + self.given:
                try:
                    os.unlink(path)
                except FileNotFoundError:
                    pass
            for index in changed:
                os.rmdir(self.path(self._names[index]))
        except OSError:
            return None
        return changed

    def _remove_all(self) -> None:
        """Empty the base, in a process of its own: names that a program chose never get into the heap later boxes inherit.

        Raises:
            OSError: something could not be removed.
        """
        self._forget_news()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                for name in os.listdir(self.base):
                    remove(self.base, name)
                status = 0
            finally:
                os._exit(status)
        if os.waitpid(pid, 0)[1]:
            raise OSError("the folders of " + self.base + " could not be emptied")

    def _watch(self) -> None:
        """Choose whose change times tell; where programs are us they could change the base and the file themselves."""
        self.watched = [self.path(name) for name in self._names]
        if self._owner is None:
            self.watched.append(self.base)
            if self.placed is not None:
                self.watched.append(self.watched[0] + "/" + self.placed)
        try:
            if self.news < 0:
                self.news = linux.move_up(linux.inotify())
            self.watches = [linux.inotify_watch(self.news, path, _CHANGES) for path in self.watched]
        except OSError:
            self._deafen()
        self._take_stock()

    def _watch_again(self, remade: Sequence[int]) -> None:
        """Watch folders that were made anew; the watches of those before them ended with them."""
        try:
            for index in remade:
                self.watches[index] = linux.inotify_watch(self.news, self.watched[index], _CHANGES)
        except OSError:
            self._deafen()
        self._take_stock()

    def _take_stock(self) -> None:
        """All that is there now is ours: what comes is a box's."""
        self.seen = self._look()
        self.at_rest = self._in_use()
        self._forget_news()

    def _deafen(self) -> None:
        if self.news >= 0:
            os.close(self.news)
        self.news = -1
        self.watches = []

    def _forget_news(self) -> set[int]:
        """Drop what was told so far; names that a program chose are among it: they are not read, and do not stay in memory.

        Returns:
            The watches that told it, `_LOST` among them where there was too much to tell.
        """
        heard: set[int] = set()
        scrap = self._scrap
        try:
            while self.news >= 0:
                size = os.readv(self.news, [scrap])
                start = 0
                while start < size:
                    watch, length = _EVENT.unpack_from(scrap, start)
                    heard.add(watch)
                    start += _EVENT.size + length
                scrap[:size] = bytes(size)
        except BlockingIOError:
            pass
        return heard

    def _pristine(self) -> bool:
        return self._look() == self.seen

    def _look(self) -> list[int]:
        """Change times of what a box could have changed; no call sets those."""
        times = []
        for path in self.watched:
            try:
                times.append(os.lstat(path).st_ctime_ns)
            except FileNotFoundError:
                return []
        return times


def _left_over(base: str, most_bytes: int, most_entries: int) -> int:
    """How many bytes less than that a tree holds, negative where it holds more; what changes meanwhile counts as it is found."""
    left = [base]
    while left:
        folder = left.pop()
        try:
            entries = list(os.scandir(folder))
        except (FileNotFoundError, NotADirectoryError):
            continue
        for entry in entries:
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            most_bytes -= status.st_blocks * 512
            most_entries -= 1
            if entry.is_dir(follow_symlinks=False):
                left.append(entry.path)
        if most_bytes < 0 or most_entries < 0:
            return -1
    return most_bytes


def remove(parent: str, name: str) -> None:
    """Remove one entry of a folder of ours, whatever it is, and all below it."""
    base = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        doomed = [name]
        while doomed:
            _remove_tree(base, doomed.pop(), doomed)
    finally:
        os.close(base)


def _remove_tree(base: int, name: str, doomed: list[str]) -> None:
    """Empty and remove ``name`` below ``base``; too deep folders are moved up to ``base`` and put on ``doomed``."""
    try:
        os.unlink(name, dir_fd=base)
    except IsADirectoryError:
        pass
    except PermissionError:
        pass
    else:
        return
    stack = [(name, _open_dir(base, name))]
    try:
        while stack:
            if _empty_one(base, stack, doomed):
                folder, fd = stack.pop()
                os.close(fd)
                os.rmdir(folder, dir_fd=stack[-1][1] if stack else base)
    finally:
        for _, fd in stack:
            os.close(fd)


def _empty_one(base: int, stack: list[tuple[str, int]], doomed: list[str]) -> bool:
    """Unlink what the innermost folder holds; True when it is empty, False after stepping into a sub-folder."""
    fd = stack[-1][1]
    for entry in os.listdir(fd):
        try:
            os.unlink(entry, dir_fd=fd)
        except (IsADirectoryError, PermissionError):
            if len(stack) >= _MAX_DEPTH:
                os.chmod(entry, 0o700, dir_fd=fd)  # moving a folder writes into it
                lifted = f".lifted-{len(doomed)}-{os.fstat(fd).st_ino}"
                os.rename(entry, lifted, src_dir_fd=fd, dst_dir_fd=base)
                doomed.append(lifted)
                continue
            stack.append((entry, _open_dir(fd, entry)))
            return False
    return True


def _open_dir(parent: int, name: str) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        fd = os.open(name, flags, dir_fd=parent)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=parent)
        return os.open(name, flags, dir_fd=parent)
    # Unlinking needs write and search permission on the folder itself.
    os.fchmod(fd, 0o700)
    return fd
