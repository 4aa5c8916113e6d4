"""What has to be run so that toolchains are here, worked out first and run after that. Runs nothing that it did not say before."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from scalebox.languages.definition import Language

COMMANDS: Final = Path("/usr/local/bin")
"""Where links to commands go: the first place in which boxes look for them."""

_PATH: Final = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
_LOCK_SECONDS: Final = 600
_SCRIPT: Final = "prepare.sh"


class InstallError(Exception):
    """The toolchains cannot be installed, or a step failed; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command, or files to be written before one."""

    argv: tuple[str, ...]
    folder: Path | None = None
    """Where it is run, made if it is not there."""
    files: Mapping[str, str] = field(default_factory=dict)
    """What is written there first: name -> content."""

    def shown(self) -> str:
        """The step as a person would type it."""
        words = shlex.join(self.argv)
        return words if self.folder is None else f"cd {shlex.quote(str(self.folder))} && {words}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What a plan depends on."""

    has_command: Callable[[str], bool]
    has_pip: bool
    """Whether the interpreter that is found as `python3` can run pip."""
    has_package: Callable[[str], bool]
    """Whether apt has a candidate for a package."""


def plan(languages: Sequence[Language], tools: Path, machine: Machine) -> Sequence[Step]:
    """What has to be run for languages, in order; Debian's packages come first, all at once.

    Args:
        languages: those wanted.
        tools: folder of all tool folders.
        machine: where it is to be run.

    Raises:
        InstallError: one cannot be installed here without a person.
    """
    by_hand = [language for language in languages if not language.install.automatic]
    if by_hand:
        hints = "; ".join(f"{language.name}: {language.install.hint}" for language in by_hand)
        raise InstallError(f"cannot be installed from here. {hints}")
    apt = [_choose(package, machine) for language in languages for package in language.install.apt]
    if any(language.install.npm for language in languages) and not machine.has_command("npm"):
        apt.append("npm")
    if any(language.install.pip for language in languages) and not machine.has_pip:
        apt.append("python3-pip")
    steps = _apt(tuple(dict.fromkeys(apt)))
    for language in languages:
        steps += _own(language, tools / language.id)
    return steps


def _choose(package: str, machine: Machine) -> str:
    """The first of a package's alternatives that there is; the last where there is none, which apt then complains of."""
    names = package.split("|")
    return next((name for name in names if len(names) == 1 or machine.has_package(name)), names[-1])


def _apt(packages: tuple[str, ...]) -> list[Step]:
    if not packages:
        return []
    waiting = ("-o", f"DPkg::Lock::Timeout={_LOCK_SECONDS}")
    return [
        Step(argv=("apt-get", *waiting, "update")),
        Step(argv=("apt-get", *waiting, "install", "--yes", "--no-install-recommends", *packages)),
    ]


def _own(language: Language, folder: Path) -> list[Step]:
    install = language.install
    steps: list[Step] = []
    if install.npm:
        npm = ("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", ".")
        steps.append(Step(argv=(*npm, *install.npm), folder=folder))
    if install.pip:
        pip = (
            "python3",
            "-m",
            "pip",
            "install",
            "--no-input",
            "--disable-pip-version-check",
            "--no-cache-dir",
            "--root-user-action=ignore",
        )
        steps.append(Step(argv=(*pip, "--no-deps", "--upgrade", "--target", ".", *install.pip), folder=folder))
    for command, file in install.links.items():
        steps.append(Step(argv=("ln", "-sfn", str(folder / file), str(COMMANDS / command))))
    if install.prepare:
        files = {**install.prepare_files, _SCRIPT: install.prepare}
        steps.append(Step(argv=("sh", _SCRIPT), folder=folder, files=files))
    return steps


def this_machine() -> Machine:
    """The machine we run on.

    Raises:
        InstallError: nothing can be installed here, or not by us.
    """
    if os.geteuid() != 0:
        raise InstallError("only root can install toolchains: sudo scalebox toolchains install …")
    if shutil.which("apt-get", path=_PATH) is None:
        raise InstallError("there is no apt-get here; `scalebox toolchains list` says what each language needs")
    python = shutil.which("python3", path=_PATH)
    pip = python is not None and _ends_well([python, "-m", "pip", "--version"])
    return Machine(
        has_command=lambda name: shutil.which(name, path=_PATH) is not None,
        has_pip=pip,
        has_package=lambda name: b"Candidate: (none)" not in _output(["apt-cache", "policy", name], b"Candidate:"),
    )


def carry_out(steps: Sequence[Step]) -> None:
    """Run steps, one after another, their output going where ours goes.

    Raises:
        InstallError: one failed; those after it were not run.
    """
    for step in steps:
        if step.folder is not None:
            step.folder.mkdir(parents=True, exist_ok=True, mode=0o755)
            for name, content in step.files.items():
                (step.folder / name).write_text(content, encoding="utf-8")
        environment = {**os.environ, "PATH": _PATH, "DEBIAN_FRONTEND": "noninteractive"}
        try:
            done = subprocess.run(step.argv, cwd=step.folder, env=environment, check=False)  # ruff: ignore[subprocess-without-shell-equals-true] - said before, and agreed to
        except OSError as error:
            raise InstallError(f"{step.argv[0]} cannot be started: {error.strerror}") from error
        if done.returncode != 0:
            why = "" if step.files else "; is there a network, and does the registry have that version?"
            raise InstallError(f"`{step.shown()}` ended with {done.returncode}{why}")


def _ends_well(argv: Sequence[str]) -> bool:
    return subprocess.run(argv, capture_output=True, check=False).returncode == 0  # ruff: ignore[subprocess-without-shell-equals-true]


def _output(argv: Sequence[str], unless: bytes) -> bytes:
    """What a command says; where it does not say ``unless`` at all, what says that there is nothing."""
    said = subprocess.run(argv, capture_output=True, check=False).stdout  # ruff: ignore[subprocess-without-shell-equals-true]
    return said if unless in said else b"Candidate: (none)"
