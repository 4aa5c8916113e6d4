"""Make programs of sources, each in a box, once: CE is the program's, a missing box ours. No opinion on right or wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from scalebox.core.limits import MIB, Limits, Usage
from scalebox.core.result import CompileResult
from scalebox.languages.definition import CompileSpec, Kind, Language
from scalebox.languages.naming import Names
from scalebox.runner.archive import archive
from scalebox.runner.boxes import fetch, make_job, twice
from scalebox.runner.cache import ProgramCache, content_key
from scalebox.runner.memory_file import Channel, MemoryFile
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program, library_of, manifest
from scalebox.runner.results import compile_failure, diagnostics, refused, usage_of
from scalebox.runner.slot import Outcome, Slot

_COMPILE_WALL_FACTOR: Final = 4.0
"""A backstop only: that compilers wait for a busy CPU shows in processes that the slot does not look at."""
_CODE_OBJECT_BYTES: Final = 64 * MIB
_READ_ONLY: Final = 0o444
_ARTIFACT_BYTES: Final = 256 * MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """What was found of a language's tools on this machine."""

    version: str | None
    """None where the tools are missing or broken, or were not asked yet."""
    reason: str | None = None
    """Why they cannot be used."""
    optional: bool = False
    """Whether the compiler's optional arguments work here."""

    @property
    def here(self) -> bool:
        """Whether nothing is known that speaks against them."""
        return self.reason is None


