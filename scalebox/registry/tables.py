"""Files of rows, JSON lines (plain or gzipped) or Parquet, read and written in the form in which they came. Looks into no row.

A Parquet file keeps its columns and their types; only those are written anew in which a row was changed. It needs pyarrow, which is
an extra of its own.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from pydantic_core import to_json

from scalebox.core.errors import RequestError, ScaleBoxError
from scalebox.rows.fields import Tree, parse_line
from scalebox.rows.read import read_lines

_PARQUET: Final = b"PAR1"

Change = Callable[[int, Tree], Tree]
"""Number of the row, from 1, and the row -> the row to write; the very same object where nothing is changed."""


def rewrite(source: Path, target: Path, change: Change) -> int:
    """Write a file of rows anew; how many they are.

    Args:
        source: the file.
        target: is written; it has the form of the source, gzipped where its name ends so.
        change: of each row.

    Raises:
        ScaleBoxError: the source cannot be read, or pyarrow is needed and not there.
        OSError: the target cannot be written.
    """
    with source.open("rb") as file:
        is_table = file.read(4) == _PARQUET
    if is_table:
        return _rewrite_table(source, target, change)
    count = 0
    with _opened(target) as out:
        for line in read_lines(source):
            count += 1
            tree = parse_line_leniently(line.data)
            changed = tree if tree is None else change(line.number, tree)
            # A row that is not changed stays as it was, byte for byte.
            out.write((line.data if changed is tree or changed is None else to_json(changed)) + b"\n")
    return count


def parse_line_leniently(data: bytes) -> Tree | None:
    """The object in a line; None where it is none, which is no reason to lose the line."""
    try:
        return parse_line(data)
    except RequestError:
        return None


@contextmanager
def _opened(target: Path) -> Generator[BinaryIO | gzip.GzipFile, None, None]:
    if target.suffix == ".gz":
        with gzip.open(target, "wb") as packed:
            yield packed
        return
    with target.open("wb") as plain:
        yield plain


def _rewrite_table(source: Path, target: Path, change: Change) -> int:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise ScaleBoxError("Parquet files need pyarrow: pip install 'scalebox[parquet]'") from None
    try:
        table = parquet.read_table(source)
    except (OSError, pa.ArrowException) as error:
        raise ScaleBoxError(f"{source}: {error}") from None
    rows: list[Tree] = table.to_pylist()
    changed = [change(number, row) for number, row in enumerate(rows, 1)]
    names = list(dict.fromkeys(name for old, new in zip(rows, changed, strict=True) for name in _differing(old, new)))
    for name in names:
        values = [row.get(name) for row in changed]
        column = _column(pa, values, table.schema.field(name).type if name in table.column_names else None)
        if name in table.column_names:
            table = table.set_column(table.column_names.index(name), name, column)
        else:
            table = table.append_column(name, column)
    parquet.write_table(table, target)
    return len(rows)


def _differing(old: Tree, new: Tree) -> list[str]:
    return [] if old is new else [name for name in new if new[name] is not old.get(name)]


def _column(pa: Any, values: list[object], known: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """A column with the type that it had, where the values still fit it, and nothing of them would be lost."""
    if known is not None and not pa.types.is_struct(known):
        try:
            return pa.array(values, type=known)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            pass
    inferred = pa.array(values)
    if known is not None and pa.types.is_struct(known) and pa.types.is_struct(inferred.type):
        old = {field.name: field.type for field in known}
        fields = [pa.field(field.name, old.get(field.name, field.type)) for field in inferred.type]
        try:
            return pa.array(values, type=pa.struct(fields))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            pass
    return inferred
