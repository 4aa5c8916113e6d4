"""Two ways to a judge, seen as one: the library in this process, and a server in a process of its own."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import httpx2
from acceptance.judging import REFUSED, Item
from acceptance.serving import serving
from acceptance.v1_body import judge_body

from scalebox.assembly import open_judge
from scalebox.config import Settings
from scalebox.core.errors import RequestError
from scalebox.core.ports import Judge
from scalebox.core.submission import JudgeOptions

DEADLINE_SECONDS: Final = 120.0
VARIABLE: Final = "ADV_SECRET"
"""A variable of the service's own environment that no program may read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a client is told about an item."""

    verdict: str
    text: str
    """All of it, as it was said with the default options."""
    level: str = ""
    """Of the isolation that it says there was."""


class Surface(Protocol):
    """Somewhere to judge."""

    level: str
    hides_answers: bool
    """Whether whoever asks need not have the answers."""
    shares_uid: bool
    """Whether programs run as the service's own user, so that they are refused more."""

    async def judge(self, item: Item) -> Reply:
        """What is said about an item."""

    async def alive(self) -> bool:
        """Whether it still answers for its health."""

    def resident(self) -> int:
        """Bytes that the service's own process holds."""


class Library:
    """The library, in this process."""

    hides_answers = False
    shares_uid = False

    def __init__(self, judge: Judge, level: str) -> None:
        self._judge = judge
        self.level = level

    async def judge(self, item: Item) -> Reply:
        """What a judge says; a refusal is a reply too."""
        try:
            options = JudgeOptions(deadline_seconds=DEADLINE_SECONDS)
            judgement = await self._judge.judge(item.submission, item.problem, options)
        except RequestError as error:
            return Reply(verdict=REFUSED, text=str(error))
        return Reply(verdict=judgement.verdict.value, text=repr(judgement), level=judgement.isolation.level)

    async def alive(self) -> bool:
        """The library's health is that it judges, which the honest programs show."""
        return True

    def resident(self) -> int:
        """Of this process."""
        return _resident(os.getpid())


class Server:
    """A server and a client of it."""

    hides_answers = True

    def __init__(self, client: httpx2.AsyncClient, pid: int, level: str) -> None:
        self.shares_uid = level == "standard" and os.geteuid() != 0
        self._client = client
        self._pid = pid
        self.level = level

    async def judge(self, item: Item) -> Reply:
        """What the server says with the detail that clients get who ask for none."""
        body = judge_body(item.submission, item.problem) | {"deadline_s": DEADLINE_SECONDS}
        del body["detail"]
        reply = await self._client.post("/v1/judge", json=body)
        if 400 <= reply.status_code < 500:
            return Reply(verdict=REFUSED, text=reply.text)
        reply.raise_for_status()
        told = reply.json()
        return Reply(verdict=told["verdict"], text=reply.text, level=told["isolation"]["level"])

    async def alive(self) -> bool:
        """What it says of its health."""
        return (await self._client.get("/healthz")).status_code == httpx2.codes.OK

    def resident(self) -> int:
        """Of the server's process."""
        return _resident(self._pid)


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextlib.asynccontextmanager
async def open_library(
    settings: Mapping[str, object], secrets: Sequence[str], level: str
) -> AsyncGenerator[Surface, None]:
    """A judge in this process that is to have a level, the environment with the secrets in it."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = "\n".join(secrets)
    try:
        async with open_judge(Settings(**settings)) as judge:  # type: ignore[arg-type]  # pydantic looks at them
            yield Library(judge, level)
    finally:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before


@contextlib.asynccontextmanager
async def open_server(
    settings: Mapping[str, object], secrets: Sequence[str], level: str, launcher: Sequence[str] = ()
) -> AsyncGenerator[Surface, None]:
    """``scalebox serve`` on a free port, its environment with the secrets, started by a launcher if there is one."""
    environment = {f"SCALEBOX_{name.upper()}": str(value) for name, value in settings.items()}
    async with (
        serving({**environment, VARIABLE: "\n".join(secrets)}, launcher) as server,
        httpx2.AsyncClient(base_url=server.url, timeout=600) as client,
    ):
        yield Server(client, server.pid, level)
