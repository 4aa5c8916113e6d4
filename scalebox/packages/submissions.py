"""The submissions of a Kattis package with the verdicts their folders and markers promise. Judges none of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from scalebox.core.submission import Submission
from scalebox.packages.folder import Folder
from scalebox.packages.package import Due, JurySubmission, Languages, PackageError
from scalebox.packages.programs import language_of
from scalebox.packages.verdicts import FOLDERS, marked

ROOT: Final = "submissions"
_CHECK_MANUALLY: Final = "CHECK_MANUALLY"


def read_submissions(folder: Folder, languages: Languages) -> list[JurySubmission]:
    """Every program below `submissions/`, in order of name; one that cannot be judged says why.

    Raises:
        PackageError: a marker names no verdict, or a file cannot be read.
    """
    return [
        _submission(folder, verdict_folder, name, languages)
        for verdict_folder in folder.names(ROOT)
        if folder.is_dir(f"{ROOT}/{verdict_folder}")
        for name in folder.names(f"{ROOT}/{verdict_folder}")
    ]


def _submission(folder: Folder, verdict_folder: str, name: str, languages: Languages) -> JurySubmission:
    path = f"{ROOT}/{verdict_folder}/{name}"
    shown = f"{verdict_folder}/{name}"
    files = list(_files(folder, path))
    if len(files) != 1:
        return skipped(shown, "", f"programs of {len(files)} files are not offered")
    return jury_submission(folder, files[0], shown, FOLDERS.get(verdict_folder), languages)


def _files(folder: Folder, path: str) -> Iterator[str]:
    if folder.is_dir(path):
        yield from (f"{path}/{name}" for name in folder.files(path))
    elif folder.is_file(path):
        yield path


def jury_submission(folder: Folder, path: str, shown: str, due: Due | None, languages: Languages) -> JurySubmission:
    """One source file with the verdict due: that of its marker, else ``due``.

    Raises:
        PackageError: the marker names no verdict, or the file cannot be read.
    """
    suffix = PurePosixPath(path).suffix
    if suffix.lower() not in languages:
        return skipped(
            shown, suffix, f"no language here takes {f'{suffix} files' if suffix else 'files without a suffix'}"
        )
    source = folder.source(path)
    language = language_of(path, source, languages)
    if language is None:
        first = source.partition("\n")[0].strip()
        return skipped(shown, suffix, f"no language here takes {suffix} files that begin with {first[:60]!r}")
    if _CHECK_MANUALLY in source:
        return skipped(shown, language, "its verdict is to be checked by hand")
    try:
        due = marked(source) or due
    except ValueError as error:
        raise PackageError(folder.where(path), str(error), "correct the marker") from None
    if due is None:
        return skipped(shown, language, "its folder names no verdict and it has no @EXPECTED_RESULTS@ marker")
    submission = Submission(source=source, language=language)
    return JurySubmission(name=shown, language=language, due=due, submission=submission)


def skipped(name: str, language: str, why: str) -> JurySubmission:
    """A submission that cannot be judged."""
    return JurySubmission(name=name, language=language, due=None, submission=None, skip=why)
