"""Small changes to an answer, each of another kind: what a wrong program might print. Pure and deterministic; makes few, not all."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(rb"[^ \t\r\n]+")
_INTEGER: Final = re.compile(rb"-?\d{1,18}")
_DECIMAL: Final = re.compile(rb"-?\d{1,300}\.\d{1,300}")
_OPPOSITES: Final = {
    b"yes": b"no", b"no": b"yes", b"true": b"false", b"false": b"true", b"possible": b"impossible", b"impossible": b"possible",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One changed answer."""

    output: bytes
    words: str


def answer_mutants(answer: bytes) -> Iterator[Change]:
    """Changed answers; none is byte-equal to the answer or to another."""
    seen = {answer}
    for change in _changes(answer):
        if change.output not in seen:
            seen.add(change.output)
            yield change


def _changes(answer: bytes) -> Iterator[Change]:
    tokens = list(_TOKEN.finditer(answer))
    if not tokens:
        return
    integers = [token for token in tokens if _INTEGER.fullmatch(token.group())]
    for name, token in _spread(integers):
        value = int(token.group())
        yield _put(answer, token, str(value + 1).encode(), f"its {name} integer one more")
        yield _put(answer, token, str(value - 1).encode(), f"its {name} integer one less")
        yield _put(answer, token, str(-value).encode(), f"its {name} integer negated")
    decimals = [token for token in tokens if _DECIMAL.fullmatch(token.group())]
    for name, token in _spread(decimals):
        number = float(token.group())
        yield _put(answer, token, f"{number * 1.2 + 0.2:.9f}".encode(), f"its {name} decimal a fifth more")
        yield _put(
            answer,
            token,
            f"{number + 0.001 * max(1.0, abs(number)):.9f}".encode(),
            f"its {name} decimal a thousandth more",
        )
    yield from _words(answer, tokens)
    yield from _orders(answer, tokens)
    yield from _lines(answer)


def _spread(tokens: list[re.Match[bytes]]) -> list[tuple[str, re.Match[bytes]]]:
    """First, middle and last."""
    if not tokens:
        return []
    return [("first", tokens[0]), ("middle", tokens[len(tokens) // 2]), ("last", tokens[-1])]


def _words(answer: bytes, tokens: list[re.Match[bytes]]) -> Iterator[Change]:
    for token in tokens:
        other = _OPPOSITES.get(token.group().lower())
        if other is not None:
            other = (
                other.upper() if token.group().isupper() else other.capitalize() if token.group().istitle() else other
            )
            yield _put(answer, token, other, f"{token.group().decode()} turned into {other.decode()}")
            break
    letters = [token for token in tokens if token.group().isalpha() and len(token.group()) > 1]
    for name, token in _spread(letters)[1:]:
        text = token.group()
        yield _put(answer, token, text[1:] + text[:1], f"its {name} word turned by one letter")
        yield _put(answer, token, text[:-1], f"its {name} word without its last letter")


def _orders(answer: bytes, tokens: list[re.Match[bytes]]) -> Iterator[Change]:
    for left, right in itertools.pairwise(tokens):
        if left.group() != right.group() and b"\n" not in answer[left.end() : right.start()]:
            yield _swap(answer, left, right, "two neighbouring tokens exchanged")
            break
    for left, right in zip(reversed(tokens[:-1]), reversed(tokens[1:]), strict=True):
        if left.group() != right.group() and b"\n" not in answer[left.end() : right.start()]:
            yield _swap(answer, left, right, "two neighbouring tokens near the end exchanged")
            break
    if len(tokens) > 2:
        yield _put(answer, tokens[-1], tokens[-2].group(), "its last token the same as the one before")
        yield _put(answer, tokens[1], tokens[-1].group(), "its second token the same as the last")


def _lines(answer: bytes) -> Iterator[Change]:
    lines = answer.rstrip(b"\n").split(b"\n")
    if len(lines) < 2:
        return
    yield Change(output=b"\n".join(lines[::-1]) + b"\n", words="its lines the other way round")
    middle = len(lines) // 2
    yield Change(output=b"\n".join(lines[:middle] + lines[middle + 1 :]) + b"\n", words="a line in its middle left out")
    yield Change(output=b"\n".join([*lines[: middle + 1], *lines[middle:]]) + b"\n", words="a line in its middle twice")
    if lines[-1] != lines[-2]:
        yield Change(
            output=b"\n".join([*lines[:-2], lines[-1], lines[-2]]) + b"\n", words="its last two lines exchanged"
        )


def _put(answer: bytes, token: re.Match[bytes], text: bytes, words: str) -> Change:
    return Change(output=answer[: token.start()] + text + answer[token.end() :], words=words)


def _swap(answer: bytes, left: re.Match[bytes], right: re.Match[bytes], words: str) -> Change:
    between = answer[left.end() : right.start()]
    output = answer[: left.start()] + right.group() + between + left.group() + answer[right.end() :]
    return Change(output=output, words=words)
