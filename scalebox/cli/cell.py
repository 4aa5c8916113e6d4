"""One cell of `scalebox serve --cells`: a server with its own slots, whose connections are handed to it. Started by the supervisor only."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any, Final

import uvicorn
import uvloop
from fastapi import FastAPI

from scalebox.api.app import create_app
from scalebox.assembly import open_judge
from scalebox.cells.member import Calls, Deserted, Member
from scalebox.cli.serve import (
    SIGNALS,
    DrainingServer,
    announce,
    judges_of,
    keeping_order,
    kept_problems,
    server_config,
    warming,
)
from scalebox.cli.shared import EXIT_CANNOT, EXIT_INTERRUPTED, describe
from scalebox.config import Settings
from scalebox.core.errors import ScaleBoxError
from scalebox.telemetry import logs

_READ_SECONDS: Final = 0.1
"""How long a connection that came last may take to have its first request read, before idle ones are closed."""


class CellServer(DrainingServer):
    """A server that does not listen: it is handed its connections.

    Args:
        config: with the application in it.
        app: its ``state.service`` is told.
        member: hands them on, and is told of their ends.
    """

    def __init__(self, config: uvicorn.Config, app: FastAPI, member: Member) -> None:
        super().__init__(config, app)
        self._member = member
        self._protocol: type[Any] = asyncio.Protocol
        self._connecting: set[asyncio.Task[None]] = set()
        self._finishing: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and take connections from then on."""
        await super().startup(sockets=sockets)
        calls = Calls(
            connect=lambda connection: self._begin(self._connect(connection), self._connecting),
            drain=lambda whole: self._begin(self._finish(whole), self._finishing),
            end=self.end,
            answer=self._app.state.service.answer,
        )
        self._protocol = _counted(self.config.http_protocol_class, self._member)
        self._member.join(calls)

    def end(self) -> None:
        """End without waiting for what runs."""
        self.config.timeout_graceful_shutdown = 0
        self.force_exit = self.should_exit  # where it waits already
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Ask the supervisor to be let go on SIGTERM. SIGINT goes to all processes of a terminal, and is the supervisor's."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, _nothing)  # not ignored: slots that are started later would inherit that
        loop.add_signal_handler(signal.SIGTERM, self._member.leave)
        try:
            yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)

    def _begin(self, work: Coroutine[object, object, None], tasks: set[asyncio.Task[None]]) -> None:
        task = asyncio.create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def _connect(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(self._new_protocol, connection)
        except OSError:  # it was closed on the way
            connection.close()
            self._member.connection_ended()

    def _new_protocol(self) -> asyncio.Protocol:
        state = self.server_state
        made: asyncio.Protocol = self._protocol(config=self.config, server_state=state, app_state=self.lifespan.state)
        return made

    async def _finish(self, whole: bool) -> None:
        """Drain, once those connections are read that came before the word to do so, and the other cells are answered."""
        if whole:
            self._app.state.service.draining = True
        await asyncio.gather(*self._connecting)
        await asyncio.sleep(_READ_SECONDS)
        for connection in list(self.server_state.connections):
            connection.shutdown()  # after the reply to what it asks now
        await self._member.neighbours.until_answered(self.config.timeout_graceful_shutdown or 0)
        self.handle_exit(signal.SIGTERM, None)


def _nothing() -> None:
    pass


def _counted(protocol: type[Any], member: Member) -> type[Any]:
    """An HTTP protocol whose connections' ends are counted."""

    class Counted(protocol):  # type: ignore[misc]  # uvicorn chooses it at run time
        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            member.connection_ended()

    return Counted


async def serve_cell(settings: Settings, member: Member) -> None:
    """Serve what the supervisor hands over, until it says so or is gone.

    Raises:
        ScaleBoxError: the judge cannot be opened.
    """
    async with open_judge(settings) as judge:
        app = create_app(
            judge,
            settings,
            await kept_problems(judge, settings, "nowhere; cells share them by disk alone"),
            member.neighbours,
            await judges_of(judge, settings),
        )
        await announce(judge, settings)
        async with warming(judge), keeping_order(judge, settings):
            try:
                await CellServer(server_config(app, settings), app, member).serve(sockets=[])
            finally:
                await member.close()


def main(arguments: list[str]) -> int:
    """Run one cell.

    Args:
        arguments: the descriptor of the control socket, the cell's number, how many cells there are.

    Returns:
        The exit status.
    """
    try:
        fd, number, count = (int(argument) for argument in arguments)
        member = Member(socket.socket(fileno=fd), number, count)
    except (ValueError, OSError, Deserted):
        print("scalebox: a cell is started by `scalebox serve --cells N`", file=sys.stderr)
        return EXIT_CANNOT
    document = json.loads(member.settings)
    os.sched_setaffinity(0, document["cpus"])
    settings = Settings(**document["settings"])
    logs.configure(settings.log_level, settings.log_format, cell=number)
    try:
        uvloop.run(serve_cell(settings, member))
    except ScaleBoxError as error:
        member.fail(describe(error))
        return EXIT_CANNOT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
