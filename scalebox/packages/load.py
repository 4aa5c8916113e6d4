"""A problem package of any format that is read here. Decides the format by the file that describes the problem, and by nothing else."""

from __future__ import annotations

from pathlib import Path

from scalebox.packages import kattis, polygon
from scalebox.packages.folder import Folder
from scalebox.packages.package import Languages, Package, PackageError


def load_package(root: Path, languages: Languages) -> Package:
    """Read the package in a directory.

    Args:
        root: the directory; links that lead out of it are refused.
        languages: names and suffixes of the languages known, in lower case -> ids.

    Raises:
        PackageError: it is no package, or a malformed one; the message names the file and the fix.
    """
    folder = Folder(root)
    if folder.is_file(kattis.CONFIG):
        return kattis.load_kattis(folder, languages)
    if folder.is_file(polygon.CONFIG):
        return polygon.load_polygon(folder, languages)
    fix = f"name the folder that holds {kattis.CONFIG} or {polygon.CONFIG}"
    raise PackageError(str(root), "is no problem package", fix)
