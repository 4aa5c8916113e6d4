"""The `data/` folder of a Kattis package: cases in judging order, their flags and how groups are graded. Never follows a link out.

Both ways to configure a group are read: `testdata.yaml` (legacy, 2023-07) and `test_group.yaml` (2025-09).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from scalebox.packages.fields import Fields
from scalebox.packages.folder import Folder
from scalebox.packages.grading import Aggregation, Group, flagged, unknown_flags
from scalebox.packages.package import PackageError

ROOT: Final = "data"
_JUDGED: Final = ("sample", "secret")
_LEGACY_FILE: Final = "testdata.yaml"
_GROUP_FILE: Final = "test_group.yaml"
_ANSWER_SUFFIXES: Final = (".ans", ".out")
_FILES_SUFFIX: Final = ".files"
_MAX_DEPTH: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class DataCase:
    """One case as its files say it."""

    name: str
    """Path below `data/`, without suffix."""
    group: str
    input: bytes
    answer: bytes
    flags: Sequence[str]
    """Further flags for the validator."""
    args: Sequence[str]
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestData:
    """All cases, in order; the groups refer to them by index."""

    __test__ = False

    cases: Sequence[DataCase]
    root: Group | None
    """None where a grader of the package's own would have to grade."""
    notes: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    """What a group's configuration says; what it does not say is its parent's."""

    flags: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    grader_flags: tuple[str, ...] = ()
    stop_on_reject: bool = True
    accept_score: float = 1.0
    reject_score: float = 0.0


@dataclass(slots=True)
class _Reader:
    folder: Folder
    answers_needed: bool
    cases: list[DataCase] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    own_grader: bool = False


def read_test_data(folder: Folder, *, answers_needed: bool) -> TestData:
    """Read `data/sample` and `data/secret`.

    Args:
        folder: the package.
        answers_needed: False where the validator of a conversation may do without an answer file.

    Raises:
        PackageError: there are no cases, half a case, or a configuration that cannot be read.
    """
    reader = _Reader(folder, answers_needed)
    rules, config = _rules(reader, ROOT, _Rules())
    members = [
        _group(reader, name, rules)
        for name in folder.names(ROOT)
        if name in _JUDGED and folder.is_dir(f"{ROOT}/{name}")
    ]
    if not reader.cases:
        fix = "put pairs of files x.in and x.ans below data/sample and data/secret"
        raise PackageError(folder.where(ROOT), "there are no test cases", fix)
    root = _graded(config, rules, Group(name="", members=members, stop_on_reject=rules.stop_on_reject))
    return TestData(cases=reader.cases, root=None if reader.own_grader else root, notes=reader.notes)


def _group(reader: _Reader, name: str, inherited: _Rules) -> Group:
    path = f"{ROOT}/{name}"
    if path.count("/") > _MAX_DEPTH:
        raise PackageError(
            reader.folder.where(path), f"groups nest more than {_MAX_DEPTH} deep", "flatten the test data"
        )
    rules, config = _rules(reader, path, inherited)
    names = reader.folder.names(path)
    members: list[Group | int] = []
    for entry in names:
        inner = PurePosixPath(entry)
        if inner.suffix == ".in" and not reader.folder.is_dir(f"{path}/{entry}"):
            members.append(len(reader.cases))
            reader.cases.append(_case(reader, f"{name}/{inner.stem}", name, rules))
        elif inner.suffix == ".ans" and f"{inner.stem}.in" not in names:
            raise PackageError(reader.folder.where(f"{path}/{entry}"), "has no input", f"add {inner.stem}.in beside it")
        elif inner.suffix != _FILES_SUFFIX and reader.folder.is_dir(f"{path}/{entry}"):
            members.append(_group(reader, f"{name}/{entry}", rules))
    group = Group(
        name=name,
        members=members,
        stop_on_reject=rules.stop_on_reject,
        accept_score=rules.accept_score,
        reject_score=rules.reject_score,
    )
    return _graded(config, rules, group)


