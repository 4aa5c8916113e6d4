"""The process that holds a server's port and keeps its cells alive. Judges nothing, reads no request.

Theory of operation: each cell is a process of its own, tied to the supervisor by one private socket. The supervisor takes every
connection and passes its descriptor to a cell over that socket; a cell that is asked to end therefore knows, by the order
of packets, that no connection comes after. When the first cells are all up, the port is opened. A cell that ends by itself is started
again after a pause that doubles; the others go on. So is one whose event loop no longer turns, after it was killed. When the socket ends the supervisor is gone, and the cell ends at once.
On a signal: the port is closed, every cell is told to finish, and the supervisor leaves after the last.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scalebox.cells.board import Board
from scalebox.cells.dispatch import Dispatcher, Load, choose
from scalebox.cells.messages import Say, packet, receive
from scalebox.cells.pulse import BEAT_SECONDS, Pulse
from scalebox.cells.split import CellPlan
from scalebox.core.errors import ScaleBoxError
from scalebox.sandbox import references
from scalebox.telemetry.logs import get_logger

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
SHORTEST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 30.0
SOUND_SECONDS: Final = 60.0
"""A cell that was up for so long may fail again without a longer pause."""
_START_SECONDS: Final = 120.0
_LEAVE_SECONDS: Final = 30.0
"""How long past the drain a cell may take to close its slots."""


class CellFailed(ScaleBoxError):
    """A cell could not be started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How cells are started.

    A process is ``command`` and three numbers: the descriptor of its control socket, its own number, and how many cells
    there are. The first packet brings it the rest.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    settings: Callable[[CellPlan], bytes]
    drain_seconds: float
    silence_seconds: int
    """How long a cell's event loop may stand still."""


class Cell:
    """One cell, through all its lives."""

    def __init__(self, plan: CellPlan) -> None:
        self.plan = plan
        self.control: socket.socket | None = None
        self.process: asyncio.subprocess.Process | None = None
        self.up = False
        self.given = 0
        """Connections of this life."""
        self.given_at = 0
        self.came_up: asyncio.Future[None] | None = None

    @property
    def starting(self) -> bool:
        """Whether it has not come up yet."""
        return self.came_up is not None and not self.came_up.done()

    def send(self, data: bytes, fds: Sequence[int] = ()) -> bool:
        """Send a packet; False where the cell is gone, or has not read so many that no more fit."""
        if self.control is None:
            return False
        try:
            references.send(self.control, data, fds)
        except OSError:
            return False
        return True


