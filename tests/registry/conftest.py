"""The registry on both kinds of database: a SQLite file, and a PostgreSQL server of our own, started from the distribution's package."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest

from scalebox.registry.store import Registry

_NUMBERS = count()


def _programs() -> Path | None:
    """Where ``initdb`` and ``postgres`` are; None where the package is not installed."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found = shutil.which("postgres")
    places += [] if found is None else [Path(found).parent]
    return next((place for place in places if (place / "initdb").is_file()), None)


def _user() -> str | None:
    """Who runs the server, which refuses to run as root; None where there is nobody."""
    if os.geteuid() != 0:
        return getpass.getuser()
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else None


@contextmanager
def running_postgres() -> Generator[str, None, None]:
    """The URL of a server that lives as long as the block, reached over a socket in its own folder."""
    programs, user = _programs(), _user()
    if programs is None or user is None:
        pytest.skip("PostgreSQL is not installed here (apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="scalebox-pg-"))
    runs_as = [] if os.geteuid() != 0 else ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    try:
        if runs_as:
            shutil.chown(folder, user, user)
        quick = ["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", f"--username={user}"]
        subprocess.run(
            [*runs_as, programs / "initdb", *quick, "-D", folder / "data"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd="/",
        )
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off"]
        command = [*runs_as, str(programs / "postgres"), "-D", str(folder / "data"), *options]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd="/") as server:
            assert server.stderr is not None
            for line in server.stderr:
                if "ready to accept connections" in line:
                    break
            else:
                pytest.fail("the server ended at once")
            try:
                yield f"postgresql://{user}@/postgres?host={quote(str(folder), safe='')}"
            finally:
                server.send_signal(signal.SIGINT)  # a fast shutdown
                server.communicate()
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server."""
    with running_postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty registry."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'judges.db'}"
    server: str = request.getfixturevalue("postgres")
    return in_schema(server, f"registry_{next(_NUMBERS)}")


def in_schema(server: str, name: str) -> str:
    """The URL of a new, empty schema of a server."""
    import psycopg  # where the server is, so is its driver

    with psycopg.connect(server) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{server}&options={quote(f'-csearch_path={name}', safe='')}"


@pytest.fixture
def registry(url: str) -> Iterator[Registry]:
    """An empty registry, on either kind of database."""
    opened = Registry(url)
    yield opened
    opened.close()


@pytest.fixture
def in_file(tmp_path: Path) -> Iterator[Registry]:
    """An empty registry in a file, where the kind of database makes no difference."""
    opened = Registry(str(tmp_path / "judges.db"))
    yield opened
    opened.close()
