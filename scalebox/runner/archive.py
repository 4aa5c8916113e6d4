"""Make one zip archive of the files a compiler left. Deterministic for one version of zlib, compressed, never writes outside of memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first moment that the format knows."""


def archive(files: Mapping[str, bytes], below: str) -> bytes:
    """A zip archive.

    Args:
        files: path -> content.
        below: start of every path that is left out of the name in the archive.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for path, content in sorted(files.items()):
            entry = zipfile.ZipInfo(path.removeprefix(below), _EPOCH)
            target.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
