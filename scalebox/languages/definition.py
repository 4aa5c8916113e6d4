"""What ScaleBox knows of a language: frozen values, read by `reading.py`. Never runs a tool, never reads a file."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from scalebox.core.verdict import Verdict
from scalebox.languages.naming import Names, NamingSpec

OPTIONAL: Final = "{optional}"
SOURCE: Final = "{source}"
_LARGEST_STACK_MB: Final = 1024
"""The most that runtimes which make the stack themselves are asked for; a JVM takes no more."""


class Kind(enum.StrEnum):
    """How a program of the language is started."""

    ZYGOTE = "zygote"
    """Forked from a warm interpreter."""
    EXEC = "exec"
    """Forked and executed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileSpec:
    """How a source becomes a program."""

    command: tuple[str, ...]
    """Arguments with placeholders; ``{optional}`` stands for the optional arguments."""
    units: tuple[str, ...] = ()
    """Suffixes of the files that, where a program has several, ``{source}`` names beside the entry."""
    optional: tuple[str, ...] = ()
    """Arguments that make programs faster but that some toolchains lack the libraries for."""
    artifact: str
    """File that the program needs and nothing else: the command leaves it in the working directory, or `pack` is made into it."""
    pack: str | None = None
    """Folder that the command leaves in the working directory; the service makes a zip archive (a jar) of it."""
    memory_mb: int
    """MiB, all processes of the compiler together."""
    processes: int
    disk_mb: int
    """MiB written, temporary files included."""
    environment: Mapping[str, str] = field(default_factory=dict)

    def argv(self, names: Names, *others: str, optional: bool = True) -> tuple[str, ...]:
        """The compiler's arguments.

        Args:
            names: the entry's.
            others: further files of the program; those that are no units are left to be included.
            optional: False leaves the optional arguments out.
        """
        units = [name for name in others if name.endswith(self.units)] if self.units else []
        texts = {"source": names.file, "main": names.main, "artifact": self.artifact}
        words: list[str] = []
        for word in self.command:
            if word == OPTIONAL:
                words.extend(self.optional if optional else ())
            elif word == SOURCE:
                words.extend([names.file, *units])
            else:
                words.append(fill(word, texts))
        return tuple(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """What the language's runtime needs beside what the program is allowed. It is added to the program's limits."""

    memory_mb: int = 0
    """Resident MiB of the runtime itself: its code, its compiler, its collector."""
    processes: int = 0
    """Threads that it starts."""
    out_of_memory: re.Pattern[str] | None = None
    """What the standard error of a failed program says where a limit that the runtime itself holds was passed."""


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
class Install:
    """How the toolchain comes here."""

    hint: str
    """For people: what to do where it is missing."""
    languages: tuple[str, ...] = ()
    """Ids of the languages whose toolchains it stands on; they are installed first."""
    apt: tuple[str, ...] = ()
    """Debian packages."""
    npm: tuple[str, ...] = ()
    """``name@version``, put below the language's tool folder."""
    pip: tuple[str, ...] = ()
    """``name==version``, put below the language's tool folder."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Command -> file below the tool folder; linked to from where commands are looked for."""
    prepare: str = ""
    """Shell script, run in the tool folder after that: what is made once for every compilation or run. Empty: nothing is."""
    prepare_files: Mapping[str, str] = field(default_factory=dict)
    """What the script finds beside itself: name -> content."""

    @property
    def automatic(self) -> bool:
        """Whether there is anything that can be done without a person."""
        return bool(self.languages or self.apt or self.npm or self.pip)


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
    identifier: re.Pattern[str]
    """All of what a function may be called."""
    function: Spelling
    method: Spelling
    default_owner: str
    """Class whose method is meant when the program defines no function of the name at top level."""
    owner_found: str
    """Pattern: where the program has the class ``{owner}``."""
    function_found: str
    """Pattern: where the program defines, outside of braces, the function ``{name}``."""
    holder: re.Pattern[str] | None
    """A type outside of braces, called by its group ``name``: where functions stand in none but such, the one that holds the function is
    meant. If its group ``made`` took part, an object of it is made."""
    prelude: str
    """Put before a program that does not itself say what it uses."""
    prelude_unless: re.Pattern[str]
    """A source in which this is found says so itself."""
    edit_program: tuple[tuple[re.Pattern[str], str], ...]
    """What a program holds that cannot stand in the template, and what stands there instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How a language's test code asserts that two values are equal, and what is said instead."""

    asserts: re.Pattern[str]
    """What stands before the parenthesis of an assertion."""
    method: str
    """Name of the method that compares, or empty."""
    by_method: str
    """Instead of ``left.method(right)``, with ``{left}``, ``{right}`` and ``{entry}``."""
    by_operator: str
    """Instead of ``left == right``; empty where such comparisons stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendHarness:
    """The text around a program followed by its test code."""

    template: str
    """Text with ``@program@``, ``@close@`` and ``@tests@``, and ``@first@``, ``@main@``, ``@entry@``, ``@asked@``, ``@found@`` and ``@guards@`` where they are wanted."""
    drop: re.Pattern[str] | None
    """Lines of the test code that would undo what the template sets up."""
    edit_program: tuple[tuple[re.Pattern[str], str], ...]
    """What a program holds that cannot stand in the template, and what stands there instead; what a group ``skip`` matched stays."""
    edit_tests: tuple[tuple[re.Pattern[str], str], ...]
    """The same for the test code."""
    imports: tuple[tuple[re.Pattern[str], str], ...]
    """What the test code names, and the line that the program then needs, unless it holds the line's last word: ``{imports}`` of its edits, which have ``{entry}`` too."""
    main: str
    """What ``@main@`` is where the language's naming finds nothing to start."""
    found: re.Pattern[str] | None
    """What ``@found@`` is made of: a group ``name`` of matches in program and test code, each once, without what is asked for."""
    each: str
    """The text that stands for one of them, with ``{name}`` and ``{entry}``."""
    guarded: re.Pattern[str] | None
    """What ``@guards@`` is made of: a group ``name`` of matches in the test code alone, comments and strings aside: names that must mean
    what the language says, each once, without what is asked for."""
    guard: str
    """The text that stands for one of them, with ``{name}`` and ``{entry}``."""
    head: re.Pattern[str] | None
    """Lines of a prompt that test code relies on; put in front of a whole program that leaves them out."""
    first: re.Pattern[str] | None
    """Start of a program that only means something there: it is ``@first@``, in front of what the template puts before the program."""
    compare: Comparison | None
    """What the harness does itself of what the test code asserts, where a program may choose the type of a value and how it compares."""
    close: re.Pattern[str] | None
    """Start of test code that still belongs to the program: it closes a function the program leaves open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSpec:
    """How a unit-test framework meets a program that does not bring its own tests."""

    languages: tuple[str, ...]
    """Ids of the languages whose programs it tests, variants included."""
    program: str
    """Where the tests find the program's file, unless a case says otherwise."""
    programs: Mapping[str, str]
    """The same for programs of one of its languages, by id."""
    tests: re.Pattern[str]
    """Found in the path of a file that holds tests."""
    library: str
    """Folder of the framework's modules, where the harness is the warm interpreter's; else empty."""
    cpu_seconds: float
    """What the framework itself needs: added to the program's limit where the two share a process."""
    self_test: Mapping[str, str]
    """Test files that the definition's programs are judged by: name -> content."""


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
    family: str
    """Id of the language that this one is a variant of; its own where it is none."""
    includes: tuple[str, ...]
    """Languages whose programs are programs of this one, too: a block that a model marks so is what was asked for, where there is no other."""
    aliases: tuple[str, ...]
    """Lower-case: tags of fenced blocks and the names that other judges use."""
    source_name: str
    """What the source's file is called where the source does not decide it."""
    naming: NamingSpec | None
    kind: Kind
    compile: CompileSpec | None
    compile_rendered: CompileSpec | None
    """How a text that a harness made is compiled instead, where it needs another standard or another entry."""
    run: tuple[str, ...]
    """Arguments with placeholders that start a program in its working directory."""
    environment: Mapping[str, str]
    """Added to the environment of a run."""
    runtime: Runtime
    probe: Probe
    requires: tuple[str, ...]
    """Commands and absolute paths that must be there beside the commands that are started first."""
    show: tuple[str, ...]
    """Files and folders of the toolchain outside of the system's own, or patterns for them: shown to boxes, read-only."""
    support: Mapping[str, str]
    """Files of ours beside every source: name -> content."""
    install: Install
    call: CallHarness | None
    append: AppendHarness | None
    unit: UnitSpec | None
    """Where it is a unit-test framework."""
    self_tests: tuple[SelfTest, ...]
    variants: tuple[Language, ...] = ()
    """The same language under another standard: all else is alike."""

    @property
    def tools(self) -> tuple[str, ...]:
        """What must be there: commands by name, found on PATH, and files by path; each once."""
        words = [self.probe.command[0], self.run[0]]
        if self.compile is not None:
            words.append(self.compile.command[0])
        own = [word for word in words if "/" not in word or word.startswith("/")]
        return tuple(dict.fromkeys([*own, *self.requires]))

    @property
    def rendered(self) -> Language:
        """The language as texts that a harness made are compiled."""
        return self if self.compile_rendered is None else replace(self, compile=self.compile_rendered)

    def names(self, source: str) -> Names:
        """What a source's file is called, and what of it is started."""
        if self.naming is None:
            return Names(file=self.source_name, main="")
        return self.naming.names(source, self.source_name)

    def argv(self, names: Names, memory_mb: int) -> tuple[str, ...]:
        """What starts a program.

        Args:
            names: the program's.
            memory_mb: MiB that the program may use.
        """
        texts = self._told(names, memory_mb)
        return tuple(fill(word, texts) for word in self.run)

    def surroundings(self, names: Names, memory_mb: int) -> Mapping[str, str]:
        """What a run's environment has beside what every program finds."""
        texts = self._told(names, memory_mb)
        return {name: fill(value, texts) for name, value in self.environment.items()}

    @property
    def minds_memory(self) -> bool:
        """Whether how a program is started depends on what it may use."""
        return any("_mb}" in word or "{memory_hex}" in word for word in (*self.run, *self.environment.values()))

    def _told(self, names: Names, memory_mb: int) -> Mapping[str, str]:
        return {
            "source": names.file,
            "main": names.main,
            "artifact": names.file if self.compile is None else self.compile.artifact,
            "memory_mb": str(memory_mb),
            "memory_hex": f"{memory_mb << 20:X}",
            "stack_mb": str(min(memory_mb, _LARGEST_STACK_MB)),
        }


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with ``{name}`` of every value replaced; other braces stay."""
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text
