"""Let two boxes converse through the service, and tell how it went. Bounds what is held; judges nothing.

Theory of operation
-------------------
Pipes. Each box has two pipes to the service, one it reads and one it writes. Two streams carry the bytes over, on the
event loop: from the program's output to the interactor's input, and back. A stream holds at most one chunk; while its
reader does not read, its writer is not read either, so that both feel what they would feel on a pipe of their own.
Nobody gets a broken pipe: what is said to a side that is gone is thrown away.

Who learns what when. A side learns that the other has ended by the end of file, and the service passes that on only
when it has the other box's end (or after `CLOSED_SECONDS`, where a side closed its output and goes on). So whose box
was first to end is known, however the two are scheduled. If the program ends badly, an interactor that still works on
what it has read may finish; one that waits for more is ended. If the program ends well, or closes its output, the
interactor is told once it waits for more (or sleeps, or has worked on for `_TOLD_SECONDS`): what it has not asked for
cannot have been the reason of its end.

Deadlock. Where no byte has moved between two looks, and every thread of both boxes waits for a pipe (or for each other)
in both, nothing will ever move again. Where the kernel does not say what a sleeping thread waits for, both sides must
have slept for `_IDLE_SECONDS` without using the CPU.

Wall time. A side answers only for the time that it sleeps itself, for whatever but its turn: not for the other's turns,
nor for the service's, nor for waiting for a CPU. Time on a CPU is the slot's business.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final

from scalebox.core.result import Exceeded, RunResult
from scalebox.runner.pipes import PipeEnd
from scalebox.runner.slot import Slot
from scalebox.runner.stance import Look, Stance, look
from scalebox.runner.stream import Stream
from scalebox.runner.transcript import Speaker, Transcript

_LOOK_SECONDS: Final = 0.25
_IDLE_SECONDS: Final = 5.0
_STILL_SECONDS: Final = 0.002
"""Activity between two looks that is no progress: a runtime's own threads tick."""
_ASLEEP_SHARE: Final = 0.5
"""Who was active for less than this share of the time between two looks slept."""
_DECIDE_SECONDS: Final = 1.0
"""How long an interactor may sleep before it decides without the program, once that ended badly."""
_DECIDE_LOOK_SECONDS: Final = 0.01
_FIRST_LOOK_SECONDS: Final = 0.001
"""Most interactors wait for the end of file by then; each later look is twice as far off."""
_ASLEEP_SECONDS: Final = 0.1
"""How long an interactor sleeps in something other than a pipe before it is told that the program says no more."""
_TOLD_SECONDS: Final = 5.0
"""By when it is told of that, even if it works on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """How a conversation ended."""

    program: RunResult
    interactor: RunResult
    first: Speaker
    """Whose box ended by itself before the other's end could have been its reason."""
    program_ended: bool = False
    """Whether the program was ended because nothing more could come of it: its end says nothing."""
    deserted: bool = False
    """Whether the interactor waited for more when it was told that the program, which did not end badly, says no more."""
    deadlock: bool = False
    """Whether both were ended because each waited for the other."""
    heard: int = 0
    """Bytes that the program said."""
    garbled: bool = False
    """Whether whoever asked for the conversation found that the interactor broke over them."""
    transcript: bytes
    transcript_truncated: bool


