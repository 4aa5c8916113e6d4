"""Kattis and ICPC problem packages (legacy, 2023-07, 2025-09) as a `Package`. Reads files and runs nothing.

The format: https://www.kattis.com/problem-package-format/
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import (
    AskWhen,
    CheckerProtocol,
    CheckerSpec,
    InteractiveCase,
    Interactor,
    InteractorProtocol,
    Problem,
    ProgramChecker,
    ProgramText,
    StdioCase,
    TestCase,
)
from scalebox.packages import default_validator
from scalebox.packages.fields import Fields
from scalebox.packages.folder import Folder
from scalebox.packages.grading import Group, weights
from scalebox.packages.package import Languages, Package, PackageError, PackageFormat, Timing
from scalebox.packages.programs import program_at
from scalebox.packages.submissions import read_submissions, skipped
from scalebox.packages.testdata import DataCase, TestData, read_test_data

CONFIG: Final = "problem.yaml"
_DOMJUDGE_CONFIG: Final = "domjudge-problem.ini"
_TIME_LIMIT_FILE: Final = ".timelimit"
_VALIDATORS: Final = ("output_validator", "output_validators")
_VERSIONS: Final = {
    "legacy": PackageFormat.KATTIS_LEGACY,
    "legacy-icpc": PackageFormat.KATTIS_LEGACY,
    "2023-07": PackageFormat.KATTIS_2023_07,
    "2023-07-draft": PackageFormat.KATTIS_2023_07,
    "2025-09": PackageFormat.KATTIS_2025_09,
    "2025-09-draft": PackageFormat.KATTIS_2025_09,
}
_TYPES: Final = ("pass-fail", "scoring", "interactive", "multi-pass", "submit-answer")
_KNOWN: Final = (
    *("problem_format_version", "name", "uuid", "type", "version", "credits", "author", "source", "source_url"),
    *("license", "rights_owner", "embargo_until", "limits", "keywords", "languages", "allow_file_writing"),
    *("validation", "validator_flags", "grading"),
)
_KNOWN_LIMITS: Final = (
    *("time_multipliers", "time_multiplier", "time_safety_margin", "time_limit", "time_resolution", "memory", "output"),
    *("code", "compilation_time", "compilation_memory", "validation_time", "validation_memory", "validation_output"),
)
_GUARANTEED_SECONDS: Final = 60.0
"""What the format wants for compilers and validators where a package says nothing."""
_DOMJUDGE_TIME: Final = re.compile(r"^\s*timelimit\s*=\s*['\"]?\s*([^'\"\s]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """What sort of problem it is."""

    format: PackageFormat
    interactive: bool
    scoring: bool
    custom: bool
    """Its own validator decides."""


def load_kattis(folder: Folder, languages: Languages) -> Package:
    """Read a package.

    Raises:
        PackageError: something is malformed, or the problem is of a type that is not offered.
    """
    config = Fields.load(folder, CONFIG)
    kind = _kind(folder, config)
    limits = config.table("limits")
    data = read_test_data(folder, answers_needed=not kind.interactive)
    timing = _timing(folder, limits, kind)
    grading = data.root if kind.scoring else None
    submissions = [
        skipped(jury.name, jury.language, "its points cannot be told here")
        if grading is None and jury.due is not None and jury.due.partial
        else jury
        for jury in read_submissions(folder, languages)
    ]
    problem = _problem(folder, config, kind, data, _limits(limits, timing), languages)
    return Package(
        name=folder.name,
        format=kind.format,
        problem=problem if grading is None else _weighted(problem, grading),
        timing=timing,
        grading=grading,
        submissions=submissions,
        notes=(*config.unknown(_KNOWN), *limits.unknown(_KNOWN_LIMITS), *data.notes, *_without_effect(folder, kind)),
    )


def _kind(folder: Folder, config: Fields) -> _Kind:
    version = config.one_of("problem_format_version", _VERSIONS, "legacy")
    types, validation = config.words("type") or ("pass-fail",), config.words("validation") or ("default",)
    for name in types:
        if name not in _TYPES:
            raise config.error("type", f"names {name[:40]!r}", f"write one or several of {', '.join(_TYPES)}")
    if validation[0] not in {"default", "custom"}:
        raise config.error("validation", f"is {validation[0][:40]!r}", "write default, or custom and what it does")
    modes = {*types, *validation[1:]}
    for name in ("multi-pass", "multipass", "submit-answer"):
        if name in modes:
            raise config.error("type", f"is {name}", "such problems are not offered; leave this package out")
    legacy = _VERSIONS[version] is PackageFormat.KATTIS_LEGACY
    custom = validation[0] == "custom" if legacy else any(map(folder.is_dir, _VALIDATORS))
    return _Kind(
        format=_VERSIONS[version],
        interactive="interactive" in modes,
        scoring="scoring" in modes,
        custom=custom or "interactive" in modes,
    )


def _problem(
    folder: Folder, config: Fields, kind: _Kind, data: TestData, limits: Limits, languages: Languages
) -> Problem:
    flags = config.words("validator_flags")
    own = config.table("limits")
    if not kind.custom:
        checkers = _Checkers(folder, flags, default_validator.checker_of)
        return Problem(tests=_tests(data, checkers), checker=checkers.of(()), limits=limits)
    program = _validator(folder, languages)
    memory = own.positive("validation_memory")
    judge_limits = None
    if memory is not None:
        judge_limits = Limits(cpu_seconds=limits.judge_seconds, memory_bytes=int(memory * MIB))
    if kind.interactive:
        interactor = Interactor(
            protocol=InteractorProtocol.KATTIS,
            program=program,
            flags=(*flags, *_common_flags(folder, data.cases)),
            limits=judge_limits,
        )
        return Problem(tests=[_conversation(folder, case) for case in data.cases], interactor=interactor, limits=limits)

    def checker_of(words: Sequence[str]) -> ProgramChecker:
        return ProgramChecker(
            protocol=CheckerProtocol.KATTIS,
            program=program,
            flags=tuple(words),
            when=AskWhen.ALWAYS,  # an answer file need not be an output that the validator takes
            limits=judge_limits,
        )

    checkers = _Checkers(folder, flags, checker_of)
    return Problem(tests=_tests(data, checkers), checker=checkers.of(()), limits=limits)


def _weighted(problem: Problem, grading: Group) -> Problem:
    """The problem with the weights that the grading comes to, where weights can say it."""
    found = weights(grading, len(problem.tests))
    if found is None:
        return problem
    tests = [replace(test, weight=weight) for test, weight in zip(problem.tests, found[0], strict=True)]
    return replace(problem, tests=tests, groups=found[1])


class _Checkers:
    """The checker for each set of further flags, made once."""

    def __init__(
        self, folder: Folder, flags: Sequence[str], make: Callable[[Sequence[str]], CheckerSpec | ProgramChecker]
    ) -> None:
        self._folder = folder
        self._flags = flags
        self._make = make
        self._made: dict[tuple[str, ...], CheckerSpec | ProgramChecker] = {}

    def of(self, further: Sequence[str], where: str = CONFIG) -> CheckerSpec | ProgramChecker:
        """The checker for the package's flags and these; ``where`` is what says so."""
        key = tuple(further)
        if key not in self._made:
            try:
                self._made[key] = self._make((*self._flags, *further))
            except ValueError as error:
                raise PackageError(self._folder.where(where), str(error), "correct the validator's flags") from None
        return self._made[key]


