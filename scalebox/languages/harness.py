"""Put a program into the text that calls or tests it. Pure text: no argument, answer or token is ever part of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from scalebox.core.errors import RequestError
from scalebox.languages.comparing import compared, without_comments, without_text
from scalebox.languages.definition import AppendHarness, CallHarness, Language, fill
from scalebox.languages.naming import MOST_TEXT

_IDENTIFIER: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_OWNER: Final = r"[^\W\d]\w*"
_PYTHON: Final = re.compile(_OWNER)
_FUNCTION: Final = re.compile(rf"(?:(?P<owner>{_OWNER}(?:\.{_OWNER})*)(?P<made>\(\))?\.)?(?P<name>[^\n]+)")
_SLOT: Final = re.compile(r"@(?P<loop>each|list)\{(?P<item>[^{}]*)\}|@(?P<name>[a-z]+)@")
_INHERITS: Final = re.compile(r"\bextends\b")
_SHEBANG: Final = re.compile(r"\A#!(?!\[)[^\n]*")
"""Only good in a file's first line, where harnesses put their own text; not an attribute of Rust."""
_NOT_CODE: Final = re.compile(
    r"""
      //[^\n]* | /\*.*?(?:\*/|\Z)                     # comments
    | R"(?P<fence>[^()\s\\]{0,16})\(.*?(?:\)(?P=fence)"|\Z)  # raw strings
    | "(?:[^"\\\n]|\\.)*+"?                       # strings: what is not closed ends with its line, and is looked at once
    | '(?:[^'\\\n]|\\.){1,12}+'                   # characters
    """,
    re.VERBOSE | re.DOTALL,
)


def render_call(language: Language, source: str, function: str, arity: int) -> str:
    """A full source: the program, then a main that decodes arguments, calls and encodes the value.

    The box must offer two descriptors. From 3 the program's main reads one JSON document
    ``{"args": […], "kwargs": {}, "mutated": i | null}`` with the tagged values of the HTTP API; to 4 it writes the
    value (or, after the call, argument ``mutated``) as such JSON and a newline, and only then returns 0.

    Args:
        language: of the source; it must have a call harness.
        source: the program.
        function: ``f``, ``Class().f``, ``Class.f`` or ``space.f``. A bare name that the program does not define
            at top level means a method of the language's default class (``Solution``), where the program has that.
        arity: how many arguments the case has; chooses among overloads.

    Raises:
        RequestError: the language has no call harness, or ``function`` is no function name.
    """
    if language.call is None:
        msg = f"function-call cases cannot be judged in {language.name}"
        raise RequestError(msg, field="tests.kind", hint="use a stdio case", code="unsupported")
    names = _names(language.call, _code(language, source), function)
    declares = language.call.prelude_unless.search(source)
    prelude = "" if declares else language.call.prelude
    program = _edited(_SHEBANG.sub("", source), language.call.edit_program)
    texts = {"program": program, "prelude": prelude, "arity": str(arity), **names}
    return _fill_slots(language.call.template, texts, arity)


def check_function(language: Language, function: str, field: str) -> None:
    """See that a case's function is one that the language can have.

    Args:
        language: of the submission.
        function: what is called.
        field: where the client wrote it.

    Raises:
        RequestError: it is none.
    """
    _parts(_PYTHON if language.call is None else language.call.identifier, function, field)


def render_append(language: Language, program: str, tests: str, asked: str = "") -> str:
    """A full source: the program, its test code, then a proof that the test code came to its end.

    The box must offer two descriptors. When the test code has ended, the first line of 3 is copied to 4, with a
    newline; nothing but that line is a pass, whatever the exit code. A failed assertion writes the line ``failed``
    to 4 where the language has assertions. Program and tests share a process: the proof holds against an early
    exit and against names and comparisons that the program redefines, not against one that searches its process.

    Args:
        language: of both texts; it must have an append harness.
        program: the program, cut and prefixed as its case demands.
        tests: text that follows the program; may begin by closing a function that the program leaves open.
        asked: the function that is tested, where that is known: the one name of the language's own library that in the
            tests means what the program calls so.

    Raises:
        RequestError: the language has no append harness, or the test code no main where one must be started.
    """
    harness = language.append
    if harness is None:
        msg = f"test code cannot be appended to a program in {language.name}"
        raise RequestError(msg, field="tests.style", hint="use stdio or call cases", code="unsupported")
    own = tests if harness.drop is None else harness.drop.sub("", tests)
    entry = _entry(program, tests)
    kept = _edited(own, [(found, fill(instead, {"entry": entry})) for found, instead in harness.edit_tests])
    kept = compared(kept, harness.compare, entry) if harness.compare else kept
    closing = harness.close.match(kept) if harness.close else None
    cut = closing.end() if closing else 0
    words = {"imports": _imports(harness, program, own), "entry": entry}
    program = _edited(
        _SHEBANG.sub("", program), [(found, fill(instead, words)) for found, instead in harness.edit_program]
    )
    leading = harness.first.match(program) if harness.first else None
    start = leading.end() if leading else 0
    texts = {
        "first": program[:start],
        "program": program[start:],
        "close": kept[:cut],
        "tests": kept[cut:],
        "main": _main(language, harness, program, own, renamed=entry in kept),
        "entry": entry,
        "asked": asked if re.fullmatch(_IDENTIFIER, asked) else "",
        "found": _each(harness.found, harness.each, f"{program}\n{kept}", asked, entry),
        "guards": _each(harness.guarded, harness.guard, without_text(own), asked, entry),
    }
    return _fill_slots(harness.template, texts, 0)


