"""Templates by name, and their programs with parameters put in. A template is a program of ours; parameters are checked, never run.

Only ``cost`` takes code: the three functions that are the problem's own, put behind the template's text.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scalebox.core.errors import ScaleBoxError
from scalebox.synthesis.domain import Draft

_FOLDER: Final = Path(__file__).parent / "programs"
_PARAMETERS: Final = re.compile(r"^PARAMETERS = \{.*\}$", re.MULTILINE)
_LARGEST_TOLERANCE: Final = 0.1
_MOST_TOKENS: Final = 1_000_000


class TemplateError(ScaleBoxError):
    """There is no such template, or it does not take these parameters."""


Check = Callable[[object], bool]


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_tolerance(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LARGEST_TOLERANCE


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS


def _one_of(*words: str) -> Check:
    return lambda value: isinstance(value, str) and value in words


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """What a template takes."""

    parameters: Mapping[str, Check]
    takes_code: bool = False


TEMPLATES: Final[Mapping[str, Template]] = {
    "tokens": Template(parameters={"case_sensitive": _is_flag}),
    "tolerance": Template(
        parameters={
            "absolute": _is_tolerance,
            "relative": _is_tolerance,
            "integers_exact": _is_flag,
            "case_sensitive": _is_flag,
        }
    ),
    "multiset": Template(
        parameters={
            "elements": _one_of("lines", "tokens"),
            "first_lines": _is_count,
            "order_in_line": _is_flag,
            "case_sensitive": _is_flag,
        }
    ),
    "permutation": Template(
        parameters={
            "of": _one_of("range", "input"),
            "n_token": _is_count,
            "first": _is_count,
            "from_token": _is_count,
        }
    ),
    "cost": Template(
        parameters={
            "better": _one_of("same", "lower", "higher"),
            "case_header": _is_flag,
            "absolute": _is_tolerance,
            "relative": _is_tolerance,
        },
        takes_code=True,
    ),
}


def draft_of(name: str, parameters: Mapping[str, object], code: str = "", *, number: int = 0, round: int = 0) -> Draft:
    """The draft that a template with these parameters is.

    Raises:
        TemplateError: it cannot be made.
    """
    template = TEMPLATES.get(name)
    if template is None:
        raise TemplateError(f"unknown template {name[:40]!r}; known are {', '.join(TEMPLATES)}")
    for key, value in parameters.items():
        check = template.parameters.get(key)
        if check is None:
            known = ", ".join(template.parameters)
            raise TemplateError(f"template {name} has no parameter {key[:40]!r}; it has {known}")
        if not check(value):
            raise TemplateError(f"template {name} does not take {str(value)[:40]!r} as {key}")
    if template.takes_code and not code.strip():
        raise TemplateError(f"template {name} wants the problem's own functions as a program")
    source = (_FOLDER / f"{name}.py").read_text(encoding="utf-8")
    found = _PARAMETERS.search(source)
    assert found is not None  # noqa: S101 - every template has them, and a test looks
    defaults = dict[str, object](_literal(found.group()))
    chosen = {**defaults, **parameters}
    source = source[: found.start()] + f"PARAMETERS = {chosen!r}" + source[found.end() :]
    if template.takes_code:
        source += "\n\n" + code.strip() + "\n"
    return Draft(
        source=source,
        template=name,
        parameters={key: json.dumps(value) for key, value in chosen.items()},
        number=number,
        round=round,
    )


def _literal(line: str) -> dict[str, object]:
    value = ast.literal_eval(line.removeprefix("PARAMETERS = "))
    assert isinstance(value, dict)  # noqa: S101 - as above
    return value