def _tests(data: TestData, checkers: _Checkers) -> list[TestCase]:
    checkers.of(())  # so that the package's own flags are blamed on its own file
    return [
        StdioCase(
            name=case.name,
            group=case.group,
            checker=checkers.of(case.flags, f"data/{case.name}") if case.flags else None,
            input=case.input,
            answer=case.answer,
            args=case.args,
            files=case.files,
        )
        for case in data.cases
    ]


def _conversation(folder: Folder, case: DataCase) -> InteractiveCase:
    if case.args or case.files:
        raise PackageError(
            folder.where(f"data/{case.name}.in"),
            "gives a conversing program arguments or files",
            "leave this package out",
        )
    return InteractiveCase(name=case.name, group=case.group, input=case.input, answer=case.answer)


def _common_flags(folder: Folder, cases: Sequence[DataCase]) -> Sequence[str]:
    """The further flags of an interactor, which must be the same for every case."""
    for case in cases:
        if tuple(case.flags) != tuple(cases[0].flags):
            raise PackageError(
                folder.where(f"data/{case.name}"),
                "has other validator flags than the cases before it",
                "give every case of an interactive problem the same flags",
            )
    return cases[0].flags


def _validator(folder: Folder, languages: Languages) -> ProgramText:
    """The one output validator: a file, a folder, or the files of the validators' folder themselves."""
    present = [name for name in _VALIDATORS if folder.is_dir(name)]
    if not present:
        fix = f"add it as {_VALIDATORS[1]}/NAME/validate.cpp or .py"
        raise PackageError(folder.where(_VALIDATORS[1]), "the problem wants its own validator and there is none", fix)
    names = folder.names(present[0])
    folders = [name for name in names if folder.is_dir(f"{present[0]}/{name}")]
    if len(folders) > 1:
        fix = "leave the one that decides"
        raise PackageError(folder.where(present[0]), f"there are {len(folders)} output validators", fix)
    alone = len(folders) == 1 and all(name in folders or name.upper().startswith("README") for name in names)
    return program_at(folder, f"{present[0]}/{folders[0]}" if alone else present[0], languages)


