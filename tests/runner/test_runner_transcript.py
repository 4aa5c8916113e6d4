"""What is kept of a conversation, and how it is written down."""

from __future__ import annotations

import pytest

from scalebox.runner.transcript import Speaker, Transcript


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ([], b""),
        ([("p", b"1\n"), ("i", b"2\n")], b"> 1\n< 2\n"),
        ([("p", b"1"), ("p", b"2\n3\n")], b"> 12\n> 3\n"),
        ([("p", b"unfinished"), ("i", b"2\n"), ("p", b" line\n")], b"> unfinished\n< 2\n>  line\n"),
        ([("p", b"\n\n")], b"> \n> \n"),
        ([("p", b"123456789")], b"> 12345678\n"),
    ],
)
def test_transcript(said: list[tuple[str, bytes]], text: bytes) -> None:
    transcript = Transcript(limit=8 if len(said) == 1 else 100)
    for side, data in said:
        transcript.add(Speaker.PROGRAM if side == "p" else Speaker.INTERACTOR, data)
    assert transcript.render() == text
    assert transcript.truncated is (text == b"> 12345678\n")
