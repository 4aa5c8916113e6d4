"""The library that slots take the common course of a case by, compiled where the service starts. Runs nothing of a program's.

Its theory is told in `native/serve.c`, `watch.c`, `start.c`, `folders.c` and `gather.c`. Where there is no C compiler, or a slot cannot load the result,
the slot's parent does all of it in Python, which costs more and does the same.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from scalebox.core.errors import SandboxError
from scalebox.runner.memory_file import MemoryFile

_FOLDER: Final = Path(__file__).with_name("native")
SOURCES: Final = tuple(_FOLDER / name for name in ("serve.c", "watch.c", "start.c", "folders.c", "gather.c"))
_COMPILERS: Final = ("gcc", "cc", "clang")
_FLAGS: Final = (
    "-O2",
    "-shared",
    "-fPIC",
    "-fvisibility=hidden",
    "-s",
    "-Wl,--build-id=none",
    "-Wl,-z,noseparate-code",
    "-Wl,-z,now",
)
_COMPILE_SECONDS: Final = 20.0


class NativeLibrary:
    """The library, once it is made; slots take it from then on."""

    def __init__(self) -> None:
        self._file: MemoryFile | None = None
        self.reason: str | None = "it was not asked for"
        """Why there is none."""

    @property
    def fd(self) -> int:
        """Its memory file, or -1."""
        return -1 if self._file is None else self._file.fd

    def make(self, path: str | None = None) -> None:
        """Compile it; without success only `reason` changes.

        Args:
            path: where to look for a compiler; the service's own search path where nothing is said.
        """
        compiler = next(filter(None, (shutil.which(name, path=path) for name in _COMPILERS)), None)
        if compiler is None:
            self.reason = f"no C compiler was found ({', '.join(_COMPILERS)})"
            return
        with tempfile.TemporaryDirectory(prefix="scalebox-native-") as folder:
            made = Path(folder) / "native.so"
            command = [compiler, *_FLAGS, "-o", str(made), *map(str, SOURCES)]
            try:
                done = subprocess.run(command, capture_output=True, timeout=_COMPILE_SECONDS, check=False)  # noqa: S603 - our own source
                if done.returncode == 0:
                    self._file = MemoryFile("native", made.read_bytes())
                    self.reason = None
                    return
                self.reason = done.stderr.decode("utf-8", "replace").strip()[:500] or f"{compiler} failed"
            except (OSError, subprocess.TimeoutExpired, SandboxError) as error:
                self.reason = str(error)