def _limits(own: Fields, timing: Timing) -> Limits:
    usual = Limits()
    memory, output = own.positive("memory"), own.positive("output")
    return Limits(
        cpu_seconds=timing.stated_seconds or usual.cpu_seconds,
        memory_bytes=usual.memory_bytes if memory is None else int(memory * MIB),
        output_bytes=usual.output_bytes if output is None else int(output * MIB),
        compile_seconds=own.positive("compilation_time") or _GUARANTEED_SECONDS,
        judge_seconds=own.positive("validation_time") or _GUARANTEED_SECONDS,
    )


def _timing(folder: Folder, limits: Fields, kind: _Kind) -> Timing:
    stated = limits.positive("time_limit") or _domjudge_seconds(folder) or _file_seconds(folder)
    legacy = limits.positive("time_multiplier")
    if kind.format is PackageFormat.KATTIS_LEGACY and "time_multipliers" not in limits:
        return Timing(stated_seconds=stated, multiplier=legacy or 5.0)
    multiplier = limits.table("time_multipliers").positive("ac_to_time_limit") or 2.0
    return replace(
        Timing(stated_seconds=stated, multiplier=multiplier),
        resolution_seconds=limits.positive("time_resolution") or 1.0,
    )


def _domjudge_seconds(folder: Folder) -> float | None:
    if not folder.is_file(_DOMJUDGE_CONFIG):
        return None
    found = _DOMJUDGE_TIME.search(folder.text(_DOMJUDGE_CONFIG))
    return None if found is None else _seconds(folder, _DOMJUDGE_CONFIG, found[1])


def _file_seconds(folder: Folder) -> float | None:
    if not folder.is_file(_TIME_LIMIT_FILE):
        return None
    return _seconds(folder, _TIME_LIMIT_FILE, folder.text(_TIME_LIMIT_FILE).strip())


def _seconds(folder: Folder, path: str, text: str) -> float | None:
    return Fields(folder.where(path), {"time limit": text}).positive("time limit")


def _without_effect(folder: Folder, kind: _Kind) -> list[str]:
    """What the package has that is not used here, in words."""
    notes = [
        f"{folder.where(path)}: {why}"
        for path, why in (
            ("include", "included files are not added to submissions"),
            ("static_validator", "static validation is not done"),
            ("submissions/submissions.yaml", "is not read; folders say which verdicts are due"),
        )
        if folder.is_dir(path) or folder.is_file(path)
    ]
    if not kind.custom and any(map(folder.is_dir, _VALIDATORS)):
        notes.append(f"{folder.where(CONFIG)}: `validation` is default, so the package's own validator is not used")
    return notes
