"""Do in a slot's parent what every box will do, as far as it can be done without being bound by it.

The interpreter fills its method cache and specialises bytecode as code runs. Done before the fork, boxes find it so;
done after, each writes pages of its own, and every page it writes costs a fault. Runs in a slot's parent, once.
"""

from __future__ import annotations

import gc
import marshal
import os
import resource
import sys

from scalebox.runner.zygote import child, ending
from scalebox.runner.zygote.code import pack_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scalebox.runner.zygote.state import Slot

_ROUNDS = 20
"""More than the interpreter waits before it specialises."""

_PROGRAM = b"""
import io, sys
text = io.TextIOWrapper(io.BytesIO(b"3\\n1 2 3\\n4 5\\n"), encoding="utf-8")
def main():
    count = int(text.readline())
    numbers = list(map(int, text.readline().split()))
    for line in text:
        a, b = map(int, line.strip().split(" "))
        numbers.append(a + b)
    numbers.sort(key=lambda number: -number)
    seen = {}
    for number in numbers:
        seen[number] = seen.get(number, 0) + count
    return " ".join(str(key) for key in sorted(seen)) + f"{count:>3}\\n"
if main():
    print(end="")
"""
"""What most programs do: read lines, split them, collect numbers, write."""

_FILES = [("given-1", b"1 2\n"), ("given-2", b"3\n")]
_JUDGE = b"""
import sys
def read(path):
    with open(path) as file:
        return file.read().split()
def judge():
    numbers = [int(word) for path in ("given-1", "given-2") for word in read(path)]
    return len(numbers) == 3
sys.exit(0 if judge() else 1)
"""
"""What most judges do: read files, compare, say by an exit code what they found."""


def rehearse(slot: Slot) -> None:
    """Go the whole way of a box, from its walls to its end, with limits that change nothing."""
    boot = sys.modules["__main__"]
    largest, tasks = resource.getrlimit(resource.RLIMIT_FSIZE), resource.getrlimit(resource.RLIMIT_NPROC)
    end = slot.descriptor_limit
    nothing = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    for _ in range(_ROUNDS):
        box = child.Box(slot, child.new_module("__main__", slot.main_file))
        child.shut(nothing, 1, largest, tasks, -1, slot.entered, end, end)
        box.made = pack_code(_PROGRAM, slot.main_file)
        code = box.load()
        if code is not None:
            exec(code, box.namespace)  # ruff: ignore[exec-builtin] - a text of our own
        ending.finish(box, None, abs)
        gc.collect()
    os.close(nothing)
    _rehearse_judge(slot)
    os.eventfd_read(slot.entered)
    sys.modules["__main__"] = boot
    slot.shelf.is_programs = False


def _rehearse_judge(slot: Slot) -> None:
    """The same for a box that is told what to do, given files, and ends by an exit code."""
    largest, tasks = resource.getrlimit(resource.RLIMIT_FSIZE), resource.getrlimit(resource.RLIMIT_NPROC)
    end = slot.descriptor_limit
    code, told = (os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600) for name in ("code", "told"))
    size = os.write(code, pack_code(_JUDGE, slot.main_file))
    told_size = os.write(told, marshal.dumps({"mode": "main", "uncaught": 70, "args": [], "files": _FILES}, 2))
    for _ in range(_ROUNDS):
        box = child.Box(slot, child.new_module("__main__", slot.main_file))
        files = box.hear(told, told_size)
        box.made = child.shut(code, size, largest, tasks, -1, slot.entered, end, end, -1, files)
        program = box.load()
        error: BaseException | None = None
        try:
            if program is not None:
                exec(program, box.namespace)  # ruff: ignore[exec-builtin] - a text of our own
        except SystemExit as caught:
            error = caught
        ending.finish(box, error, abs)
        error = program = None
        gc.collect()
    os.close(code)
    os.close(told)
    slot.boxes.reset()