def _case(reader: _Reader, name: str, group: str, rules: _Rules) -> DataCase:
    folder, path = reader.folder, f"{ROOT}/{name}"
    answers = [f"{path}{suffix}" for suffix in _ANSWER_SUFFIXES if folder.is_file(f"{path}{suffix}")]
    if not answers and reader.answers_needed:
        raise PackageError(folder.where(f"{path}.in"), "has no answer", f"add {PurePosixPath(name).name}.ans beside it")
    config = Fields.load(folder, f"{path}.yaml")
    return DataCase(
        name=name,
        group=group,
        input=folder.read(f"{path}.in"),
        answer=folder.read(answers[0]) if answers else b"",
        flags=config.words("output_validator_args") if "output_validator_args" in config else rules.flags,
        args=config.words("args") if "args" in config else rules.args,
        files={
            inner: folder.read(f"{path}{_FILES_SUFFIX}/{inner}") for inner in folder.files(f"{path}{_FILES_SUFFIX}")
        },
    )


def _rules(reader: _Reader, path: str, inherited: _Rules) -> tuple[_Rules, Fields | None]:
    """The rules of a group, and its `test_group.yaml` where it has one."""
    if reader.folder.is_file(f"{path}/{_GROUP_FILE}"):
        config = Fields.load(reader.folder, f"{path}/{_GROUP_FILE}")
        if "require_pass" in config:
            reader.notes.append(f"{config.where}: `require_pass` has no effect on the score shown here")
        flags = config.words("output_validator_args") if "output_validator_args" in config else inherited.flags
        args = config.words("args") if "args" in config else inherited.args
        return replace(inherited, flags=flags, args=args, stop_on_reject=False), config
    config = Fields.load(reader.folder, f"{path}/{_LEGACY_FILE}")
    if config.one_of("grading", ("default", "custom"), "default") == "custom":
        reader.own_grader = True
        reader.notes.append(f"{config.where}: graders of a package's own are not run, so there are no points")
    for flag in () if reader.own_grader else unknown_flags(config.words("grader_flags")):
        reader.notes.append(f"{config.where}: the grader flag {flag[:40]!r} is not known and has no effect")
    accept, reject = config.number("accept_score"), config.number("reject_score")
    stops = "break" if inherited.stop_on_reject else "continue"
    return _Rules(
        flags=_validator_flags(config, inherited.flags),
        args=inherited.args,
        grader_flags=config.words("grader_flags") if "grader_flags" in config else inherited.grader_flags,
        stop_on_reject=config.one_of("on_reject", ("break", "continue"), stops) == "break",
        accept_score=inherited.accept_score if accept is None else accept,
        reject_score=inherited.reject_score if reject is None else reject,
    ), None


def _validator_flags(config: Fields, inherited: tuple[str, ...]) -> tuple[str, ...]:
    for key in ("output_validator_flags", "output_validator_args"):
        if config.is_table(key):
            return config.table(key).words("flags")
        if key in config:
            return config.words(key)
    return inherited


def _graded(config: Fields | None, rules: _Rules, group: Group) -> Group:
    """The group with the scores and rules of its configuration."""
    if config is not None:
        return _scored(config, group)
    return flagged(group, rules.grader_flags)


def _scored(config: Fields, group: Group) -> Group:
    """A group of the 2025-09 format: a best score, and how cases share it."""
    secret = group.name == _JUDGED[1]
    how = config.one_of("score_aggregation", ("pass-fail", "sum", "min"), "sum" if secret else "pass-fail")
    best = None if config.text("max_score") == "unbounded" else config.number("max_score")
    if group.name == _JUDGED[0]:
        return replace(group, accept_score=0.0)
    best = best if best is not None else 100.0 if secret else 1.0
    if how == "sum":
        return replace(group, aggregation=Aggregation.SUM, accept_score=best / max(1, len(group.members)))
    return replace(group, aggregation=Aggregation.MIN, accept_score=best)
