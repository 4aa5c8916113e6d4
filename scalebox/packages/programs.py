"""The jury's programs of a package: a file or folder to a program's text. Never guesses between two sources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from scalebox.core.problem import ProgramText
from scalebox.packages.folder import MAX_TEXT_BYTES, Folder
from scalebox.packages.package import Languages, PackageError

_SCRIPTS: Final = ("build", "run")
_ENTRY_STEMS: Final = ("main", "__main__")
_MAIN: Final = re.compile(r"\bmain\s*\(|__main__")
_MINOR: Final = re.compile(r"(\d)\.\d+$")


def language_of(name: str, source: str, languages: Languages) -> str | None:
    """The language of a source: that of its suffix, unless its first line names another interpreter.

    Args:
        name: of the file.
        source: its text.
        languages: names and suffixes -> ids.
    """
    by_suffix = languages.get(PurePosixPath(name).suffix.lower())
    if by_suffix is None or not source.startswith("#!"):
        return by_suffix
    # python2 is no version of the language that .py stands for: better no language than the wrong one
    return languages.get(_MINOR.sub(r"\1", _interpreter(source)))


def _interpreter(source: str) -> str:
    """The program that a first line `#!…` names, in lower case."""
    words = source.partition("\n")[0].removeprefix("#!").split()
    names = [PurePosixPath(word).name.lower() for word in words if not word.startswith("-")]
    return next((name for name in names if name != "env"), "")


def program_at(folder: Folder, path: str, languages: Languages) -> ProgramText:
    """The program that is one file, or all files of a folder.

    Raises:
        PackageError: there is no source here in a language known, or it is not clear which is to be started.
    """
    if folder.is_file(path):
        name = PurePosixPath(path).name
        return _program(folder, path, {name: folder.source(path)}, languages)
    files: dict[str, str] = {}
    for name in folder.files(path):
        if name in _SCRIPTS:
            raise PackageError(
                folder.where(f"{path}/{name}"),
                "programs with a build or run script are not offered",
                "give the source alone",
            )
        if b"\0" not in folder.read(f"{path}/{name}", limit=MAX_TEXT_BYTES):  # compiled by accident
            files[name] = folder.source(f"{path}/{name}")
    return _program(folder, path, files, languages)


def _program(folder: Folder, path: str, files: Mapping[str, str], languages: Languages) -> ProgramText:
    known: dict[str, str] = {}
    for name, text in files.items():
        language = language_of(name, text, languages)
        if language is not None:
            known[name] = language
    if not known:
        seen = ", ".join(sorted(files)[:5]) or "nothing"
        raise PackageError(
            folder.where(path), f"no source in a language known here ({seen})", "see `scalebox languages`"
        )
    entry = _entry(known, files)
    if entry is None:
        several = ", ".join(sorted(known)[:5])
        raise PackageError(
            folder.where(path), f"it is not clear which file is to be started ({several})", "name one of them main"
        )
    return ProgramText(language=known[entry], files=dict(files), entry=entry)


def _entry(known: Mapping[str, str], files: Mapping[str, str]) -> str | None:
    """The file to start with: the only one, the one named for it, or the only one with a main function."""
    named = [name for name in known if PurePosixPath(name).stem in _ENTRY_STEMS]
    with_main = [name for name in known if _MAIN.search(files[name])]
    for names in (list(known), named, with_main):
        if len(names) == 1:
            return names[0]
    return None
