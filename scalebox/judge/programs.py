"""The programs of a problem's judges, each compiled when it is first needed, once. Never compiles what nobody asks for."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from scalebox.core.errors import LanguageUnavailable, RequestError, SandboxError
from scalebox.core.limits import Limits
from scalebox.core.problem import ProgramText
from scalebox.core.result import CompileResult
from scalebox.languages.catalogue import Catalogue
from scalebox.languages.definition import Kind, Language
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program
from scalebox.runner.runner import Runner


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeText:
    """A judge's program, and what it takes for granted."""

    text: ProgramText
    reserved: frozenset[str]
    """Names in the work folder that its own files cannot have."""
    called: bool
    """Whether it is a function to call, rather than a program to start."""
    field: str
    """Where the client named it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Shares of its limits that a judge spent on what it is known to be right about."""

    cpu: float
    memory: float


UNSOUND: Final = Effort(cpu=math.inf, memory=math.inf)
"""Of a judge that is not right even about that."""


class Soundness:
    """What is known of judges that once broke: what each spent on what it has to be right about. Of bounded size.

    Args:
        most: how much is kept; the oldest makes room.
    """

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._known: dict[bytes, Effort] = {}

    def get(self, key: bytes) -> Effort | None:
        """What is known; None where nothing is."""
        return self._known.get(key)

    def put(self, key: bytes, effort: Effort) -> None:
        """Remember it."""
        while len(self._known) >= self._most:
            del self._known[next(iter(self._known))]
        self._known[key] = effort


class JudgePrograms:
    """The judges' programs of one judgement.

    Args:
        runner: compiles them; what it has compiled for another judgement is taken from its cache.
        catalogue: the languages defined.
        support: files that a program may name without bringing them (``testlib.h``): name -> content.
        soundness: what other judgements found out about judges.
    """

    def __init__(
        self, runner: Runner, catalogue: Catalogue, support: Mapping[str, bytes], soundness: Soundness
    ) -> None:
        self.runner = runner
        self.soundness = soundness
        self._catalogue = catalogue
        self._support = support
        self._made: dict[int, Program | CompileResult] = {}
        self._silent: Program | None = None
        self._busy = asyncio.Lock()

    async def get(self, pair: Pair, text: ProgramText, limits: Limits) -> Program | CompileResult:
        """The program, or why it is none (verdict CE).

        Args:
            limits: of which ``compile_seconds`` is what the compiler may spend.

        Raises:
            SandboxError: no box could be had.
        """
        found = self._made.get(id(text))  # the problem outlives us, so no two texts share an id
        if found is not None:
            return found
        language = known(text.language, self._catalogue, "language")
        async with self._busy:  # many cases ask at once for what one of them compiles
            if id(text) not in self._made:
                source, beside = laid_out(text, self._support)
                self._made[id(text)] = await self.runner.compile(pair, language, source, limits, beside)
        return self._made[id(text)]

    async def silent(self, pair: Pair, limits: Limits) -> Program:
        """A program that says nothing and ends.

        Raises:
            SandboxError: no box could be had, or there is no interpreter that would run it.
        """
        if self._silent is None:
            warm = [language for language in self._catalogue if language.kind is Kind.ZYGOTE]
            made = await self.runner.compile(pair, warm[0], b"", limits) if warm else None
            if not isinstance(made, Program):
                msg = "no program that says nothing can be made"
                raise SandboxError(msg)
            self._silent = made
        return self._silent


def known(name: str, catalogue: Catalogue, field: str) -> Language:
    """The language of a judge.

    Raises:
        LanguageUnavailable: no language has that name.
    """
    language = catalogue.get(name)
    if language is None:
        msg = f"there is no language called {name[:80]!r}"
        hint = "one of: " + ", ".join(catalogue.ids())
        raise LanguageUnavailable(msg, field=field, hint=hint, code="unknown_language")
    return language


def laid_out(text: ProgramText, support: Mapping[str, bytes]) -> tuple[bytes, Mapping[str, bytes]]:
    """The entry's source, which gets the language's own file name, and the other files by their place beside it.

    What lies in the entry's folder, or below, is moved with it to the work folder; what lies elsewhere stays there.
    """
    folder = PurePosixPath(text.entry).parent
    beside: dict[str, bytes] = {}
    for path, content in text.files.items():
        place = PurePosixPath(path)
        if path != text.entry:
            inside = place.relative_to(folder) if place.is_relative_to(folder) else place
            beside[str(inside)] = _encoded(content)
    for name, data in support.items():
        if name not in beside and any(name in content for content in text.files.values()):
            beside[name] = data
    return _encoded(text.files[text.entry]), beside


def check_text(judge: JudgeText, language: Language, support: Mapping[str, bytes]) -> None:
    """Refuse a program that its language cannot run, or whose files cannot lie beside what it is given.

    Raises:
        RequestError: names the field at fault.
    """
    if judge.called and language.kind is not Kind.ZYGOTE:
        msg = f"the protocol function is not to be had in {language.name}"
        hint = "use the protocol files, or a judge in Python"
        raise RequestError(msg, field=f"{judge.field}.protocol", hint=hint, code="unsupported")
    artifact = set() if language.compile is None else {language.compile.artifact}
    source, beside = laid_out(judge.text, support)
    own = language.names(source.decode("utf-8", "replace")).file
    taken = judge.reserved | artifact | {own}
    for path in beside:
        name = PurePosixPath(path).parts[0]
        if name in taken:
            msg = f"{name} is where something else of the judge's lies"
            hint = "make it the entry, or rename it" if name == own else "rename it"
            raise RequestError(msg, field=f"{judge.field}.files", hint=hint, code="bad_path")


def _encoded(text: str) -> bytes:
    """As the compiler reads it; lone surrogates stay and are the compiler's to refuse."""
    return text.encode("utf-8", "surrogatepass")
