"""The interpreter's code on huge pages: the same bytes, read-only as before, and an interpreter that works."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scalebox.config import Settings, program_python
from scalebox.runner.zygote import huge_pages

SCRIPT = """
import ctypes, importlib.util, json, re, sys
spec = importlib.util.spec_from_file_location("huge_pages", sys.argv[1])
huge_pages = importlib.util.module_from_spec(spec)
spec.loader.exec_module(huge_pages)
low, high = huge_pages._segments()
before = ctypes.string_at(low, high - low)
moved = huge_pages.lift_interpreter()
after = ctypes.string_at(low, high - low)
maps = [line.split(maxsplit=5) for line in open("/proc/self/maps")]
inside = [fields for fields in maps if low <= int(fields[0].split("-")[0], 16) < high]
print(json.dumps({
    "room": max(0, high // huge_pages.HUGE - -(-low // huge_pages.HUGE)),
    "moved": moved,
    "granted": huge_pages.granted(),
    "same": before == after,
    "writable": [fields for fields in inside if fields[1][1] != "-"],
    "files": len({fields[5] for fields in inside if len(fields) > 5}),
    "works": sorted(re.findall("[a-z]+", "some words to find"))[:2] + [sum(i * i for i in range(10**5))],
}))
"""


@pytest.mark.parametrize("python", sorted({sys.executable, str(program_python(Settings()))}))
def test_interpreter_is_the_same_afterwards(python: str) -> None:
    asked = [python, "-c", SCRIPT, str(Path(huge_pages.__file__))]
    reply = subprocess.run(asked, capture_output=True, text=True, check=True)
    told = json.loads(reply.stdout)
    assert told["same"]
    assert not told["writable"]
    assert told["works"] == ["find", "some", 333328333350000]
    assert told["files"] <= 1
    assert told["moved"] == (told["room"] if told["granted"] else 0)
    assert told["room"] > 0
