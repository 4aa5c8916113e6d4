"""A database by URL, as transactions. Every failure of it is a `RegistryError` in words; of a URL only kind, host and name are shown.

Theory of operation: writers take their lock when they begin, so that what they read still holds when they write. On SQLite that is
``BEGIN IMMEDIATE``, one writer at a time, others waiting for it (``busy_timeout``) while readers go on (write-ahead log); on PostgreSQL
it is the row of the problem, locked by `store`. A commit is on the disk before it returns (``synchronous=FULL``). A writer
that is killed before leaves nothing.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Generator
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from scalebox.core.errors import ScaleBoxError
from scalebox.registry import schema

_WAIT_MILLISECONDS: Final = 30_000
_WRITES: Final = "scalebox_writes"
_DRIVERS: Final = {
    "sqlite": "sqlite+pysqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}
_POSTGRES_PATIENCE: Final = {"connect_timeout": 10, "tcp_user_timeout": _WAIT_MILLISECONDS}
"""Seconds to connect, and milliseconds until a server that no longer answers is given up."""
_VERSION: Final = select(schema.facts.c.value).where(schema.facts.c.name == "schema")
_POSTGRES_LOCK: Final = 0x5CA1EB0C
"""Of the advisory lock under which tables are made."""


class RegistryError(ScaleBoxError):
    """The registry cannot be opened, read or written; nothing of what was asked is half done."""


class Database:
    """Transactions on one database. Used by any number of threads.

    Args:
        url: ``sqlite:///FILE``, a path, or ``postgresql://USER@HOST/NAME``.

    Raises:
        RegistryError: it cannot be opened, or holds something else.
    """

    def __init__(self, url: str) -> None:
        self.url = parsed(url)
        self.shown = shown(self.url)
        with self._told():
            self._engine = _engine(self.url)
        try:
            self._make_tables()
        except RegistryError:
            self._engine.dispose()
            raise

    def close(self) -> None:
        """Close what is open."""
        self._engine.dispose()

    @property
    def is_postgres(self) -> bool:
        """Whether rows can be locked one by one."""
        return self._engine.dialect.name == "postgresql"

    @contextlib.contextmanager
    def read(self) -> Generator[Connection, None, None]:
        """Read what was committed.

        Raises:
            RegistryError: the database failed.
        """
        with self._told(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def write(self) -> Generator[Connection, None, None]:
        """Write all of it, or nothing where an exception leaves the block.

        Raises:
            RegistryError: the database failed.
        """
        with self._told(), self._engine.connect() as plain:
            connection = plain.execution_options(**{_WRITES: True})
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def _told(self) -> Generator[None, None, None]:
        """Name the database and its fault, instead of a library's error."""
        try:
            yield
        except ModuleNotFoundError as error:
            words = "install its driver: pip install 'scalebox[postgres]'"
            raise RegistryError(f"the registry {self.shown}: {error.name} is missing; {words}") from None
        except SQLAlchemyError as error:
            said = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
            line = " ".join(str(said).split())
            raise RegistryError(f"the registry {self.shown}: {line}") from error

    def _make_tables(self) -> None:
        """Make the tables where there are none; many may do so at once.

        Raises:
            RegistryError: they are another version's.
        """
        found = self._version()
        if found is None:
            found = self._made()
        if found != schema.VERSION:
            words = f"its tables are of version {found}, this ScaleBox knows {schema.VERSION}"
            raise RegistryError(f"the registry {self.shown}: {words}; export it with the version that made it")

    def _version(self) -> int | None:
        """The version of the tables; None where there are none."""
        with self._told(), self._engine.connect() as connection:
            if not inspect(connection).has_table(schema.facts.name):
                return None
            return connection.scalar(_VERSION)

    def _made(self) -> int | None:
        """Make the tables, unless another did meanwhile; the version that there is."""
        with self.write() as connection:
            if self.is_postgres:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_POSTGRES_LOCK})")
            schema.metadata.create_all(connection)
            first = [{"name": "schema", "value": schema.VERSION}, {"name": "revision", "value": 0}]
            insert = postgresql.insert if self.is_postgres else sqlite.insert
            connection.execute(insert(schema.facts).on_conflict_do_nothing(), first)
            return connection.scalar(_VERSION)


def parsed(url: str) -> URL:
    """A registry's URL, with the driver that is used; a path stands for a SQLite file.

    Raises:
        RegistryError: it is none.
    """
    if "://" not in url:
        return URL.create("sqlite+pysqlite", database=url)
    hint = "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
    try:
        made = make_url(url)
    except ArgumentError:
        raise RegistryError(f"this is no URL of a registry; {hint}") from None  # it may hold a password
    driver = _DRIVERS.get(made.drivername.partition("+")[0])
    if driver is None:
        raise RegistryError(f"{made.drivername} is no kind of registry; {hint}")
    if driver.startswith("sqlite") and made.database in {None, "", ":memory:"}:
        raise RegistryError("a registry in SQLite is a file: sqlite:///FILE")
    return made.set(drivername=driver)


def shown(url: URL) -> str:
    """What may be seen of a URL: its kind, host, port and database. User and parameters may hold a password."""
    host = url.host if url.port is None else f"{url.host}:{url.port}"
    return f"{url.get_backend_name()}://{host or ''}/{url.database or ''}"


def _engine(url: URL) -> Engine:
    try:
        if url.drivername.startswith("sqlite"):
            _make_private(Path(str(url.database)))
            engine = create_engine(url, connect_args={"timeout": _WAIT_MILLISECONDS / 1000})
            event.listen(engine, "connect", _on_sqlite_connect)
            event.listen(engine, "begin", _on_sqlite_begin)
            return engine
        engine = create_engine(url, pool_pre_ping=True, connect_args=_POSTGRES_PATIENCE)
        event.listen(engine, "connect", _on_postgres_connect)
        return engine
    except NoSuchModuleError as error:
        raise RegistryError(str(error)) from None


def _make_private(path: Path) -> None:
    """Make the file ours alone before SQLite opens it: evidence may quote answers.

    Raises:
        RegistryError: it cannot be made.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise RegistryError(f"the registry {path}: {error.strerror}") from None


def _on_sqlite_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions begin where `_on_sqlite_begin` says
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_WAIT_MILLISECONDS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _on_postgres_connect(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """No statement waits longer for a lock than a writer of SQLite does."""
    cursor = connection.cursor()
    cursor.execute(f"SET statement_timeout = {_WAIT_MILLISECONDS}")
    cursor.close()
    connection.commit()


def _on_sqlite_begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