def _entry(program: str, tests: str) -> str:
    """A name for the tests' main that the program cannot have: no text holds its own digest."""
    return f"scaleBox{hashlib.sha256(repr((program, tests)).encode()).hexdigest()[:24]}"


def _main(language: Language, harness: AppendHarness, program: str, tests: str, *, renamed: bool) -> str:
    """The type whose main the tests declare; the program's own is never the one that is started.

    Raises:
        RequestError: they declare none.
    """
    if language.naming is None:
        return harness.main
    if not renamed:
        msg = f"the test code declares no main, which {language.name} starts"
        raise RequestError(msg, field="tests.code", hint="declare main in the test code", code="unsupported")
    # Whatever a program makes of the text, no type but one with the tests' own main can be started by its name.
    return language.naming.last(program, tests) or language.names(program).main


def _imports(harness: AppendHarness, program: str, tests: str) -> str:
    code = without_comments(program) if harness.imports else ""
    wanted = [line for named, line in harness.imports if named.search(tests) and line.split()[-1] not in code]
    return "".join(f"{line}\n" for line in wanted)


def _edited(text: str, edits: Sequence[tuple[re.Pattern[str], str]]) -> str:
    for found, instead in edits:
        text = found.sub(_unless_skipped(instead) if "skip" in found.groupindex else instead, text)
    return text


def _unless_skipped(instead: str) -> Callable[[re.Match[str]], str]:
    """What stands for a match; one of the pattern's group ``skip`` stays as it is."""
    return lambda match: match.expand(instead) if match["skip"] is None else match[0]


def _each(found: re.Pattern[str] | None, each: str, text: str, asked: str, entry: str) -> str:
    if found is None:
        return ""
    names = dict.fromkeys(match["name"] for match in found.finditer(text))
    return "".join(fill(each, {"name": name, "entry": entry}) for name in names if name != asked)


def _names(harness: CallHarness, code: str, function: str) -> Mapping[str, str]:
    """The address and the call of a function, in the language's spelling."""
    owner, made, name = _parts(harness.identifier, function)
    held = None if owner else _held(harness, code, name)
    if held is not None:
        owner = held["name"]
        spelling = harness.method if held["made"] else harness.function
    elif owner is None and _is_method(harness, code, name):
        owner = harness.default_owner
        spelling = harness.method
    elif made:
        spelling = harness.method
    else:
        spelling = harness.function
    path = [*owner.split("."), name] if owner else [name]
    qualified = harness.separator.join(path)
    words = {"path": qualified, "owner": harness.separator.join(path[:-1]), "name": name}
    return {
        **words,
        "address": fill(spelling.address, words),
        "call": fill(spelling.call, words),
        "made": "true" if spelling is harness.method else "false",
    }


def _parts(identifier: re.Pattern[str], function: str, field: str = "function") -> tuple[str | None, bool, str]:
    """The owner of a function, whether an object of it is made, and its name; where names hold dots, one that does has no owner."""
    if identifier.fullmatch(function):
        return None, False, function
    found = _FUNCTION.fullmatch(function)
    if found is None or not identifier.fullmatch(found["name"]):
        msg = f"{function[:200]!r} is no function to call"
        raise RequestError(msg, field=field, hint="write f, Solution().f, Class.f or space.f", code="invalid_function")
    return found["owner"], found["made"] is not None, str(found["name"])


def _code(language: Language, source: str) -> str:
    text = source[:MOST_TEXT]
    return _NOT_CODE.sub(" ", text) if language.naming is None else language.naming.code(text)


def _is_method(harness: CallHarness, code: str, name: str) -> bool:
    """Whether the program has the language's default class but no function ``name`` outside of braces."""
    if not re.search(fill(harness.owner_found, {"owner": harness.default_owner}), code):
        return False
    return not re.search(fill(harness.function_found, {"name": re.escape(name)}), _outside_braces(code))


def _held(harness: CallHarness, code: str, name: str) -> re.Match[str] | None:
    """The type that holds the function ``name``, or the language's default class where it inherits it or holds one itself."""
    if harness.holder is None:
        return None
    function = re.compile(fill(harness.function_found, {"name": re.escape(name)}))
    holders: list[re.Match[str]] = []
    depth, last, inherits = 0, None, None
    for part in re.split(r"([{}])", code):
        depth = max(0, depth + (part == "{") - (part == "}"))
        if depth == 0:
            last = next(reversed(list(harness.holder.finditer(part))), None)
            if last is not None and last["name"] == harness.default_owner and _INHERITS.search(part, last.end()):
                inherits = last
        elif last is not None and function.search(part):
            holders.append(last)
    own = [holder for holder in holders if holder["name"] == harness.default_owner]
    return next(iter(own or ([inherits] if inherits and holders else holders)), None)


def _outside_braces(code: str) -> str:
    """The text at brace depth 0; each block leaves an empty pair of braces behind."""
    depth = 0
    kept: list[str] = []
    for part in re.split(r"([{}])", code):
        if part == "}":
            depth = max(0, depth - 1)
        if depth == 0:
            kept.append(part)
        if part == "{":
            depth += 1
    return "".join(kept)


def _fill_slots(template: str, texts: Mapping[str, str], arity: int) -> str:
    """The template with its slots filled, in one pass: text put into a slot is never searched for slots."""

    def filled(slot: re.Match[str]) -> str:
        if slot["name"]:
            return texts[slot["name"]]
        items = [slot["item"].replace("#", str(index)) for index in range(arity)]
        return ("" if slot["loop"] == "each" else ", ").join(items)

    return _SLOT.sub(filled, template)
