"""Find a language by its id or by one of its names. Never lets two languages share a name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from scalebox.languages.definition import Language
from scalebox.languages.reading import TOOLS, read_language
from scalebox.languages.table import DefinitionError

PACKAGED: Final = Path(__file__).parent / "defs"
"""The definitions that come with ScaleBox."""


class Catalogue:
    """The languages of one folder of definitions.

    Args:
        languages: in the order they are to be listed.

    Raises:
        DefinitionError: two of them share a name.
    """

    def __init__(self, languages: Sequence[Language]) -> None:
        self._languages = {one.id: one for language in languages for one in (language, *language.variants)}
        names: dict[str, str] = {}
        for language in self._languages.values():
            for name in (language.id, *language.aliases):
                if name in names:
                    msg = f"the name {name!r} is taken by both {names[name]} and {language.id}; remove one"
                    raise DefinitionError(msg)
                names[name] = language.id
        self._names = MappingProxyType(names)
        self._families = MappingProxyType({name: self._languages[own].family for name, own in names.items()})

    def __iter__(self) -> Iterator[Language]:
        return iter(self._languages.values())

    def tongues(self) -> Sequence[Language]:
        """The languages that are no unit-test frameworks."""
        return tuple(language for language in self if language.unit is None)

    def get(self, name: str) -> Language | None:
        """The language of that id or alias, in any case; None where there is none."""
        language_id = self._names.get(name.strip().lower())
        return None if language_id is None else self._languages[language_id]

    def ids(self) -> Sequence[str]:
        """Ids, in order."""
        return tuple(self._languages)

    def aliases(self) -> Mapping[str, str]:
        """Every name, ids included, to the id it stands for."""
        return self._names

    def families(self) -> Mapping[str, str]:
        """Every name to the language it stands for, or that this is a variant of."""
        return self._families

    def shown(self) -> Sequence[str]:
        """What some toolchain has outside of the system's own folders, as patterns, each once."""
        return tuple(dict.fromkeys(path for language in self for path in language.show))


@cache
def load_languages(root: Path = PACKAGED, tools: str = TOOLS) -> Catalogue:
    """Every `<root>/<id>/language.toml`, by id, each with its variants.

    Args:
        root: folder of the definitions.
        tools: where `scalebox toolchains install` puts things.

    Raises:
        DefinitionError: a definition is malformed, two share a name, or there is none.
    """
    paths = sorted(root.glob("*/language.toml"))
    if not paths:
        msg = f"{root}: holds no <id>/language.toml"
        raise DefinitionError(msg)
    return Catalogue([read_language(path, tools) for path in paths])
