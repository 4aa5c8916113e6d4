"""A toolchain is believed once it judged a right program in a box; what keeps it from that is told."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from runner.rig import Rig

from scalebox.languages.catalogue import Catalogue
from scalebox.languages.definition import CompileSpec, Language, Probe
from scalebox.runner.compiler import Toolchain
from scalebox.runner.toolchains import look, prove

pytestmark = pytest.mark.sandbox

PATH = "/usr/local/bin:/usr/bin:/bin"
COMPILE = CompileSpec(
    command=("bash", "{source}"), optional=("-fast",), artifact="main", memory_mb=256, processes=16, disk_mb=16
)


def toy(rig: Rig, source: str = "echo 5", **changes: object) -> Language:
    """A language of its own whose right program is that source."""
    bash = rig.language("bash")
    right = replace(bash.self_tests[0], source=source)
    made = replace(bash, id="toy", family="toy", aliases=(), self_tests=(right,))
    return replace(made, **changes)  # type: ignore[arg-type]  # fields of a Language


async def proved(rig: Rig, language: Language) -> Toolchain:
    found = look(Catalogue([language]), PATH)[language.id]
    async with rig.engine.pool.lease() as pair:
        return await prove(pair, language, found, rig.engine.work_folder)


async def test_a_toolchain_that_judges_truly_has_its_version(rig: Rig) -> None:
    found = await proved(rig, toy(rig))
    assert found.here
    assert found.version is not None
    assert found.version[0].isdigit()


def test_a_look_names_what_is_missing_and_runs_nothing(rig: Rig) -> None:
    absent = toy(rig, requires=("no-such-tool", "/no/such/file"))
    broken = toy(rig, id="broken", family="broken", probe=Probe(command=("false",), pattern=re.compile(r"x")))
    found = look(Catalogue([absent, broken]), PATH)
    assert not found["toy"].here
    assert found["toy"].reason == f"no-such-tool, /no/such/file not found; {absent.install.hint}"
    assert found["broken"] == Toolchain(version=None)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("echo 6", r"its self-test fails: its output is wrong: 6"),
        ("true", r"its self-test fails: its output is wrong: there is none"),
        ("echo why >&2; exit 3", r"its self-test fails: exit code 3, why"),
    ],
)
async def test_a_toolchain_that_judges_wrongly_is_not_to_be_had(rig: Rig, source: str, reason: str) -> None:
    found = await proved(rig, toy(rig, source))
    assert (found.version, found.reason) == (None, reason)


async def test_a_toolchain_that_does_not_start_or_compile_says_so(rig: Rig) -> None:
    silent = Probe(command=("true",), pattern=re.compile(r"(?P<version>5)"))
    assert "true does not work in the box" in str((await proved(rig, toy(rig, probe=silent))).reason)
    found = await proved(rig, toy(rig, "echo no; exit 1", compile=COMPILE))
    assert found.reason == "its self-test fails: it does not compile: no"
