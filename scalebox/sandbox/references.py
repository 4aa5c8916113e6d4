"""Room for descriptors on their way in messages, which the kernel bounds for all processes of a user together. Changes our own limit only.

Programs that run as the service's user may leave as many under way as their own limit of descriptors allows, and somewhat more
with their last message; a process with no higher limit can then send none (ETOOMANYREFS, unix(7)), which would be a failure of
ours that a program can bring about. So whoever sends descriptors has a higher limit than programs have.
"""

from __future__ import annotations

import errno
import resource
import socket
from collections.abc import Sequence

_PROGRAMS = 1024


def for_programs() -> int:
    """How many descriptors a program may have, so that this process may have more."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return _PROGRAMS if hard == resource.RLIM_INFINITY else min(_PROGRAMS, hard // 2)


def widen() -> None:
    """Take all descriptors that this process may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def send(control: socket.socket, packet: bytes, descriptors: Sequence[int]) -> None:
    """Send a packet with descriptors, if need be with a wider limit.

    Raises:
        OSError: the other side is gone, or even then there is no room.
    """
    try:
        socket.send_fds(control, [packet], descriptors)
    except OSError as error:
        if error.errno != errno.ETOOMANYREFS:
            raise
        widen()
        socket.send_fds(control, [packet], descriptors)
