"""Compatibility requests that end in the same bytes: the test cases of many rollouts of one problem are read once.

Theory of operation: a request is cut where its ``config`` begins. What comes before is small and its own; what comes from there to the end
is kept with the call it led to, for the few that came last. Where the next request ends in the very same bytes, only its beginning is
read. That is sound because the beginning is read with another member in place of the rest: it is JSON then, with that member
in the outermost object, only if the cut is where a member may begin; and what may follow there is JSON whatever came before.
A beginning that says more than the completion and the id, or is at fault, leads to the whole request being read as ever.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from scalebox.core.errors import RequestError
from scalebox.core.submission import Completion
from scalebox.wire import legacy
from scalebox.wire.convert_legacy import EvaluateCall
from scalebox.wire.parse import parse_json, validate

LEAST_BYTES: Final = 256 << 10
"""Shorter ones are read as quickly as they are compared; also, these are read one after the other, in one thread."""
MOST_BYTES: Final = 128 << 20
_CUT: Final = b'"config"'
_HEAD_BYTES: Final = 2048
_HEAD_FIELDS: Final = frozenset({"completion", "id"})

Key = tuple[type[legacy.EvaluateIn], bool, int, bytes]
"""Shape, whether the id comes before the cut, and of the tail its length and first bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tail:
    bytes: bytes
    call: EvaluateCall


class Tails:
    """The ends of large requests, the longest unused first to go. Used by one thread only.

    Args:
        most_bytes: of them together.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._held = 0
        self._tails: OrderedDict[Key, _Tail] = OrderedDict()

    def call(
        self, body: bytes, model: type[legacy.EvaluateIn], convert: Callable[[bytes], EvaluateCall]
    ) -> EvaluateCall:
        """What ``convert`` makes of a body.

        Args:
            body: the request.
            model: its shape; the same bytes may mean another thing in another one.
            convert: reads the whole body.

        Raises:
            RequestError: the request is at fault.
        """
        at = body.find(_CUT)
        head = None if len(body) < LEAST_BYTES or at < 0 else _head(body[:at])
        if head is None:
            return convert(body)
        key = (model, "id" in head.model_fields_set, len(body) - at, body[at : at + _HEAD_BYTES])
        tail = self._tails.get(key)
        if tail is not None and body.endswith(tail.bytes):
            self._tails.move_to_end(key)
            return _with_head(tail.call, head)
        call = convert(body)
        self._keep(key, _Tail(bytes=body[at:], call=call))
        return call

    def _keep(self, key: Key, tail: _Tail) -> None:
        there = self._tails.pop(key, None)
        self._held += len(tail.bytes) - (0 if there is None else len(there.bytes))
        self._tails[key] = tail
        while self._held > self._most_bytes:
            self._held -= len(self._tails.popitem(last=False)[1].bytes)


def _head(beginning: bytes) -> legacy.HeadIn | None:
    """What the beginning of a request says, where that is only what differs from rollout to rollout."""
    other = secrets.token_hex(16)
    try:
        tree = parse_json(b'%b"%b":0}' % (beginning, other.encode()))
    except RequestError:
        return None
    if not isinstance(tree, dict) or tree.pop(other, None) != 0 or not _HEAD_FIELDS.issuperset(tree):
        return None
    try:
        return validate(legacy.HeadIn, tree)
    except RequestError:
        return None


def _with_head(call: EvaluateCall, head: legacy.HeadIn) -> EvaluateCall:
    submission = Completion(text=head.completion, language=call.submission.language)
    return replace(call, id=head.id if "id" in head.model_fields_set else call.id, submission=submission)
