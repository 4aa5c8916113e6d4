"""Parse `defs/<id>/language.toml` into a frozen Language, strictly. Never runs a tool, never guesses a missing key."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from scalebox.core.verdict import Verdict
from scalebox.languages.table import Table

_PLACEHOLDER: Final = re.compile(r"\{(\w*)\}")
_OPTIONAL: Final = "{optional}"
_SOURCE: Final = "{source}"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9+#._-]*")


class Kind(enum.StrEnum):
    """How a program of the language is started."""

    ZYGOTE = "zygote"
    """Forked from a warm interpreter."""
    EXEC = "exec"
    """Forked and executed."""


class Stack(enum.StrEnum):
    """What limits the stack of a program."""

    MEMORY = "memory"
    """The memory limit: the stack may use all of it, so deep recursion is right."""
    SYSTEM = "system"
    """The machine's default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileSpec:
    """How a source becomes a program."""

    command: tuple[str, ...]
    """Arguments with ``{source}`` and ``{artifact}``; ``{optional}`` stands for the optional arguments."""
    units: tuple[str, ...] = ()
    """Suffixes of the files that, where a program has several, ``{source}`` names beside the entry."""
    optional: tuple[str, ...] = ()
    """Arguments that make programs faster but that some toolchains lack the libraries for."""
    artifact: str
    """File that the command leaves in the working directory, the only one that the program needs."""
    memory_mb: int
    """MiB, all processes of the compiler together."""
    processes: int
    disk_mb: int
    """MiB written, temporary files included."""
    environment: Mapping[str, str] = field(default_factory=dict)

    def argv(self, source_name: str, *others: str, optional: bool = True) -> tuple[str, ...]:
        """The compiler's arguments.

        Args:
            source_name: the entry.
            others: further files of the program; those that are no units are left to be included.
            optional: False leaves the optional arguments out.
        """
        units = [name for name in others if name.endswith(self.units)] if self.units else []
        words: list[str] = []
        for word in self.command:
            if word == _OPTIONAL:
                words.extend(self.optional if optional else ())
            elif word == _SOURCE:
                words.extend([source_name, *units])
            else:
                words.append(word.replace(_SOURCE, source_name).replace("{artifact}", self.artifact))
        return tuple(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """How to learn whether the toolchain is here, and its version."""

    command: tuple[str, ...]
    pattern: re.Pattern[str]
    """Searched in the command's output, both streams; its group ``version`` is the version."""

    def version(self, output: str) -> str | None:
        """The version told by the command's output, or None where it tells none."""
        found = self.pattern.search(output)
        return None if found is None else found["version"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """How the language names a function: to take its address and to call it. ``{name}``, ``{owner}`` stand for names."""

    address: str
    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallHarness:
    """The text around a program that is called with decoded arguments."""

    template: str
    """Text with ``@program@``, ``@prelude@``, ``@address@``, ``@call@`` and ``@each{…}`` / ``@list{…}`` per argument."""
    separator: str
    """Between the parts of a dotted name."""
    function: Spelling
    method: Spelling
    default_owner: str
    """Class whose method is meant when the program defines no function of the name at top level."""
    prelude: str
    """Put before a program that does not itself say what it uses."""
    prelude_unless: re.Pattern[str]
    """A source in which this is found says so itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendHarness:
    """The text around a program followed by its test code."""

    template: str
    """Text with ``@program@`` and ``@tests@``."""
    drop: re.Pattern[str] | None
    """Lines of the test code that would undo what the template sets up."""
    close: re.Pattern[str] | None
    """Start of test code that still belongs to the program: it closes a function the program leaves open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTest:
    """A tiny program and the verdict it must get, proving that the language is judged truly here."""

    name: str
    source: str
    input: bytes
    answer: bytes
    verdict: Verdict
    cpu_seconds: float
    """Limit for the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What ScaleBox knows of a language. Nothing else in the code knows its id."""

    id: str
    name: str
    aliases: tuple[str, ...]
    """Lower-case: tags of fenced blocks and the names that other judges use."""
    source_name: str
    kind: Kind
    compile: CompileSpec | None
    run: tuple[str, ...]
    """Arguments that start a program in its working directory."""
    environment: Mapping[str, str]
    """Added to the environment of a run."""
    probe: Probe
    install: str
    """What to do where the toolchain is missing."""
    stack: Stack
    call: CallHarness | None
    append: AppendHarness | None
    self_tests: tuple[SelfTest, ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """Commands that must be found on PATH, each once."""
        words = [self.probe.command[0], self.run[0]]
        if self.compile is not None:
            words.append(self.compile.command[0])
        return tuple(dict.fromkeys(word for word in words if "/" not in word))

    @classmethod
    def parse(cls, path: Path) -> Language:
        """Read a definition and the files it names.

        Args:
            path: a ``language.toml``; its folder's name is the language's id.

        Raises:
            DefinitionError: a key is unknown, missing or of the wrong type, or a file it names cannot be read.
        """
        root = Table.read(path)
        language = cls(
            id=path.parent.name,
            name=root.text("name"),
            aliases=root.texts("aliases"),
            source_name=root.text("source_name"),
            kind=Kind(root.choice("kind", [kind.value for kind in Kind])),
            compile=_compile(root.table("compile", optional=True)),
            run=root.texts("run"),
            environment=root.strings("environment"),
            probe=_probe(root.table("probe")),
            install=root.text("install"),
            stack=Stack(root.choice("stack", [stack.value for stack in Stack])),
            call=_call(root.table("call", optional=True)),
            append=_append(root.table("append", optional=True)),
            self_tests=_self_tests(path.parent / root.text("self_test") / "selftest.toml"),
        )
        root.finish()
        _check(language, path)
        return language


def _compile(table: Table) -> CompileSpec | None:
    if not table.values:
        return None
    spec = CompileSpec(
        command=table.texts("command"),
        optional=table.texts("optional", optional=True),
        units=table.texts("units", optional=True),
        artifact=table.text("artifact"),
        memory_mb=table.whole("memory_mb"),
        processes=table.whole("processes"),
        disk_mb=table.whole("disk_mb"),
        environment=table.strings("environment"),
    )
    table.finish()
    used = {name for word in spec.command for name in _PLACEHOLDER.findall(word)}
    for name in ("source", "artifact"):
        if name not in used:
            raise table.error("command", f"does not use {{{name}}}")
    for name in sorted(used - {"source", "artifact", "optional"}):
        raise table.error("command", f"uses the unknown placeholder {{{name}}}")
    return spec


def _probe(table: Table) -> Probe:
    probe = Probe(command=table.texts("command"), pattern=table.pattern("pattern"))
    table.finish()
    if "version" not in probe.pattern.groupindex:
        raise table.error("pattern", "has no group named version: (?P<version>…)")
    return probe


def _spelling(table: Table) -> Spelling:
    spelling = Spelling(address=table.text("address"), call=table.text("call"))
    table.finish()
    return spelling


def _call(table: Table) -> CallHarness | None:
    if not table.values:
        return None
    harness = CallHarness(
        template=table.file("template"),
        separator=table.text("separator"),
        function=_spelling(table.table("function")),
        method=_spelling(table.table("method")),
        default_owner=table.text("default_owner"),
        prelude=table.any_text("prelude"),
        prelude_unless=table.pattern("prelude_unless"),
    )
    table.finish()
    return harness


def _append(table: Table) -> AppendHarness | None:
    if not table.values:
        return None
    harness = AppendHarness(
        template=table.file("template"),
        drop=table.optional_pattern("drop"),
        close=table.optional_pattern("close"),
    )
    table.finish()
    return harness


def _self_test(table: Table) -> SelfTest:
    test = SelfTest(
        name=table.text("name"),
        source=table.file("file"),
        input=table.any_text("input").encode(),
        answer=table.any_text("answer").encode(),
        verdict=Verdict(table.choice("verdict", [verdict.value for verdict in Verdict])),
        cpu_seconds=table.number("cpu_seconds"),
    )
    table.finish()
    return test


def _self_tests(path: Path) -> tuple[SelfTest, ...]:
    root = Table.read(path)
    tests = tuple(_self_test(table) for table in root.tables("program"))
    root.finish()
    return tests


def _check(language: Language, path: Path) -> None:
    root = Table(path, "", {})
    if not _NAME.fullmatch(language.id):
        raise root.error("id", f"the folder's name {language.id!r} is no lower-case name")
    for alias in language.aliases:
        if not _NAME.fullmatch(alias):
            raise root.error("aliases", f"{alias!r} is no lower-case name")
    if len({language.id, *language.aliases}) != len(language.aliases) + 1:
        raise root.error("aliases", "repeats a name, or the id")
    if "/" in language.source_name:
        raise root.error("source_name", "must be a file name, not a path")
    if not any(test.verdict is Verdict.AC for test in language.self_tests):
        raise root.error("self_test", "has no program whose verdict is AC")
