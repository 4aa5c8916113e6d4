"""What a compiler left is packed the same each time, and not so that its strings can be read in the archive."""

from __future__ import annotations

import io
import zipfile

from scalebox.runner.archive import archive


def test_an_archive_holds_its_files_compressed() -> None:
    files = {"classes/A.class": b"NONCE-" * 100, "classes/b/B.class": b""}
    made = archive(files, "classes/")
    assert made == archive(files, "classes/")
    assert b"NONCE-NONCE-NONCE" not in made
    with zipfile.ZipFile(io.BytesIO(made)) as read:
        assert {name: read.read(name) for name in read.namelist()} == {"A.class": b"NONCE-" * 100, "b/B.class": b""}
