"""ScaleBox as a library for code that is not asynchronous. Works in any thread, also while an event loop is running.

    from scalebox import Problem, ScaleBox, StdioCase, Submission

    with ScaleBox() as box:
        judgement = box.judge(Submission(source="print(int(input()) + 1)", language="python"), problem)

Asynchronous code uses `open_judge` directly. Theory of operation: one background thread runs an event loop with a
judge in it; every method hands a coroutine over and waits. Nothing here is shared with a forked child.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Self, TypeVar

from scalebox.assembly import open_judge
from scalebox.config import Settings, load_settings
from scalebox.core.errors import ScaleBoxError
from scalebox.core.problem import Problem
from scalebox.core.result import Health, Judgement, LanguageStatus, RunReport
from scalebox.core.submission import Completion, JudgeOptions, RunSpec, Submission

if TYPE_CHECKING:
    from types import TracebackType

    from scalebox.judge.local import LocalJudge

T = TypeVar("T")

_WINDOW_PER_SLOT = 4
"""Submissions handed to the judge ahead of their turn by ``judge_many``, for each slot."""


class NotOpen(ScaleBoxError):
    """The box is not open in this process: use it inside ``with``, and open a new one after a fork."""


class ScaleBox:
    """A judge on this machine, for synchronous code.

    Args:
        settings: or None to read ``SCALEBOX_*`` variables and the file they name.
        overrides: single settings by name (``slots=4``, ``isolation="strict"``), stronger than the rest.
    """

    def __init__(self, settings: Settings | None = None, **overrides: object) -> None:
        if settings is not None and overrides:
            settings = Settings.model_validate({**settings.model_dump(), **overrides})
        self._settings = settings or load_settings(overrides)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._judge: LocalJudge | None = None
        self._closing: asyncio.Event | None = None
        self._pid = -1

    def __enter__(self) -> Self:
        ready: Future[LocalJudge] = Future()
        self._thread = threading.Thread(target=self._serve, args=(ready,), name="scalebox", daemon=True)
        self._thread.start()
        self._judge = ready.result()
        self._pid = os.getpid()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the slots; idempotent."""
        if self._loop is None or self._thread is None or self._pid != os.getpid():
            return
        if self._closing is not None:
            self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()
        self._loop = self._judge = self._thread = None

    def judge(
        self, submission: Submission | Completion, problem: Problem, options: JudgeOptions | None = None
    ) -> Judgement:
        """Judge one submission and wait for it.

        Raises:
            RequestError, LanguageUnavailable, QueueFull: as `scalebox.core.ports.Judge.judge`.
            NotOpen: outside of ``with``, or in a forked child.
        """
        return self._wait(self._open().judge(submission, problem, options or JudgeOptions()))

    def judge_many(
        self, submissions: Iterable[tuple[Submission | Completion, Problem]], options: JudgeOptions | None = None
    ) -> Iterator[Judgement]:
        """Judge many at once, as many as there are slots; judgements come in the order of the submissions.

        The iterable is read only a little ahead, so it may be endless.
        """
        judge = self._open()
        window = _WINDOW_PER_SLOT * (self._wait(judge.health()).slots)
        waiting: list[Future[Judgement]] = []
        try:
            for submission, problem in submissions:
                waiting.append(self._hand_over(judge.judge(submission, problem, options or JudgeOptions())))
                if len(waiting) >= window:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()

    def run(self, submission: Submission | Completion, spec: RunSpec | None = None) -> RunReport:
        """Run a program once, without an opinion on right or wrong.

        Raises:
            RequestError, LanguageUnavailable, QueueFull, DeadlineExceeded: as `scalebox.core.ports.Judge.run`.
        """
        return self._wait(self._open().run(submission, spec or RunSpec()))

    def languages(self) -> Sequence[LanguageStatus]:
        """Every language, available or not."""
        return self._wait(self._open().languages())

    def health(self) -> Health:
        """What can be done right now, and behind which walls."""
        return self._wait(self._open().health())

    def _open(self) -> LocalJudge:
        if self._judge is None or self._pid != os.getpid():
            msg = "this ScaleBox is not open here; use it inside 'with', and open a new one after a fork"
            raise NotOpen(msg)
        return self._judge

    def _hand_over(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        assert self._loop is not None  # noqa: S101 - `_open` came first
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        future = self._hand_over(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _serve(self, ready: Future[LocalJudge]) -> None:
        """The background thread: a loop, a judge in it, until closed."""
        try:
            asyncio.run(self._hold_open(ready))
        except BaseException as error:  # noqa: BLE001 - whatever it was belongs to the thread that opens
            if not ready.done():
                ready.set_exception(error)

    async def _hold_open(self, ready: Future[LocalJudge]) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        async with open_judge(self._settings) as judge:
            ready.set_result(judge)
            await self._closing.wait()
