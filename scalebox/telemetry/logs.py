"""Structured logs on standard error. Never holds a program, its output or an answer unless the operator asks for it."""

from __future__ import annotations

import logging
import sys
from typing import Final, Literal, TextIO

import structlog

LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def configure(
    level: Literal["debug", "info", "warning", "error"] = "info",
    style: Literal["auto", "json", "console"] = "auto",
    stream: TextIO | None = None,
    cell: int | None = None,
) -> None:
    """Send our records, and those of the standard ``logging``, to one stream.

    Args:
        level: the least level that is shown.
        style: ``auto`` is text on a terminal and JSON elsewhere.
        stream: default standard error.
        cell: put on every record; the number of this process among the cells of a server.
    """
    out = sys.stderr if stream is None else stream
    pretty = style == "console" or (style == "auto" and out.isatty())
    renderer: structlog.typing.Processor = structlog.processors.JSONRenderer()
    if pretty:
        renderer = structlog.dev.ConsoleRenderer(colors=out.isatty())
    shared: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if cell is not None:
        shared.append(_cell_stamp(cell))
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(out),  # one write a record: several cells write to one pipe
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(max(LEVELS[level], logging.INFO))


def _cell_stamp(cell: int) -> structlog.typing.Processor:
    def stamp(
        _logger: structlog.typing.WrappedLogger, _method: str, record: structlog.typing.EventDict
    ) -> structlog.typing.EventDict:
        record["cell"] = cell
        return record

    return stamp


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """A logger whose records carry ``component=name``."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(component=name)
    return logger
