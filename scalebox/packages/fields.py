"""A YAML file of a package as named fields, read strictly. Never builds anything but text, lists and maps from it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import yaml

from scalebox.packages.folder import Folder
from scalebox.packages.package import PackageError

_NOTHING: Final = frozenset({"", "~", "null", "Null", "NULL"})


class Fields:
    """The members of one map.

    Args:
        where: the file, as messages show it.
        values: every scalar is text.
        within: dotted path of this map in the file.
    """

    def __init__(self, where: str, values: Mapping[str, object], within: str = "") -> None:
        self.where = where
        self._values = {key: value for key, value in values.items() if not _absent(value)}
        self._within = within

    @classmethod
    def load(cls, folder: Folder, path: str) -> Fields:
        """The fields of a file; none where there is no file.

        Raises:
            PackageError: it is no YAML, or no map.
        """
        if not folder.is_file(path):
            return cls(folder.where(path), {})
        tree = _parse(folder, path)
        if _absent(tree):
            return cls(folder.where(path), {})
        if not isinstance(tree, dict):
            raise PackageError(folder.where(path), "is not a map of keys to values", "write `key: value` lines")
        return cls(folder.where(path), tree)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def error(self, key: str, fault: str, fix: str) -> PackageError:
        """An error about one field."""
        return PackageError(self.where, f"`{self._within}{key}` {fault}", fix)

    def text(self, key: str, default: str = "") -> str:
        """A scalar as it is written."""
        value = self._values.get(key, default)
        if not isinstance(value, str):
            raise self.error(key, "is not a single value", "write one value after the key")
        return value.strip()

    def words(self, key: str) -> tuple[str, ...]:
        """A list of scalars, or one scalar split at blanks."""
        value = self._values.get(key, "")
        if isinstance(value, str):
            return tuple(value.split())
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(str(item) for item in value)
        raise self.error(key, "is neither text nor a list of texts", "write the words on one line, or as a list")

    def number(self, key: str) -> float | None:
        """A finite number; None where it is not given."""
        if key not in self._values:
            return None
        text = self.text(key)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.error(key, f"is {text[:40]!r}", "write a finite number")
        return value

    def positive(self, key: str) -> float | None:
        """A finite number above zero; None where it is not given."""
        value = self.number(key)
        if value is not None and value <= 0:
            raise self.error(key, f"is {value:g}", "write a number above zero")
        return value

    def table(self, key: str) -> Fields:
        """A map; empty where it is not given."""
        value = self._values.get(key, {})
        if not isinstance(value, dict):
            raise self.error(key, "is not a map", "write indented `key: value` lines below it")
        return Fields(self.where, value, f"{self._within}{key}.")

    def is_table(self, key: str) -> bool:
        """Whether the field is given as a map."""
        return isinstance(self._values.get(key), dict)

    def one_of(self, key: str, choices: Iterable[str], default: str) -> str:
        """A scalar out of a closed set."""
        value = self.text(key, default)
        known = list(choices)
        if value not in known:
            raise self.error(key, f"is {value[:40]!r}", f"write one of {', '.join(known)}")
        return value

    def unknown(self, known: Iterable[str]) -> Sequence[str]:
        """The keys that are not among those known, as notes."""
        strange = sorted(str(key) for key in set(self._values) - set(known))
        return [f"{self.where}: `{self._within}{key[:60]}` is not known and has no effect" for key in strange]


def _absent(value: object) -> bool:
    """Whether a value stands for one that is not given."""
    return value is None or (isinstance(value, str) and value.strip() in _NOTHING)


def _parse(folder: Folder, path: str) -> object:
    text = folder.text(path)
    try:
        # BaseLoader builds texts, lists and maps only; unlike SafeLoader it never reads `no`, `1_0` or `08` as something else.
        return yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f" in line {error.problem_mark.line + 1}"
        raise PackageError(folder.where(path), f"is not YAML{line}: {error.problem}", "correct it") from None
    except (yaml.YAMLError, RecursionError):
        raise PackageError(folder.where(path), "is not YAML", "correct it") from None
