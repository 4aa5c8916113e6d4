"""What all tests share: an engine on this machine, and the rule that a wall that is to be had is never skipped."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Final

import hypothesis
import pytest
import pytest_asyncio
import structlog

from scalebox.assembly import Engine, open_engine
from scalebox.config import Settings, program_python
from scalebox.core.errors import IsolationUnavailable
from scalebox.core.limits import Limits
from scalebox.core.result import CompileResult
from scalebox.runner.runner import Input

REQUIRE_WALLS: Final = "SCALEBOX_REQUIRE_WALLS"
"""Set by CI where the kernel grants every wall: a test marked ``sandbox`` that skips is then a failure."""
TOOLCHAIN: Final = "Skipped: toolchain: "
"""How a skip begins that has another reason: a language whose tools are not on this machine."""

hypothesis.settings.register_profile("untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("untimed")  # no test fails because the machine is slow


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip for want of a wall into a failure where walls are to be had."""
    report = yield
    wanted = os.environ.get(REQUIRE_WALLS) == "1" and item.get_closest_marker("sandbox") is not None
    if wanted and report.skipped and not hasattr(report, "wasxfail") and TOOLCHAIN not in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"skipped although {REQUIRE_WALLS}=1: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Leave logging as it was: commands and servers that a test runs in this process configure it, for streams that end with the test."""
    ours, theirs = structlog.get_config(), {logger: _state(logger) for logger in _loggers()}
    done = yield
    structlog.configure(**ours)
    for logger in _loggers():
        logger.handlers, level, logger.propagate = theirs.get(logger, ([], logging.NOTSET, True))
        if level != logger.level:
            logger.setLevel(level)
    return done


def _loggers() -> list[logging.Logger]:
    named = list(logging.root.manager.loggerDict.values())
    return [logging.root, *(logger for logger in named if isinstance(logger, logging.Logger))]


def _state(logger: logging.Logger) -> tuple[list[logging.Handler], int, bool]:
    return logger.handlers[:], logger.level, logger.propagate


def pytest_configure() -> None:
    """Have signals as in a terminal: a shell's background jobs ignore these two, and so would all that tests start.

    And let no server learn from an earlier test.
    """
    os.environ.setdefault("SCALEBOX_KEEP_ORDER", "0")
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGQUIT) == signal.SIG_IGN:
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)


@pytest.fixture(scope="session")
def settings() -> Settings:
    """Settings of a test machine: two slots, the strongest isolation."""
    return Settings(slots=2)


@pytest.fixture(scope="session")
def programs_python(settings: Settings) -> str:
    """The interpreter that runs Python programs."""
    return str(program_python(settings))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def engine(settings: Settings) -> AsyncIterator[Engine]:
    """Slots and a runner, at the strongest level this machine grants."""
    try:
        async with open_engine(settings) as opened:
            yield opened
    except IsolationUnavailable as error:
        pytest.skip(str(error))


@dataclass(frozen=True, slots=True, kw_only=True)
class ZygoteRun:
    """One run of a Python program in the zygote, as seen from outside."""

    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int | None = None
    signal: int | None = None
    compile_error: str | None = None


@pytest.fixture
def zygote_run(engine: Engine) -> Callable[[bytes, bytes], Awaitable[ZygoteRun]]:
    """Run Python source with an input; both are bytes."""
    language = engine.catalogue.get("python")
    assert language is not None

    async def run(source: bytes, stdin: bytes) -> ZygoteRun:
        async with engine.pool.lease() as pair:
            program = await engine.runner.compile(pair, language, source, Limits())
            if isinstance(program, CompileResult):
                return ZygoteRun(compile_error=program.message)
            result = await engine.runner.run(pair, program, Input(stdin=stdin), Limits())
        return ZygoteRun(stdout=result.stdout, stderr=result.stderr, exit_code=result.exit_code, signal=result.signal)

    return run
