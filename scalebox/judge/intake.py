"""From what a client hands in to a submission with a known language. Pure; runs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scalebox.core.errors import LanguageUnavailable
from scalebox.core.problem import AssertCase, CallCase, InteractiveCase, Problem, StdioCase
from scalebox.core.result import ExtractionResult
from scalebox.core.submission import Completion, Submission
from scalebox.extraction.extract import extract
from scalebox.languages.catalogue import Catalogue
from scalebox.languages.definition import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A submission whose language is known; ``source`` is None where a completion holds no code."""

    language: Language
    source: str | None
    extraction: ExtractionResult | None


def take(
    submission: Submission | Completion, catalogue: Catalogue, entry: str | None, *, started: bool = True
) -> Taken | None:
    """Find source and language; None where a completion without a language hint holds no code.

    Args:
        submission: the program, or a completion that holds it.
        catalogue: the languages.
        entry: the function or class that the problem calls, where it calls one.
        started: whether the problem starts the program itself, rather than calling it or appending test code.

    Raises:
        LanguageUnavailable: no language has that name.
    """
    if isinstance(submission, Submission):
        return Taken(language=_known(submission.language, catalogue), source=submission.source, extraction=None)
    hint = None if submission.language is None else _known(submission.language, catalogue)
    # Programs that bring their tests are in the language that their framework tests.
    family = None if hint is None else hint.family if hint.unit is None else hint.unit.languages[0]
    names = catalogue.families()  # a block marked `cpp` is what was asked for where C++17 was

    def extracted(names: Mapping[str, str]) -> ExtractionResult | None:
        return extract(
            submission.text, language=family, aliases=names, entry=entry, started=started, policy=submission.policy
        )

    found = extracted(names)
    if found is not None and hint is not None and found.language in hint.includes:
        found = extracted({name: hint.family if other in hint.includes else other for name, other in names.items()})
    if found is None:
        return None if hint is None else Taken(language=hint, source=None, extraction=None)
    if hint is not None and found.language == family:
        return Taken(language=hint, source=found.source, extraction=replace(found, language=hint.id))
    return Taken(language=_known(found.language, catalogue), source=found.source, extraction=found)


def entry_of(problem: Problem) -> str | None:
    """The function or class that the problem calls, where its cases name one."""
    for case in problem.tests:
        if isinstance(case, AssertCase) and case.entry_point:
            return case.entry_point
        if isinstance(case, CallCase):
            return case.function.partition("(")[0].partition(".")[0]
    return None


def is_started(problem: Problem) -> bool:
    """Whether the problem's cases start the program itself."""
    return any(isinstance(case, (StdioCase, InteractiveCase)) for case in problem.tests)


def _known(name: str, catalogue: Catalogue) -> Language:
    language = catalogue.get(name)
    if language is None:
        msg = f"there is no language called {name[:80]!r}"
        raise LanguageUnavailable(
            msg, field="language", hint="one of: " + ", ".join(catalogue.ids()), code="unknown_language"
        )
    return language
