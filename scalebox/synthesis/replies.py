"""Read what a model replied: a JSON object and, where one is due, a program. Forgives wrapping and prose, guesses nothing. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scalebox.core.errors import ScaleBoxError
from scalebox.synthesis.domain import Category, Classification, Draft
from scalebox.synthesis.model.request import Reply
from scalebox.synthesis.templates.catalogue import TEMPLATES, TemplateError, draft_of

FUNCTION: Final = "validate_solution"
_THOUGHT: Final = re.compile(r"<think>.*?</think>", re.DOTALL)
_TAGS: Final = frozenset({"python", "py", "python3", ""})
"""How a block that holds a judge is tagged: judges are written in Python."""
_FENCE: Final = re.compile(r"^(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n(.*?)^\1[ \t]*$", re.DOTALL | re.MULTILINE)
_MOST_SOURCE: Final = 200_000
_MOST_REASON: Final = 1000


class UnusableReply(ScaleBoxError):
    """A reply does not hold what was asked for; says what is missing, for the model to mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A reply to a request for a draft."""

    classification: Classification
    draft: Draft | None
    """None where the model says that no judge of outputs will do."""


def read_classification(reply: Reply) -> Classification:
    """What a model takes a problem for.

    Raises:
        UnusableReply: it does not say.
    """
    return _classification(_object(_text(reply), "category"))


def read_draft(reply: Reply, number: int, round_number: int) -> Drafted:
    """A draft and what its problem is taken for.

    Raises:
        UnusableReply: there is none in the reply.
    """
    text = _text(reply)
    said = _object(text, "judge")
    classification = _classification(said)
    if classification.category is Category.INTERACTIVE:
        return Drafted(classification=classification, draft=None)
    code = _code(text, said)
    name = said.get("template")
    if said.get("judge") == "template" or (isinstance(name, str) and name in TEMPLATES and said["judge"] != "program"):
        parameters = said.get("parameters") or {}
        if not isinstance(name, str) or not isinstance(parameters, Mapping):
            raise UnusableReply('a template is named in "template" and its "parameters" are an object')
        try:
            draft = draft_of(name, parameters, code, number=number, round=round_number)
        except TemplateError as error:
            raise UnusableReply(str(error)) from None
        return Drafted(classification=classification, draft=draft)
    if f"def {FUNCTION}" not in code:
        raise UnusableReply(f"there is no Python block that defines {FUNCTION}")
    return Drafted(classification=classification, draft=Draft(source=code, number=number, round=round_number))


def _text(reply: Reply) -> str:
    if reply.finish_reason == "length":
        raise UnusableReply("the reply was cut off at the most tokens that a reply may have; be shorter")
    text = _THOUGHT.sub("", reply.text).strip()
    if not text:
        raise UnusableReply("the reply is empty")
    return text


def _object(text: str, wanted: str) -> Mapping[str, Any]:
    """The first JSON object that has a field, wherever it stands."""
    found = False
    for tree in _objects(text):
        found = True
        if isinstance(tree, dict) and wanted in tree:
            return tree
    what = f"the JSON object has no field {wanted!r}" if found else "there is no JSON object in the reply"
    raise UnusableReply(what)


def _objects(text: str) -> Iterator[object]:
    decoder = json.JSONDecoder(strict=False)
    at = text.find("{")
    while at >= 0:
        try:
            tree, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield tree
        at = text.find("{", end)


def _classification(said: Mapping[str, Any]) -> Classification:
    try:
        category = Category(str(said.get("category", "")).strip().lower())
    except ValueError:
        known = ", ".join(category.value for category in Category)
        raise UnusableReply(f'"category" is none of {known}') from None
    confidence = said.get("confidence", 0.5)
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        confidence = 0.5
    reason = str(said.get("reason", ""))[:_MOST_REASON]
    return Classification(category=category, reason=reason, confidence=float(confidence), votes={category.value: 1})


def _code(text: str, said: Mapping[str, Any]) -> str:
    """The program of a reply: the last fenced one that defines something, else the one inside the object; empty where there is none."""
    blocks = [body for _, language, body in _FENCE.findall(text) if language.lower() in _TAGS]
    inside = said.get("program")
    if isinstance(inside, str):
        fenced = _FENCE.search(inside)
        blocks.insert(0, fenced.group(3) if fenced else inside)
    programs = [block for block in blocks if re.search(r"^def \w+", block, re.MULTILINE)]
    whole = [block for block in programs if f"def {FUNCTION}" in block] or programs
    code = whole[-1] if whole else ""
    if len(code) > _MOST_SOURCE:
        raise UnusableReply(f"the program has more than {_MOST_SOURCE} characters")
    return code
