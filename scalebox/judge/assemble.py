"""Put the source of an assert case's program together: prompt, completion, stop tokens. Pure text; parses and runs nothing.

Hostile text is never given to a parser here: nesting alone can exhaust one. A few line-based rules decide instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def assemble(
    program: str,
    prompt: str | None,
    entry_point: str | None,
    stop_tokens: Sequence[str] = (),
    head: re.Pattern[str] | None = None,
) -> str:
    """The source to run: a whole program with what the prompt adds to it, else the prompt and the text that continues it.

    Args:
        program: a whole module, or the text that follows the prompt (often a function's body).
        prompt: imports, helpers and the head of the function, as HumanEval has it.
        entry_point: the function asked for. Without it the last function that the prompt begins is meant.
        stop_tokens: where a continuation is cut.
        head: lines of the prompt that the test code needs, so that a program that leaves them out gets them too.

    A program is whole where it defines the entry point at top level, repeats the prompt's last line or, with other parameters
    perhaps, defines what that line defines. It gets the prompt's imports and helpers in front, up to where the prompt begins
    the entry point: such programs leave them out, and what the program defines itself comes later and wins. Of the stop tokens it is cut only at one that closes a
    block (``\\n}``), behind the head of the entry point, because the test code closes it again; those that begin another
    definition would cut off its helpers. Any other program is cut at the first stop token and continues the prompt.
    """
    name = (entry_point or "").rpartition(".")[2] or _last_definition(prompt or "")
    start = _whole_from(program, prompt or "", name)
    if start is None:
        return (prompt or "") + cut(program, stop_tokens)
    text = cut(program, [token for token in stop_tokens if _CLOSING.fullmatch(token)], start)
    lines = [] if head is None else [line for line in head.findall(prompt or "") if line not in program]
    return "".join(f"{line}\n" for line in lines) + _with_head(_before_definition(prompt or "", name), text)


def asked_for(prompt: str | None, entry_point: str | None) -> str:
    """The function that a program of any language is asked for; empty where nothing says."""
    return (entry_point or "").rpartition(".")[2] or _last_definition(prompt or "") or _defined(prompt or "") or ""


def cut(program: str, stop_tokens: Sequence[str], start: int = 0) -> str:
    """The program up to the first stop token behind ``start``; blank lines and a token right there do not count."""
    first = start + len(program[start:]) - len(program[start:].lstrip()) + 1
    found = [at for token in stop_tokens if token for at in [program.find(token, first)] if at >= 0]
    return program[: min(found)] if found else program


_CLOSING = re.compile(r"\s*(?:[})\]][\s})\]]*|end\s*|\?>\s*)")
_DEFINITION = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)


def _last_definition(prompt: str) -> str | None:
    names = _DEFINITION.findall(prompt)
    return names[-1] if names else None


def _whole_from(program: str, prompt: str, name: str | None) -> int | None:
    """Where a whole program begins the entry point; None for a continuation, and where nothing tells."""
    if name:
        word = re.escape(name)
        form = rf"^(?:(?:async[ \t]+)?def|class)[ \t]+{word}\b|^{word}[ \t]*(?::[^=\n]*)?=(?!=)"
        found = re.search(form, program, re.MULTILINE)
        if found is not None:
            return found.start()
    if _DEFINITION.search(prompt):
        return None
    last = prompt.rstrip().rpartition("\n")[2].strip()
    if len(last) >= _SHORTEST_HEAD:
        found = re.search(r"\s*".join(map(re.escape, _WORD.findall(last))), program)
        if found is not None:
            return found.start()
    found = _definition_in(program, _defined(prompt))
    return None if found is None else found.start()


_SHORTEST_HEAD = 8
"""Characters; a shorter last line of a prompt (``{``) tells nothing."""
_WORD = re.compile(r"\w+|[^\w\s]")
_NAMED = re.compile(r"\b(?:def|function|sub|fn|func|define)\b[ \t(]*(\w+)|^[ \t]*(\w+)[ \t]*(?:<-|\(\))", re.MULTILINE)
_STATEMENT = "return|else|elif|await|yield|throw|raise|new|print|puts|echo|assert|case|in|not|and|or|if|unless|while|until|do|then"


def _defined(prompt: str) -> str | None:
    """What a prompt in any language defines last: in its last line, by a keyword or before a parenthesis, else in one before."""
    last = prompt.rstrip().rpartition("\n")[2]
    before = [] if "=" in last else re.findall(r"(\w+)[ \t]*\(", last)[:1]
    names = [*_named(last), *before, *_named(prompt)[-1:]]
    return names[0] if names else None


def _named(text: str) -> list[str]:
    return [first or second for first, second in _NAMED.findall(text)]


def _definition_in(program: str, name: str | None) -> re.Match[str] | None:
    """Where a program in any language defines a name: behind words that begin no statement, or at the start of a line."""
    if name is None:
        return None
    words = rf"^[ \t]*(?!(?:{_STATEMENT})\b)\(?(?:[\w<>\[\],.:*&?|]+[ \t]+)+\(?{name}\b[ \t]*(?:[(<{{:=]|\w|$)"
    return re.search(rf"{words}|^[ \t]*{name}[ \t]*(?:<-|=(?!=)|\(\))", program, re.MULTILINE)


def _before_definition(prompt: str, name: str | None) -> str:
    """The prompt up to the last line that begins the entry point, its decorators not included; empty if it begins none."""
    form = rf"^(?:(?:async[ \t]+)?def|class)[ \t]+{re.escape(name or '')}\b"
    matches = list(re.finditer(form, prompt, re.MULTILINE)) if name else []
    if not matches:
        return ""
    lines = prompt[: matches[-1].start()].split("\n")
    while len(lines) > 1 and lines[-2].startswith("@"):
        del lines[-2]
    return "\n".join(lines)


_FUTURE = re.compile(r"^from[ \t]+__future__[ \t]+import\b.*\n?", re.MULTILINE)


def _with_head(head: str, program: str) -> str:
    """The head in front of the program; imports from ``__future__`` go to the very front, where alone they may stand."""
    if not head.strip():
        return program
    if not head.endswith("\n"):
        head += "\n"
    future = _FUTURE.findall(program)
    lines = "".join(line if line.endswith("\n") else line + "\n" for line in future)
    return lines + head + (_FUTURE.sub("", program) if future else program)
