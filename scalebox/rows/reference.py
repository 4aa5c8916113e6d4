"""Find the reference solution of a row. Takes the first that is there; never judges whether it is one."""

from __future__ import annotations

import re
from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.submission import Completion, Submission
from scalebox.rows.fields import Tree, dig, kind_of, unpacked
from scalebox.rows.row import ReadOptions

NAMES: Final = (
    "reference",
    "reference_solution",
    "gold_standard_solution",
    "canonical_solution",
    "solution",
    "solutions",
    "code_list",
)
"""Fields that data sets keep it in, of the row or of one of these objects in it:"""
PLACES: Final = ("", "extra_info.", "reward_model.", "metadata.", "verification_info.")
LANGUAGES: Final = ("language", "extra_info.language", "verification_info.language", "reward_model.language")
_TEXTS: Final = ("source", "completion", "code", "solution")
_FENCE: Final = re.compile(r"^ {0,3}(```|~~~)", re.MULTILINE)


def find_reference(tree: Tree, options: ReadOptions) -> Submission | Completion:
    """The reference of a row: model text where it has a fence in it, else source.

    Raises:
        RequestError: there is none, or it is no text.
    """
    paths = [options.reference] if options.reference else [place + name for place in PLACES for name in NAMES]
    for path in paths:
        value = dig(tree, path)
        if value not in (None, "", [], {}):
            return _read(value, path, _language(tree, options))
    if options.reference:
        raise RequestError("the row has no such field", field=options.reference, hint="name another with --reference")
    hint = f"looked for {', '.join(NAMES)}, also in extra_info and metadata; name another with --reference"
    raise RequestError("the row has no reference solution", field="reference", hint=hint, code="missing")


def _language(tree: Tree, options: ReadOptions) -> str:
    named = (dig(tree, path) for path in LANGUAGES)
    return next((name for name in named if isinstance(name, str) and name), options.language)


def _read(value: object, path: str, language: str) -> Submission | Completion:
    if isinstance(value, str) and value.lstrip().startswith('["'):
        value = unpacked(value, path)
    if isinstance(value, list):
        value, path = value[0], f"{path}.0"
    if isinstance(value, dict) and len(value) == 1 and not set(value) & set(_TEXTS):
        [(language, value)] = value.items()
        path = f"{path}.{language}"
    if isinstance(value, dict):
        named = value.get("language")
        language = named if isinstance(named, str) and named else language
        name = next((name for name in _TEXTS if value.get(name)), None)
        if name is None:
            raise RequestError("this object has no program", field=path, hint=f"give it {' or '.join(_TEXTS)}")
        value, path = value[name], f"{path}.{name}"
        if name == "completion" and isinstance(value, str):
            return Completion(text=value, language=language)
    if not isinstance(value, str) or not value.strip():
        raise RequestError(f"this is {kind_of(value)}, where a program is due", field=path, hint="write its text")
    if _FENCE.search(value):
        return Completion(text=value, language=language)
    return Submission(source=value, language=language)
