"""Small field checks that the v1 and the legacy shapes share. Bytes survive unchanged; a path never leaves its folder."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Final

from scalebox.core.errors import RequestError

PATH_BYTES: Final = 4096
NAME_BYTES: Final = 255


def decode_base64(text: str, field: str) -> bytes:
    """The bytes behind base64 text.

    Raises:
        RequestError: it is not base64 of the standard alphabet.
    """
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        hint = "use the standard alphabet with padding, without line breaks"
        raise RequestError(f"not base64: {error}", field=field, hint=hint, code="invalid_base64") from None


def encode_base64(data: bytes) -> str:
    """Base64 text of the standard alphabet."""
    return base64.b64encode(data).decode("ascii")


def choose_bytes(text: str | None, encoded: str | None, field: str) -> bytes | None:
    """The bytes of a field that is given as text or as ``<field>_base64``; None when neither is.

    Raises:
        RequestError: both are given, or the base64 is invalid.
    """
    if text is not None and encoded is not None:
        message = f"{field} and {field}_base64 are both given"
        raise RequestError(message, field=field, hint="give exactly one of them", code="conflicting_fields")
    if encoded is not None:
        return decode_base64(encoded, f"{field}_base64")
    return None if text is None else text.encode()


def need_bytes(text: str | None, encoded: str | None, field: str) -> bytes:
    """As ``choose_bytes``, where one of the two must be given.

    Raises:
        RequestError: none or both are given, or the base64 is invalid.
    """
    data = choose_bytes(text, encoded, field)
    if data is None:
        message = f"neither {field} nor {field}_base64 is given"
        raise RequestError(message, field=field, hint="give exactly one of them", code="missing")
    return data


def text_or_base64(data: bytes) -> tuple[str, str | None]:
    """Text for people, and base64 where the text is not the whole truth."""
    try:
        return data.decode(), None
    except UnicodeDecodeError:
        return data.decode(errors="replace"), encode_base64(data)


def clean(text: str) -> str:
    """Text that can be encoded as UTF-8: lone surrogates become question marks."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def check_args(args: Sequence[str], field: str) -> Sequence[str]:
    """Command-line arguments that a kernel can pass.

    Raises:
        RequestError: one holds a NUL.
    """
    for number, arg in enumerate(args):
        if "\0" in arg:
            message = "an argument cannot hold a NUL character"
            raise RequestError(message, field=f"{field}.{number}", hint="remove it", code="invalid_argument")
    return tuple(args)


def check_path(path: str, field: str) -> str:
    """A relative path that stays in its folder.

    Raises:
        RequestError: it is empty, absolute or too long, or has a NUL or an empty, ``.`` or ``..`` component.
    """
    parts = path.split("/")
    fault = None
    if path.startswith("/"):
        fault = "is absolute"
    elif "\0" in path:
        fault = "holds a NUL character"
    elif ".." in parts:
        fault = "leaves its folder"
    elif "" in parts or "." in parts:
        fault = "has an empty or '.' component"
    elif len(path.encode()) > PATH_BYTES or any(len(part.encode()) > NAME_BYTES for part in parts):
        fault = "is too long"
    if fault is None:
        return path
    message = f"the path {path[:200]!r} {fault}"
    raise RequestError(message, field=field, hint="use a relative path such as data/in.txt", code="invalid_path")


def decode_files(files: Mapping[str, str | None], field: str) -> dict[str, bytes]:
    """Files from base64; entries without content are left out.

    Raises:
        RequestError: a path or its base64 is invalid, or one path is a folder of another.
    """
    decoded: dict[str, bytes] = {}
    for path, text in files.items():
        check_path(path, f"{field}.{path}")
        if text is not None:
            decoded[path] = decode_base64(text, f"{field}.{path}")
    for path in decoded:
        parts = path.split("/")
        for depth in range(1, len(parts)):
            if (folder := "/".join(parts[:depth])) in decoded:
                message = f"{folder!r} is a file and cannot hold {path!r}"
                raise RequestError(message, field=f"{field}.{path}", hint="rename one", code="invalid_path")
    return decoded