@dataclass(slots=True, kw_only=True)
class Party:
    """One side of a conversation."""

    slot: Slot
    run: Callable[[], Coroutine[Any, Any, RunResult]]
    """Runs the box to its end; sends it on its way before it first waits."""
    output: PipeEnd
    """Where the service reads what it says."""
    input: PipeEnd
    """Where the service writes what it is told."""
    wall_seconds: float
    """How long it may sleep."""
    slept_seconds: float = 0.0
    late: bool = False
    """Whether it was ended because it slept for longer."""

    def note(self, seconds: float, before: Look, now: Look, *, alone: bool) -> None:
        """Take account of a time in which nothing was said; who has slept for too long is ended."""
        stances = {before.stance, now.stance}
        if Stance.ACTIVE in stances or (Stance.PIPE in stances and not alone):
            return
        if now.active_seconds - before.active_seconds > _ASLEEP_SHARE * seconds:
            return
        self.slept_seconds += seconds
        if self.slept_seconds > self.wall_seconds and not self.late:
            self.late = True
            self.slot.end()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Both sides at one moment."""

    at: float
    moved: int
    program: Look
    interactor: Look


class Dialogue:
    """One conversation.

    Args:
        program: the side that is judged.
        interactor: the side that judges.
        output_bytes: how much the program may say.
        goes_on: whether the program may go on after that end of the interactor.
    """

    def __init__(
        self, program: Party, interactor: Party, output_bytes: int, goes_on: Callable[[RunResult], bool]
    ) -> None:
        self._program = program
        self._interactor = interactor
        self._output_left = self._most_output = output_bytes
        self._goes_on = goes_on
        self._transcript = Transcript()
        self._too_much = False
        self._deadlock = False
        self._program_ended = False
        self._deserted = False
        self._telling: asyncio.Task[None] | None = None
        """Tells the interactor that the program says no more."""

    async def run(self, started: Callable[[], None]) -> Interaction:
        """Start both and see them to their ends.

        Args:
            started: called once both boxes have their ends of the pipes.

        Raises:
            SandboxError: a slot failed; the other box was ended.
        """
        says = Stream(self._program.output, self._interactor.input, self._hear_program, lambda: self._tell(says))
        told = Stream(self._interactor.output, self._program.input, self._hear_interactor)
        program = asyncio.create_task(self._program.run())
        interactor = asyncio.create_task(self._interactor.run())
        watcher = asyncio.create_task(self._watch(says, told))
        try:
            await asyncio.sleep(0)
            started()
            first = await self._to_the_end(program, interactor, says, told)
            return self._interaction(first, program.result(), interactor.result())
        finally:
            says.close()
            told.close()
            tasks = [watcher, program, interactor, *([self._telling] if self._telling else [])]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _to_the_end(
        self, program: asyncio.Task[RunResult], interactor: asyncio.Task[RunResult], says: Stream, told: Stream
    ) -> Speaker:
        """Wait for both; returns whose end was first."""
        await asyncio.wait({program, interactor}, return_when=asyncio.FIRST_COMPLETED)
        if interactor.done():
            if self._goes_on(interactor.result()):
                told.finish()
            elif not program.done():
                self._program_ended = True
                self._program.slot.end()
            await program
            return Speaker.INTERACTOR
        if _ended_well(program.result()):
            self._tell(says)
            await interactor
            return Speaker.INTERACTOR if says.open else Speaker.PROGRAM
        if await self._decides(interactor, says):
            return Speaker.INTERACTOR
        self._interactor.slot.end()
        await interactor
        return Speaker.PROGRAM

    def _tell(self, says: Stream) -> None:
        """See to it that the interactor learns that the program says no more; once is enough."""
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell_when_it_waits(says))

    async def _tell_when_it_waits(self, says: Stream) -> None:
        """Pass on the end of file once the interactor waits for more, or can no longer be waited for."""
        loop = asyncio.get_running_loop()
        latest = loop.time() + _TOLD_SECONDS
        active, spent, pause = loop.time(), 0.0, _FIRST_LOOK_SECONDS
        while loop.time() < latest:
            now = look(self._interactor.slot.processes())
            if now.stance is Stance.ACTIVE or now.active_seconds > spent:
                active, spent = loop.time(), now.active_seconds
            asleep = loop.time() - active > _ASLEEP_SECONDS
            self._deserted = says.all_said and (now.stance is Stance.PIPE or (asleep and now.stance is Stance.UNKNOWN))
            if self._deserted or (says.all_said and asleep):
                break
            await asyncio.sleep(pause)
            pause = min(2 * pause, _DECIDE_LOOK_SECONDS)
        says.finish()

    async def _decides(self, interactor: asyncio.Task[RunResult], says: Stream) -> bool:
        """Whether the interactor comes to its end without learning that the program is gone."""
        says.withhold()
        if self._telling is not None:
            self._telling.cancel()
        loop = asyncio.get_running_loop()
        active = loop.time()
        spent = 0.0
        while not interactor.done():
            now = look(self._interactor.slot.processes())
            if now.stance is Stance.ACTIVE or now.active_seconds > spent:
                active, spent = loop.time(), now.active_seconds
            at_rest = says.all_said and now.stance is Stance.PIPE
            if at_rest or self._deadlock or loop.time() - active > _DECIDE_SECONDS:
                return False
            await asyncio.wait({interactor}, timeout=_DECIDE_LOOK_SECONDS)
        return True

    def _hear_program(self, data: bytes) -> None:
        self._transcript.add(Speaker.PROGRAM, data)
        self._output_left -= len(data)
        if self._output_left < 0 and not self._too_much:
            self._too_much = True
            self._program.slot.end()

    def _hear_interactor(self, data: bytes) -> None:
        self._transcript.add(Speaker.INTERACTOR, data)

    async def _watch(self, says: Stream, told: Stream) -> None:
        """End both sides once they wait for each other, and one that sleeps for too long."""
        loop = asyncio.get_running_loop()
        before: Moment | None = None
        idle = 0.0
        while not self._deadlock:
            await asyncio.sleep(_LOOK_SECONDS)
            now = Moment(
                at=loop.time(),
                moved=says.moved + told.moved,
                program=look(self._program.slot.processes()),
                interactor=look(self._interactor.slot.processes()),
            )
            if before is None or before.moved != now.moved or told.withheld:
                idle = 0.0
            elif says.withheld:  # it answers for its sleep all the same
                idle = 0.0
                seconds = now.at - before.at
                self._interactor.note(seconds, before.interactor, now.interactor, alone=not now.program.alive)
            else:
                seconds = now.at - before.at
                kind = _deadlock(before, now)
                idle = idle + seconds if kind is Stance.UNKNOWN else 0.0
                self._deadlock = kind is Stance.PIPE or idle >= _IDLE_SECONDS
                self._program.note(seconds, before.program, now.program, alone=not now.interactor.alive)
                self._interactor.note(seconds, before.interactor, now.interactor, alone=not now.program.alive)
            before = now
        self._program.slot.end()
        self._interactor.slot.end()

    def _interaction(self, first: Speaker, program: RunResult, interactor: RunResult) -> Interaction:
        if self._too_much:
            program = replace(program, exceeded=Exceeded.OUTPUT, reason="output limit exceeded")
        elif self._program.late:
            program = _late(program)
        if self._interactor.late:
            interactor = _late(interactor)
        return Interaction(
            program=program,
            interactor=interactor,
            first=first,
            program_ended=self._program_ended and not self._too_much and not self._program.late,
            deserted=self._deserted and not self._too_much,
            deadlock=self._deadlock,
            heard=self._most_output - self._output_left,
            transcript=self._transcript.render(),
            transcript_truncated=self._transcript.truncated,
        )


def _ended_well(run: RunResult) -> bool:
    return run.exit_code == 0 and run.reason is None


def _late(run: RunResult) -> RunResult:
    return replace(run, exceeded=Exceeded.TIME, reason="wall time limit exceeded")


def _deadlock(before: Moment, now: Moment) -> Stance:
    """What two looks with nothing said between them say: PIPE, a deadlock; UNKNOWN, perhaps one; otherwise none."""
    kinds = {side.stance for moment in (before, now) for side in (moment.program, moment.interactor)}
    pairs = ((before.program, now.program), (before.interactor, now.interactor))
    if any(later.active_seconds - earlier.active_seconds > _STILL_SECONDS for earlier, later in pairs):
        return Stance.ACTIVE
    for kind in (Stance.ACTIVE, Stance.TIME, Stance.UNKNOWN):
        if kind in kinds:
            return kind
    return Stance.PIPE
