"""Three writers of a registry, each a process: they add versions of one problem's judge, put each into use, count, and say what is done.

They are forked, so that what they import is imported once. The one called ``killed`` never ends by itself.
"""

from __future__ import annotations

import os
import sys
from itertools import count

from registry.samples import new

from scalebox.registry.entry import Use
from scalebox.registry.store import Registry

NAMES = ("one", "two", "killed")


def say(*words: object) -> None:
    """One line, written at once: writers share the pipe."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def write(url: str, name: str, rounds: int, shared: str) -> None:
    """Write until done, or killed."""
    registry = Registry(url)
    say("pid", name, os.getpid())
    for number in count() if name == "killed" else range(rounds):
        made, _ = registry.add(new(f"# {name} {number}\n"), by=name)
        say("added", name, made.id)
        registry.activate(made.id, by=name)
        say("activated", name, made.id)
        registry.note_uses({made.id: Use(judgements=1), shared: Use(judgements=1)})
        say("counted", name, made.id)


def main(url: str, rounds: int, shared: str) -> int:
    """Start the writers; how many failed, the killed one included."""
    children = []
    for name in NAMES:
        pid = os.fork()
        if pid == 0:
            write(url, name, rounds, shared)
            os._exit(0)
        children.append(pid)
    return sum(os.waitpid(pid, 0)[1] != 0 for pid in children)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
