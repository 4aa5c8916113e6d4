"""Put data into prompts so that it stays data: marked off by words it cannot contain, cut to a length, never obeyed. Pure.

The marks carry a digest of the very text between them, so nobody who writes the text can close them early.
"""

from __future__ import annotations

import hashlib
from typing import Final

_MARK: Final = 12


def quoted(name: str, text: str) -> str:
    """A text between marks.

    Args:
        name: what it is, in one word or two.
        text: anything at all.
    """
    mark = hashlib.sha256(f"{name}\0{text}".encode("utf-8", "backslashreplace")).hexdigest()[:_MARK]
    return f"<<<{name} {mark}\n{text}\n{name} {mark}>>>"


def shortened(text: str, most: int) -> str:
    """A text with its middle left out where it is too long; says how much."""
    if len(text) <= most:
        return text
    tail = most // 3
    head = most - tail
    return f"{text[:head]}\n[… {len(text) - most} characters left out …]\n{text[-tail:]}"


def shown(data: bytes, most: int) -> str:
    """Bytes as text, shortened; what is no text is escaped."""
    return shortened(data[: 4 * most + 4096].decode("utf-8", "backslashreplace"), most) + (
        "" if len(data) <= 4 * most + 4096 else f"\n[… {len(data)} bytes in all …]"
    )
