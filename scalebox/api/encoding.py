"""Compressed bodies: gzip and zstd in, zstd out. A piece at a time, so that a bomb costs no more memory than its limit.

Theory of operation: what has come is decompressed by at most one piece before anybody looks at the size, and anything but
the first small piece beside the event loop. Nothing compressed is kept.
"""

from __future__ import annotations

import asyncio
import sys
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from typing import Final, Protocol

from scalebox.api.errors import BadEncoding, UnknownEncoding

try:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
except ImportError:  # Python 3.14 may be built without it; then it is not offered
    zstd = None  # type: ignore[assignment]

PIECE_BYTES: Final = 1 << 20
SMALL_BYTES: Final = 64 << 10
LARGE_REPLY_BYTES: Final = 64 << 10
"""Replies from here on are compressed for those who take it."""
_MOST_WINDOW_LOG: Final = 23
"""8 MiB, the most that RFC 9659 allows on the web; a frame may ask for 2 GiB."""
_MEMBERS: Final = 64
"""Empty members or frames that one call passes over."""
_BARREN_BYTES: Final = 256 << 10
"""Compressed bytes that may become nothing, one after the other; a block of zstd, which comes out whole, has half of that."""
_REPLY_LEVEL: Final = 1
_GZIP_BITS: Final = 31
_ERRORS: Final[tuple[type[Exception], ...]] = (zlib.error, EOFError, *(() if zstd is None else (zstd.ZstdError,)))


class Decoder(Protocol):
    """Decompresses one body."""

    def feed(self, data: bytes, most: int) -> bytes:
        """Take compressed bytes, give up to so many decompressed ones."""
        ...

    @property
    def hungry(self) -> bool:
        """Whether it gives nothing more before it is fed more."""
        ...

    @property
    def complete(self) -> bool:
        """Whether the body may end here."""
        ...


class _Gzip:
    """One or more gzip members."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(_GZIP_BITS)
        self._left = b""
        self._begun = False
        self._full = False

    def feed(self, data: bytes, most: int) -> bytes:
        self._left += data
        self._begun = self._begun or bool(self._left)
        made = b""
        for _ in range(_MEMBERS):
            if self._stream.eof and self._left:
                self._stream = zlib.decompressobj(_GZIP_BITS)
            made = self._stream.decompress(self._left, most)
            self._left = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail
            if made or not self._left:
                break
        self._full = len(made) == most
        return made

    @property
    def hungry(self) -> bool:
        return not self._left and not self._full

    @property
    def complete(self) -> bool:
        return not self._begun or (self._stream.eof and not self._left)


class _Zstd:
    """One or more zstd frames."""

    def __init__(self) -> None:
        self._stream = self._new()
        self._left = b""
        self._begun = False

    @staticmethod
    def _new() -> zstd.ZstdDecompressor:
        return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _MOST_WINDOW_LOG})

    def feed(self, data: bytes, most: int) -> bytes:
        given = self._left + data
        self._begun = self._begun or bool(given)
        made = b""
        for _ in range(_MEMBERS):
            if self._stream.eof and given:
                self._stream = self._new()
            made = self._stream.decompress(given, most)
            given = self._stream.unused_data if self._stream.eof else b""
            if made or not given:
                break
        self._left = given
        return made

    @property
    def hungry(self) -> bool:
        return not self._left and (self._stream.eof or self._stream.needs_input)

    @property
    def complete(self) -> bool:
        return not self._begun or (self._stream.eof and not self._left)


_DECODERS: Final[Mapping[str, Callable[[], Decoder]]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    **({} if zstd is None else {"zstd": _Zstd}),
}


def decoder_of(content_encoding: str | None) -> Decoder | None:
    """What decompresses a body with this header; None where nothing need be done.

    Raises:
        UnknownEncoding: it is none that is taken here.
    """
    name = (content_encoding or "identity").strip().lower()
    if name in {"", "identity"}:
        return None
    made = _DECODERS.get(name)
    if made is not None:
        return made()
    message = f"content-encoding {name[:100]!r} is not taken"
    hint = f"send the body as it is, or compress it once, with one of {', '.join(_DECODERS)}"
    raise UnknownEncoding(message, field="Content-Encoding", hint=hint, code="unknown_encoding")


async def decoded(chunks: AsyncIterable[bytes], decoder: Decoder | None) -> AsyncIterator[bytes]:
    """A body's pieces, decompressed; none is larger than ``PIECE_BYTES`` where it was compressed.

    Raises:
        BadEncoding: it is not what the header says, or ends early.
    """
    if decoder is None:
        async for chunk in chunks:
            yield chunk
        return
    try:
        async for piece in _decompressed(chunks, decoder):
            yield piece
    except _ERRORS as error:
        hint = "send what one of gzip and zstd wrote, with a window of at most 8 MiB, or the body as it is"
        raise BadEncoding(str(error), field="Content-Encoding", hint=hint, code="bad_encoding") from None
    if not decoder.complete:
        message = "the compressed body ends early"
        raise BadEncoding(message, field="Content-Encoding", hint="send all of it", code="bad_encoding")


async def _decompressed(chunks: AsyncIterable[bytes], decoder: Decoder) -> AsyncIterator[bytes]:
    """The pieces, none of them empty."""
    barren = 0
    async for chunk in chunks:
        if not chunk:
            continue
        barren += len(chunk)
        piece = decoder.feed(chunk, SMALL_BYTES)
        while True:
            if piece:
                barren = 0
                yield piece
            if decoder.hungry:
                break
            piece = await asyncio.to_thread(decoder.feed, b"", PIECE_BYTES)
        if barren > _BARREN_BYTES:
            message = f"over {_BARREN_BYTES} compressed bytes become nothing"
            hint = "leave empty members and frames out"
            raise BadEncoding(message, field="Content-Encoding", hint=hint, code="bad_encoding")


async def compressed(body: bytes, accept_encoding: str | None) -> tuple[bytes, dict[str, str]]:
    """A reply and its headers: compressed where it is large and the client takes zstd, which costs little. gzip costs too much."""
    if len(body) < LARGE_REPLY_BYTES or not takes_zstd(accept_encoding):
        return body, {}
    small = await asyncio.to_thread(zstd.compress, body, _REPLY_LEVEL)
    return small, {"Content-Encoding": "zstd", "Vary": "Accept-Encoding"}


def takes_zstd(accept_encoding: str | None) -> bool:
    """Whether a client says that it takes zstd, by name."""
    if "zstd" not in _DECODERS:
        return False
    for item in (accept_encoding or "").lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        if name == "zstd":
            return not any(part.replace(" ", "") in {"q=0", "q=0.0", "q=0.00", "q=0.000"} for part in parameters)
    return False
