"""Run programs in boxes. No opinion on right or wrong; our own failures are SandboxError, never a result.

Every method is given a leased `Pair`; a failed slot is replaced and the box is run again once.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from scalebox.core.errors import SandboxError
from scalebox.core.limits import MIB, Limits
from scalebox.core.result import Exceeded, RunResult
from scalebox.languages.definition import Kind
from scalebox.runner.boxes import fetch, make_job, run_placed, twice
from scalebox.runner.compiler import Compiler
from scalebox.runner.dialogue import Dialogue, Interaction, Party
from scalebox.runner.memory_file import Channel, MemoryFile
from scalebox.runner.pipes import PipeEnd, holding, open_pipe
from scalebox.runner.pool import Pair
from scalebox.runner.program import Program, library_of, manifest
from scalebox.runner.results import result_of
from scalebox.runner.slot import Job, Outcome, Slot
from scalebox.runner.zygote import protocol
from scalebox.runner.zygote.harness.codec import TOO_LARGE

UNCAUGHT: Final = 70
"""Exit code of a judge's Python program that ends by an exception; a program that exits with 1 says something else."""

_TRIES: Final = 2
_CONVERSATION_WALLS: Final = 5
"""A conversation may last this many times what both sides' wall limits come to: turns take time that is nobody's."""
_TOO_LARGE: Final = TOO_LARGE.encode() + b"\n"
_DRIVER_REPORT_BYTES: Final = 1 * MIB
_UNIT_REPORT_BYTES: Final = 8 * MIB
_DRIVER_MEMORY_BYTES: Final = 256 * MIB
"""At least this much is for test code in a box of its own, however little the program may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """What one run of a program is given."""

    stdin: bytes = b""
    args: Sequence[str] = ()
    files: Mapping[str, bytes] | None = None
    fetch: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """How both sides of an assert case ended."""

    program: RunResult
    driver: RunResult


class Runner(Compiler):
    """Compiles and runs programs."""

    async def run(self, pair: Pair, program: Program, given: Input, limits: Limits) -> RunResult:
        """Run a program once.

        Raises:
            SandboxError: no box could be had, twice.
        """
        special = bool(given.args or given.files or program.beside)
        told = self._told(program, _stdio_manifest(program, given, limits)) if special else program.told(limits)
        stdin = MemoryFile("stdin", given.stdin)
        outcome, fetched = await twice(
            pair, lambda slot: self._run_and_fetch(slot, program, told, stdin, given.fetch, limits)
        )
        return program.understood(result_of(outcome, files=fetched))

    async def inspect(
        self, pair: Pair, program: Program, given: Input, limits: Limits, *, function: str | None = None
    ) -> RunResult:
        """Run a judge's program once, in the companion: nothing that a submission was in ever holds what it is given.

        A Python program that ends by an exception exits with `UNCAUGHT`.

        Args:
            function: called with ``given.args``, its value coming back as written; for the warm interpreter only.

        Raises:
            SandboxError: no box could be had, twice.
        """
        extra = _stdio_manifest(program, given, limits) | {"uncaught": UNCAUGHT}
        if function is not None:
            spec: dict[str, object] = {"function": function, "args": list(given.args), "kwargs": {}, "mutated": None}
            extra |= {"mode": "call", "spec": spec}
        told = self._told(program, extra)
        stdin = MemoryFile("stdin", given.stdin)

        async def once(slot: Slot) -> RunResult:
            os.lseek(stdin.fd, 0, os.SEEK_SET)  # as in `_run_and_fetch`
            with Channel("value") as channel:
                needs = 0 if function is None else protocol.HARNESS
                bounds = program.bounds(limits)
                job = make_job(told, bounds, stdin=stdin, code=program.code, keep=bool(given.fetch), needs=needs)
                job.value = None if function is None else channel.fd
                outcome = await run_placed(slot, program, job)
                files = await fetch(slot, given.fetch, limits.disk_bytes) if given.fetch else {}
                run = result_of(outcome, value=channel.read(limits.output_bytes), files=files)
                return program.understood(
                    _held_to_size(run, channel, limits)
                )  # a value that is not read must not look like none

        try:
            return await once(await pair.companion())
        except SandboxError:
            return await once(await pair.companion())

    async def call(
        self, pair: Pair, program: Program, spec: Mapping[str, object], document: bytes, limits: Limits
    ) -> RunResult:
        """Run a program whose harness calls a function; the value comes back as written.

        Args:
            spec: for the warm interpreter: ``function``, ``args``, ``kwargs``, ``mutated``.
            document: for every other language: the same arguments as tagged JSON.
        """
        if program.language.kind is Kind.EXEC:
            return await self._with_value(pair, program, program.start((), limits), document, limits)
        told = {"mode": "call", "spec": dict(spec), "filename": self.filename(program.file_name)}
        return await self._with_value(pair, program, told, b"", limits)

    async def one_box(
        self,
        pair: Pair,
        program: Program,
        spec: Mapping[str, object],
        document: bytes,
        limits: Limits,
        files: Mapping[str, bytes] | None = None,
    ) -> RunResult:
        """Run a program and its test code in one box; the report comes back as the value.

        Args:
            spec: for the warm interpreter: ``code``, ``style``, ``entry_point``, ``setup``; with ``framework``, of a unit case.
            document: for every other language, and for unit cases: the line that proves completion; for a command it can be read once.
            files: what is to lie in the work folder beside the program.
        """
        files = {**program.beside, **(files or {})}
        beside = {"files": sorted(files.items())} if files else {}
        if program.language.kind is Kind.EXEC:
            return await self._with_value(
                pair, program, program.start((), limits) | beside, document, limits, once_only=True
            )
        unit = "framework" in spec
        told = {"mode": "onebox_unit" if unit else "onebox", "spec": dict(spec), **beside}
        told["filename"] = self.filename(program.file_name)
        return await self._with_value(pair, program, told, document if unit else b"", limits)

    async def converse(
        self,
        pair: Pair,
        program: Program,
        spec: Mapping[str, object],
        limits: Limits,
        driver_seconds: float,
        files: Mapping[str, bytes] | None = None,
    ) -> Conversation:
        """Run a program in one box and the test code that drives it in another.

        Args:
            spec: of an assert case; with ``framework``, of a unit case.
            files: what is to lie in the work folder of the test code's box.

        Raises:
            SandboxError: no boxes could be had, twice.
        """
        for attempt in range(_TRIES):
            try:
                return await self._converse_once(pair, program, spec, limits, driver_seconds, files or {})
            except SandboxError:
                if attempt + 1 == _TRIES:
                    raise
        raise SandboxError("no slot could be had")

    async def interact(
        self,
        pair: Pair,
        program: Program,
        interactor: Program,
        given: Input,
        limits: Limits,
        judge_limits: Limits,
        goes_on: Callable[[RunResult], bool],
    ) -> Interaction:
        """Run a program in one box and an interactor in the companion, each one's output being the other's input.

        A Python interactor that ends by an exception exits with `UNCAUGHT`.

        Args:
            given: arguments and files of the interactor, and what to fetch from it.
            limits: the program's; ``output_bytes`` bounds what it may say.
            judge_limits: the interactor's.
            goes_on: whether the program may go on after that end of the interactor; otherwise it is ended.

        Raises:
            SandboxError: no boxes could be had, twice.
        """
        extra = _stdio_manifest(interactor, given, judge_limits) | {"uncaught": UNCAUGHT}
        told = self._told(interactor, extra)
        parts = _Parts(program=program, interactor=interactor, told=told, limits=limits, judge_limits=judge_limits)
        try:
            return await self._interact_once(pair, parts, given.fetch, goes_on)
        except SandboxError:
            return await self._interact_once(pair, parts, given.fetch, goes_on)

    async def _interact_once(
        self, pair: Pair, parts: _Parts, names: Sequence[str], goes_on: Callable[[RunResult], bool]
    ) -> Interaction:
        main, companion = await pair.main(), await pair.companion()
        program, interactor = parts.program, parts.interactor
        with contextlib.ExitStack() as ends:
            program_input, to_program = _pipe(ends)
            from_program, program_output = _pipe(ends)
            interactor_input, to_interactor = _pipe(ends)
            from_interactor, interactor_output = _pipe(ends)
            wall = _CONVERSATION_WALLS * (parts.limits.wall + parts.judge_limits.wall)
            bounds = program.bounds(parts.limits)
            ours = make_job(program.told(parts.limits), bounds, stdin=program_input, code=program.code, wall=wall)
            theirs = make_job(
                parts.told,
                interactor.bounds(parts.judge_limits),
                stdin=interactor_input,
                code=interactor.code,
                keep=bool(names),
                wall=2 * wall,
            )
            ours.stdout, theirs.stdout = program_output.fd, interactor_output.fd
            dialogue = Dialogue(
                Party(
                    slot=main,
                    run=lambda: self._side(main, program, ours),
                    output=from_program,
                    input=to_program,
                    wall_seconds=parts.limits.wall,
                ),
                Party(
                    slot=companion,
                    run=lambda: self._side(companion, interactor, theirs),
                    output=from_interactor,
                    input=to_interactor,
                    wall_seconds=parts.judge_limits.wall,
                ),
                parts.limits.output_bytes,
                goes_on,
            )

            def started() -> None:
                for end in (program_input, program_output, interactor_input, interactor_output):
                    end.close()

            found = await dialogue.run(started)
        if not names:
            return found
        files = await fetch(companion, names, parts.judge_limits.disk_bytes)
        return replace(found, interactor=replace(found.interactor, files=files))

    async def _side(self, slot: Slot, program: Program, job: Job) -> RunResult:
        return program.understood(result_of(await run_placed(slot, program, job)))

    async def _converse_once(
        self,
        pair: Pair,
        program: Program,
        spec: Mapping[str, object],
        limits: Limits,
        driver_seconds: float,
        files: Mapping[str, bytes],
    ) -> Conversation:
        main, companion = await pair.main(), await pair.companion()
        ours, theirs = _conversation()
        program_told = manifest({"mode": "program", "filename": self.filename(program.file_name)})
        mode = "unit" if "framework" in spec else "driver"
        driver_told = manifest({"mode": mode, "spec": dict(spec), "files": sorted(files.items())})
        wall = limits.wall + 2 * driver_seconds + 2
        with Channel("report") as report, ours, theirs:
            jobs = (
                make_job(
                    program_told,
                    limits,
                    code=program.code,
                    channel=ours.fileno(),
                    wall=wall,
                    needs=protocol.HARNESS,
                ),
                make_job(
                    driver_told,
                    replace(
                        limits,
                        cpu_seconds=driver_seconds,
                        memory_bytes=max(limits.memory_bytes, _DRIVER_MEMORY_BYTES),
                    ),
                    value=report.fd,
                    channel=theirs.fileno(),
                    wall=wall,
                    needs=protocol.HARNESS | library_of("\n".join(map(str, spec.values())).encode("utf-8", "replace")),
                ),
            )
            tasks = [
                asyncio.create_task(run_placed(main, program, jobs[0])),
                asyncio.create_task(companion.run(jobs[1])),
            ]
            try:
                await asyncio.sleep(0)  # both jobs are sent, and the slots have the channel; ours must not keep it open
                ours.close()
                theirs.close()
                first, second = await asyncio.gather(*tasks)
            except BaseException:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                raise
            driver = replace(
                result_of(second),
                value=report.read(_UNIT_REPORT_BYTES if "framework" in spec else _DRIVER_REPORT_BYTES),
            )
            return Conversation(program=result_of(first), driver=driver)

    async def _with_value(
        self,
        pair: Pair,
        program: Program,
        told: Mapping[str, object],
        document: bytes,
        limits: Limits,
        *,
        once_only: bool = False,
    ) -> RunResult:
        note = manifest(told)
        needs = protocol.HARNESS if program.language.kind is Kind.ZYGOTE else 0

        async def once(slot: Slot) -> RunResult:
            with Channel("value") as channel, contextlib.ExitStack() as ends:
                job = make_job(note, program.bounds(limits), code=program.code, value=channel.fd, needs=needs)
                if once_only:
                    job.document = ends.enter_context(holding(document))
                elif document:
                    job.document = MemoryFile("document", document)
                outcome = await run_placed(slot, program, job)
                run = result_of(outcome, value=channel.read(limits.output_bytes))
                return program.understood(_held_to_size(run, channel, limits))

        return await twice(pair, once)

    async def _run_and_fetch(
        self,
        slot: Slot,
        program: Program,
        told: MemoryFile | None,
        stdin: MemoryFile,
        names: Sequence[str],
        limits: Limits,
    ) -> tuple[Outcome, Mapping[str, bytes]]:
        os.lseek(stdin.fd, 0, os.SEEK_SET)  # the box shares our offset, and a failed slot may have read
        job = make_job(told, program.bounds(limits), stdin=stdin, code=program.code, keep=bool(names))
        outcome = await run_placed(slot, program, job)
        if not names:
            return outcome, {}
        return outcome, await fetch(slot, names, limits.disk_bytes)

    def _told(self, program: Program, extra: Mapping[str, object]) -> MemoryFile:
        if program.language.kind is Kind.ZYGOTE:
            return manifest({"mode": "main", "filename": self.filename(program.file_name), **extra})
        return manifest(extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """What takes part in a conversation with an interactor."""

    program: Program
    interactor: Program
    told: MemoryFile
    """What the interactor's box is told."""
    limits: Limits
    judge_limits: Limits


def _held_to_size(run: RunResult, channel: Channel, limits: Limits) -> RunResult:
    """A run whose value is too large to be read, or to be written, has exceeded its limit: it is not one without a value."""
    too_large = channel.size() > min(limits.output_bytes, limits.disk_bytes - 1)
    if run.exceeded is None and (too_large or run.value == _TOO_LARGE):
        return replace(run, exceeded=Exceeded.OUTPUT, reason="output limit exceeded by the value")
    return run


def _pipe(ends: contextlib.ExitStack) -> tuple[PipeEnd, PipeEnd]:
    """Reading and writing end of a pipe, closed with the stack at the latest."""
    reading, writing = open_pipe()
    return ends.enter_context(reading), ends.enter_context(writing)


def _conversation() -> tuple[socket.socket, socket.socket]:
    try:
        return socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError as error:
        msg = f"two boxes could not be connected: {error}"
        raise SandboxError(msg) from error


def _stdio_manifest(program: Program, given: Input, limits: Limits) -> dict[str, object]:
    files = {**program.beside, **(given.files or {})}
    extra: dict[str, object] = {"args": list(given.args), "files": sorted(files.items())}
    if program.language.kind is Kind.EXEC:
        extra |= program.start(given.args, limits)
    return extra
