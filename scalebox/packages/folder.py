"""A package's directory, read with suspicion. Never reads a file outside it, wherever links lead, and nothing but regular files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from scalebox.packages.package import PackageError

MAX_TEXT_BYTES: Final = 1 << 20
"""Of configuration and sources; jury tools allow sources of 128 KiB."""
MAX_FILES: Final = 200_000
"""Entries one package may have below a folder that is read whole."""


class Folder:
    """The root of a package; every path is relative to it, with ``/``.

    Args:
        root: an existing directory.

    Raises:
        PackageError: it is no directory.
    """

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise PackageError(str(root), "there is no such directory", "name the directory of one problem package")
        self.shown = root
        self._root = root.resolve()
        self._listed = 0

    @property
    def name(self) -> str:
        """The directory's own name."""
        return self._root.name

    def where(self, path: str) -> str:
        """A path as messages show it."""
        return str(self.shown / path)

    def is_file(self, path: str) -> bool:
        """Whether a regular file inside the package has this name."""
        return self._inside(path).is_file()

    def is_dir(self, path: str) -> bool:
        """Whether a directory inside the package has this name."""
        return self._inside(path).is_dir()

    def names(self, path: str) -> list[str]:
        """Names in a directory, in byte order; none where there is no directory. Names with a leading dot are left out.

        Raises:
            PackageError: a link that leads out of the package or to a folder around it, or too many entries.
        """
        directory = self._inside(path)
        if not directory.is_dir():
            return []
        if directory in {self._inside(str(parent)) for parent in PurePosixPath(path).parents}:
            raise PackageError(self.where(path), "this link leads to a folder that it lies in", "remove it")
        names = sorted((name for name in os.listdir(directory) if not name.startswith(".")), key=os.fsencode)
        self._listed += len(names)
        if self._listed > MAX_FILES:
            raise PackageError(
                self.where(path), f"the package has more than {MAX_FILES} files", "name the directory of one problem"
            )
        return names

    def files(self, path: str) -> Iterator[str]:
        """Every file below a directory, relative to it."""
        for name in self.names(path):
            inner = f"{path}/{name}"
            if self.is_dir(inner):
                yield from (f"{name}/{rest}" for rest in self.files(inner))
            elif self.is_file(inner):
                yield name

    def read(self, path: str, *, limit: int | None = None) -> bytes:
        """The content of a file.

        Args:
            path: of the file.
            limit: bytes it may have.

        Raises:
            PackageError: it is missing, no regular file, too large, unreadable or outside the package.
        """
        file = self._inside(path)
        if not file.exists():
            raise PackageError(self.where(path), "there is no such file", "add it to the package")
        if not file.is_file():
            raise PackageError(self.where(path), "is no regular file", "put the file itself there")
        try:
            with file.open("rb") as stream:
                data = stream.read() if limit is None else stream.read(limit + 1)
        except OSError as error:
            raise PackageError(self.where(path), f"cannot be read ({error.strerror})", "make it readable") from None
        if limit is not None and len(data) > limit:
            raise PackageError(self.where(path), f"has more than {limit} bytes", "make it smaller")
        return data

    def text(self, path: str) -> str:
        """The content of a configuration file.

        Raises:
            PackageError: as ``read``, or it is not UTF-8.
        """
        try:
            return self.read(path, limit=MAX_TEXT_BYTES).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise PackageError(self.where(path), f"is not UTF-8 at byte {error.start}", "save it as UTF-8") from None

    def source(self, path: str) -> str:
        """The content of a source; one that is not UTF-8 is read as Latin-1, which loses nothing but what it was called.

        Raises:
            PackageError: as ``read``.
        """
        data = self.read(path, limit=MAX_TEXT_BYTES)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("latin-1")

    def _inside(self, path: str) -> Path:
        """Where a path really is, links followed."""
        try:
            target = (self._root / path).resolve()
        except (OSError, RuntimeError, ValueError):  # links in a circle, or a name no file can have
            raise PackageError(
                self.where(path), "no file can be reached by this name", "correct the name or link"
            ) from None
        if not target.is_relative_to(self._root):
            raise PackageError(
                self.where(path), "leads out of the package", "put the file itself into the package, not a link to it"
            )
        return target