class Supervisor:
    """Keeps the cells.

    Args:
        plans: one for each cell.
        launch: how they are started.
        listeners: bound sockets.
    """

    def __init__(self, plans: Sequence[CellPlan], launch: Launch, listeners: Sequence[socket.socket]) -> None:
        self._cells = [Cell(plan) for plan in plans]
        self._launch = launch
        self._dispatcher = Dispatcher(listeners, self._give)
        self._board_fd = Board.make(len(plans))
        self._board = Board(self._board_fd, len(plans))
        self._given = 0
        self._ending = asyncio.Event()
        self._log = get_logger("cells")

    async def run(self, on_open: Callable[[], None]) -> None:
        """Serve until a signal.

        Args:
            on_open: called when the port has been opened.

        Raises:
            CellFailed: a cell could not be started at the first attempt.
            OSError: the port was taken meanwhile.
        """
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self.end)
        try:
            await self._first_lives()
            if not self._ending.is_set():
                self._dispatcher.open()
                on_open()
            async with asyncio.TaskGroup() as group:
                for cell in self._cells:
                    group.create_task(self._keep(cell))
        finally:
            self._dispatcher.close()
            await asyncio.gather(*(self._kill(cell) for cell in self._cells))
            for number in SIGNALS:
                loop.remove_signal_handler(number)
            self._board.close()
            os.close(self._board_fd)

    def end(self) -> None:
        """Begin to end; a second time, end at once."""
        if self._ending.is_set():
            for cell in self._cells:
                if cell.starting and cell.process is not None and cell.process.returncode is None:
                    cell.process.kill()
                cell.send(packet(Say.END))
            return
        self._ending.set()
        self._dispatcher.close()
        for cell in self._cells:
            cell.send(packet(Say.DRAIN, 1))

    async def _first_lives(self) -> None:
        """Start every cell.

        Raises:
            CellFailed: the first one that could not be started.
        """
        try:
            async with asyncio.TaskGroup() as group:
                for cell in self._cells:
                    group.create_task(self._start(cell))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures

    async def _keep(self, cell: Cell) -> None:
        """See a started cell to its end, and start it again, until the server ends."""
        pause = SHORTEST_PAUSE_SECONDS
        while True:
            began = asyncio.get_running_loop().time()
            why = await self._until_its_end(cell)
            if self._ending.is_set():
                return
            if asyncio.get_running_loop().time() - began > SOUND_SECONDS:
                pause = SHORTEST_PAUSE_SECONDS
            while not self._ending.is_set():
                self._log.warning("a cell ended; it is started again", cell=cell.plan.number, why=why, pause_s=pause)
                if await self._pause(pause):
                    return
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
                try:
                    await self._start(cell)
                except (CellFailed, OSError) as error:
                    why = str(error)
                    continue
                break

    async def _pause(self, seconds: float) -> bool:
        """Wait; True where the server ends meanwhile."""
        try:
            async with asyncio.timeout(seconds):
                return await self._ending.wait()
        except TimeoutError:
            return False

    async def _start(self, cell: Cell) -> None:
        """Give a cell a life and wait until it takes work.

        Raises:
            CellFailed: it ended first, or took too long.
            OSError: no process could be started.
        """
        number = cell.plan.number
        self._board.set_ended(number, 0)
        cell.given = 0
        cell.came_up = asyncio.get_running_loop().create_future()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        cell.control = ours
        ours.setblocking(False)
        with theirs:
            command = [*self._launch.command, str(theirs.fileno()), str(number), str(len(self._cells))]
            cell.process = await asyncio.create_subprocess_exec(
                *command, pass_fds=(theirs.fileno(),), env=self._launch.environment, stdin=asyncio.subprocess.DEVNULL
            )
        self._tell_settings(cell)
        asyncio.get_running_loop().add_reader(ours.fileno(), self._on_packet, cell)
        ended = asyncio.create_task(_wait(cell.process))
        waits: set[asyncio.Future[None]] = {cell.came_up, ended}
        try:
            await asyncio.wait(waits, timeout=_START_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not cell.came_up.done():
                self._on_packet(cell)  # its last words may have come at the moment of its end
            if not cell.came_up.done():
                raise CellFailed(
                    _ending_of(number, cell.process) if ended.done() else f"cell {number} did not start in time"
                )
            cell.came_up.result()
        except BaseException:
            await self._kill(cell)
            raise
        finally:
            ended.cancel()

    def _tell_settings(self, cell: Cell) -> None:
        fd = os.memfd_create("scalebox-settings")
        try:
            os.write(fd, self._launch.settings(cell.plan))
            cell.send(packet(Say.SETTINGS), [fd, self._board_fd])
        finally:
            os.close(fd)

    async def _until_its_end(self, cell: Cell) -> str:
        """Wait for a cell's end and say how it ended. One that does not leave when it was told to is killed."""
        if cell.process is None:
            msg = "the cell was never started"
            raise RuntimeError(msg)
        waiting = asyncio.create_task(cell.process.wait())
        ending = asyncio.create_task(self._ending.wait())
        stuck = asyncio.create_task(self._until_stuck(cell))
        await asyncio.wait({waiting, ending, stuck}, return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if not waiting.done() and not stuck.done():
            await asyncio.wait({waiting}, timeout=self._launch.drain_seconds + _LEAVE_SECONDS)
        why = _ending_of(cell.plan.number, cell.process)
        if stuck.done() and not waiting.done():
            why = f"cell {cell.plan.number} did nothing for {self._launch.silence_seconds} s"
        waiting.cancel()
        stuck.cancel()
        await self._kill(cell)
        return why

    async def _until_stuck(self, cell: Cell) -> None:
        """Wait until a cell's event loop has stood still for too long."""
        pulse = Pulse(round(self._launch.silence_seconds / BEAT_SECONDS))
        while not pulse.is_stuck(self._board.beats(cell.plan.number)):  # ruff: ignore[async-busy-wait] - who is stuck cannot tell
            await asyncio.sleep(BEAT_SECONDS)

    async def _kill(self, cell: Cell) -> None:
        """End what is left of a life; idempotent."""
        self._set_up(cell, False)
        if cell.control is not None:
            asyncio.get_running_loop().remove_reader(cell.control.fileno())
            cell.control.close()
            cell.control = None
        if cell.process is not None:
            if cell.process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    cell.process.kill()
            await cell.process.wait()

    def _set_up(self, cell: Cell, up: bool) -> None:
        cell.up = up
        self._board.set_up(cell.plan.number, up)

    def _on_packet(self, cell: Cell) -> None:
        if cell.control is None:
            return
        try:
            said = receive(cell.control)
        except BlockingIOError:
            return
        if said is None:  # it is gone, or will be: its end is waited for elsewhere
            asyncio.get_running_loop().remove_reader(cell.control.fileno())
            self._set_up(cell, False)
            return
        say, number, text, _ = said
        match say:
            case Say.READY:
                self._came_up(cell)
            case Say.FAILED:
                if cell.came_up is not None and cell.starting:
                    cell.came_up.set_exception(CellFailed(text))
            case Say.LEAVING:
                self._set_up(cell, False)
                cell.send(packet(Say.DRAIN, int(self._ending.is_set())))
            case Say.LINK:
                self._link(cell, number)
            case _:
                self._log.error("a cell said what only its supervisor says", cell=cell.plan.number, said=say.name)

    def _came_up(self, cell: Cell) -> None:
        if cell.came_up is None or not cell.starting:
            return
        self._set_up(cell, not self._ending.is_set())
        cell.came_up.set_result(None)
        pid = None if cell.process is None else cell.process.pid
        plan = cell.plan
        self._log.info("a cell is up", cell=plan.number, pid=pid, slots=plan.slots, cpus=list(plan.cpus))

    def _link(self, asking: Cell, number: int) -> None:
        """Give two cells the ends of a stream between them."""
        other = self._cells[number] if number < len(self._cells) else asking
        if other is asking or not other.up:
            asking.send(packet(Say.NO_LINK, number))
            return
        one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with one, two:
            sent = other.send(packet(Say.LINK, asking.plan.number), [two.fileno()])
            if not sent or not asking.send(packet(Say.LINK, number), [one.fileno()]):
                asking.send(packet(Say.NO_LINK, number))

    def _give(self, connection: socket.socket) -> bool:
        """Pass a connection to the cell that has the fewest; to another where that one does not read."""
        candidates = [cell for cell in self._cells if cell.up]
        while candidates:
            number = choose([self._load(cell) for cell in candidates])
            cell = self._cells[number]
            if cell.send(packet(Say.CONNECTION), [connection.fileno()]):
                self._given += 1
                cell.given += 1
                cell.given_at = self._given
                return True
            candidates.remove(cell)
        return False

    def _load(self, cell: Cell) -> Load:
        open_now = cell.given - self._board.ended(cell.plan.number)
        return Load(cell=cell.plan.number, connections=open_now, slots=cell.plan.slots, given_at=cell.given_at)


async def _wait(process: asyncio.subprocess.Process) -> None:
    await process.wait()


def _ending_of(number: int, process: asyncio.subprocess.Process) -> str:
    status = process.returncode
    if status is None:
        return f"cell {number} did not leave in time"
    if status < 0:
        return f"cell {number} was ended by {signal.Signals(-status).name}"
    return f"cell {number} ended with status {status}"
