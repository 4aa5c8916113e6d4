"""Words that state a decision, and mean the same in any case. A closed list: no other word is ever folded.

The published ScaleBox ignores case everywhere, which accepts `aB` for `Ab`; what its users rely on is that `YES` is `Yes`.
"""

from __future__ import annotations

from typing import Final

DECISIONS: Final = frozenset({
    b"yes",
    b"no",
    b"true",
    b"false",
    b"possible",
    b"impossible",
    b"valid",
    b"invalid",
    b"correct",
    b"incorrect",
    b"accepted",
    b"rejected",
})


def same_decision(token: bytes, due: bytes) -> bool:
    """Whether two tokens are one decision word, written in different case."""
    folded = token.lower()
    return folded in DECISIONS and folded == due.lower()