class Compiler:
    """Compiles programs and keeps them.

    Args:
        cache: where compiled programs are kept.
        work_folder: where a program finds itself, as its box sees it.
        toolchains: what was found of each language's tools, by language id.
    """

    def __init__(self, cache: ProgramCache, work_folder: str, toolchains: Mapping[str, Toolchain]) -> None:
        self._cache = cache
        self._work = work_folder
        self._toolchains = toolchains

    def cached(
        self, language: Language, source: bytes, beside: Mapping[str, bytes] = MappingProxyType({})
    ) -> Program | None:
        """The program of that source and the files beside it, where it was compiled before."""
        return self._cache.get(self._key(language, source, beside))

    async def compile(
        self,
        pair: Pair,
        language: Language,
        source: bytes,
        limits: Limits,
        beside: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Program | CompileResult:
        """Make a program of a source, or say why it is none (verdict CE).

        Args:
            beside: the program's further files, by their relative path in the work folder; none is called as the
                source is there.

        Raises:
            SandboxError: no box could be had.
        """
        key = self._key(language, source, beside)
        found = self._cache.get(key)
        if found is not None:
            return found
        names = language.names(source.decode("utf-8", "replace"))
        files = {**{name: text.encode() for name, text in language.support.items()}, **beside}
        if language.kind is Kind.ZYGOTE:
            made = await self._compile_python(pair, language, source, limits)
        elif language.compile is None:
            made = self._prepare(language, names, source)
        else:
            made = await self._compile_with(pair, language, language.compile, names, source, limits, files)
        if isinstance(made, Program):
            if language.compile is None:  # else the artifact is all it needs
                made = replace(made, beside=files)
            self._cache.put(key, made)
        return made

    async def _compile_python(
        self, pair: Pair, language: Language, source: bytes, limits: Limits
    ) -> Program | CompileResult:
        file = MemoryFile(language.source_name, source)
        filename = self.filename(language.source_name)
        told = manifest({"mode": "compile", "filename": filename})
        bounds = replace(limits, cpu_seconds=limits.compile_seconds, wall_seconds=None, disk_bytes=_CODE_OBJECT_BYTES)

        async def once(slot: Slot) -> tuple[Outcome, bytes]:
            with Channel("code") as channel:
                job = make_job(told, bounds, code=file, value=channel.fd)
                job.place = (language.source_name, file.fd, _READ_ONLY)  # a warning quotes its line
                slot.placed = file
                outcome = await slot.run(job)
                return outcome, channel.read(_CODE_OBJECT_BYTES)

        outcome, code = await twice(pair, once)
        failed = compile_failure(outcome)
        if failed is not None or not code:
            return failed or refused(outcome, "the code object is larger than 64 MiB")
        names = Names(file=language.source_name, main="")
        made = self._program(language, names, file, language.source_name, outcome)
        made = replace(made, code=MemoryFile("code", code))
        return replace(made, needs=library_of(source))

    async def _compile_with(
        self,
        pair: Pair,
        language: Language,
        spec: CompileSpec,
        names: Names,
        source: bytes,
        limits: Limits,
        beside: Mapping[str, bytes],
    ) -> Program | CompileResult:
        file = MemoryFile(names.file, source)
        bounds = Limits(
            cpu_seconds=limits.compile_seconds,
            wall_seconds=_COMPILE_WALL_FACTOR * limits.compile_seconds + 2,
            memory_bytes=spec.memory_mb * MIB,
            output_bytes=MIB,
            processes=spec.processes,
            disk_bytes=spec.disk_mb * MIB,
        )
        argv, environment = list(self._argv(language, spec, names, beside)), dict(spec.environment)
        told = manifest({"mode": "exec", "argv": argv, "environment": environment, "files": sorted(beside.items())})

        async def once(slot: Slot) -> tuple[Outcome, Mapping[str, bytes]]:
            job = make_job(told, bounds, keep=True)
            job.place = (names.file, file.fd, _READ_ONLY)
            slot.placed = file
            outcome = await slot.run(job)
            return outcome, await fetch(slot, [wanted], _ARTIFACT_BYTES)

        wanted = spec.artifact if spec.pack is None else spec.pack + "/"
        outcome, files = await twice(pair, once)
        failed = compile_failure(outcome, with_tests=language.unit is not None)
        if failed is not None:
            return failed
        if not files:
            return refused(outcome, f"the compiler left no {wanted}")
        made = files[wanted] if spec.pack is None else archive(files, wanted)
        return self._program(language, names, MemoryFile(spec.artifact, made), spec.artifact, outcome)

    def _prepare(self, language: Language, names: Names, source: bytes) -> Program:
        return self._program(language, names, MemoryFile(names.file, source), names.file, None)

    def _program(
        self,
        language: Language,
        names: Names,
        file: MemoryFile,
        file_name: str,
        outcome: Outcome | None,
    ) -> Program:
        usage = Usage() if outcome is None else usage_of(outcome)
        message = "" if outcome is None else diagnostics(outcome)
        program = Program(
            language=language,
            version=self._version(language),
            file=file,
            file_name=file_name,
            names=names,
            code=None,
            manifest=None,
            compiled=CompileResult(verdict=None, cached=False, usage=usage, message=message),
        )
        if language.kind is Kind.ZYGOTE or language.minds_memory:
            return program
        return replace(program, manifest=manifest(program.start((), Limits())))

    def _version(self, language: Language) -> str:
        toolchain = self._toolchains.get(language.id)
        return "" if toolchain is None or toolchain.version is None else toolchain.version

    def _argv(self, language: Language, spec: CompileSpec, names: Names, beside: Iterable[str] = ()) -> Sequence[str]:
        toolchain = self._toolchains.get(language.id)
        optional = toolchain is not None and toolchain.optional
        return spec.argv(names, *sorted(beside), optional=optional)

    def _key(self, language: Language, source: bytes, beside: Mapping[str, bytes] = MappingProxyType({})) -> str:
        same = Names(file=language.source_name, main="")  # the source tells the rest
        flags = () if language.compile is None else self._argv(language, language.compile, same)
        files = [part for named in sorted(beside.items()) for part in named]
        return content_key([language.id, self._version(language), *flags, source, *files])

    def filename(self, name: str) -> str:
        """How a program's file is called: absolute where every box has the same work folder."""
        return f"{self._work}/{name}" if self._work else name
