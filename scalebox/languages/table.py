"""Read one table of a TOML file key by key and refuse what nobody read. Never coerces a value."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from scalebox.core.errors import ScaleBoxError


class DefinitionError(ScaleBoxError):
    """A language definition is malformed; the message names the file and the key."""


class Table:
    """One table of a TOML file that remembers which of its keys were asked for.

    Every method that reads a key raises DefinitionError where the value is missing or of another type.

    Args:
        path: the file, for messages; files that keys name are relative to its folder.
        prefix: dotted path of the table within the file, with its last dot.
        values: the table as parsed.
    """

    def __init__(self, path: Path, prefix: str, values: Mapping[str, object]) -> None:
        self.path = path
        self.prefix = prefix
        self.values = values
        self.known: set[str] = set()

    @classmethod
    def read(cls, path: Path) -> Table:
        try:
            return cls(path, "", tomllib.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            msg = f"{path}: {error}"
            raise DefinitionError(msg) from error

    def error(self, key: str, problem: str) -> DefinitionError:
        return DefinitionError(f"{self.path}: {self.prefix}{key}: {problem}")

    def has(self, key: str) -> bool:
        self.known.add(key)
        return key in self.values

    def value(self, key: str) -> object:
        if not self.has(key):
            raise self.error(key, "is missing")
        return self.values[key]

    def text(self, key: str) -> str:
        value = self.value(key)
        if not isinstance(value, str) or not value:
            raise self.error(key, f"must be a string that is not empty, not {value!r}")
        return value

    def any_text(self, key: str) -> str:
        value = self.value(key)
        if not isinstance(value, str):
            raise self.error(key, f"must be a string, not {value!r}")
        return value

    def choice(self, key: str, choices: list[str]) -> str:
        value = self.text(key)
        if value not in choices:
            raise self.error(key, f"must be one of {', '.join(choices)}, not {value!r}")
        return value

    def whole(self, key: str) -> int:
        value = self.value(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.error(key, f"must be a whole number of at least 1, not {value!r}")
        return value

    def number(self, key: str) -> float:
        value = self.value(key)
        if not isinstance(value, int | float) or isinstance(value, bool) or value <= 0:
            raise self.error(key, f"must be a number above 0, not {value!r}")
        return float(value)

    def flag(self, key: str) -> bool:
        value = self.value(key) if self.has(key) else False
        if not isinstance(value, bool):
            raise self.error(key, f"must be true or false, not {value!r}")
        return value

    def texts(self, key: str, *, optional: bool = False) -> tuple[str, ...]:
        if optional and not self.has(key):
            return ()
        value = self.value(key)
        if not isinstance(value, list) or not value or not all(isinstance(word, str) and word for word in value):
            raise self.error(key, f"must be a list of strings that is not empty, not {value!r}")
        return tuple(value)

    def strings(self, key: str) -> Mapping[str, str]:
        if not self.has(key):
            return {}
        value = self.value(key)
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            raise self.error(key, f"must be a table of strings, not {value!r}")
        return value

    def pattern(self, key: str) -> re.Pattern[str]:
        text = self.text(key)
        try:
            return re.compile(text, re.MULTILINE)
        except re.error as error:
            raise self.error(key, f"is no regular expression: {error}") from error

    def optional_pattern(self, key: str) -> re.Pattern[str] | None:
        return self.pattern(key) if self.has(key) else None

    def edits(self, key: str) -> tuple[tuple[re.Pattern[str], str], ...]:
        """Pairs of a regular expression and what takes its place."""
        value = self.value(key) if self.has(key) else []
        if not isinstance(value, list) or not all(_is_pair(pair) for pair in value):
            raise self.error(key, f"must be a list of pairs of strings, not {value!r}")
        try:
            return tuple((re.compile(found, re.MULTILINE), text) for found, text in value)
        except re.error as error:
            raise self.error(key, f"holds what is no regular expression: {error}") from error

    def file(self, key: str) -> str:
        path = self.path.parent / self.text(key)
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise self.error(key, f"cannot be read: {error}") from error

    def files(self, key: str) -> Mapping[str, str]:
        """Texts of files by their name, without folders; none where the key is missing."""
        found: dict[str, str] = {}
        for name in self.texts(key, optional=True):
            path = self.path.parent / name
            if path.name in found:
                raise self.error(key, f"two files are called {path.name}")
            try:
                found[path.name] = path.read_text(encoding="utf-8")
            except (OSError, ValueError) as error:
                raise self.error(key, f"cannot be read: {error}") from error
        return found

    def named_tables(self, key: str) -> list[tuple[str, Table]]:
        """The tables of a table of tables, in order; none where the key is missing."""
        if not self.has(key):
            return []
        return [(name, self.table(key).table(name)) for name in self.table(key).values]

    def table(self, key: str, *, optional: bool = False) -> Table:
        if optional and not self.has(key):
            return Table(self.path, f"{self.prefix}{key}.", {})
        value = self.value(key)
        if not isinstance(value, dict) or not value:
            raise self.error(key, f"must be a table that is not empty, not {value!r}")
        return Table(self.path, f"{self.prefix}{key}.", value)

    def tables(self, key: str) -> list[Table]:
        value = self.value(key)
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self.error(key, f"must be a list of tables, not {value!r}")
        return [Table(self.path, f"{self.prefix}{key}[{index}].", entry) for index, entry in enumerate(value)]

    def finish(self) -> None:
        unknown = sorted(set(self.values) - self.known)
        if unknown:
            raise self.error(unknown[0], f"is unknown; known keys are {', '.join(sorted(self.known))}")


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(text, str) for text in value)
