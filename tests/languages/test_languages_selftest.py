"""The self-tests of every language get their verdicts by the real tools, judged by hand."""

from __future__ import annotations

import os
import subprocess
import tempfile
from math import ceil
from pathlib import Path

import pytest
from languages.language_runs import CATALOGUE, build, marks, need_tools, start_of

from scalebox.core.verdict import Verdict
from scalebox.languages.definition import Language, SelfTest

ALL = [
    pytest.param(language, test, id=f"{language.id}-{test.name}", marks=marks(language))
    for language in CATALOGUE.tongues()
    for test in language.self_tests
]


def judge(language: Language, test: SelfTest) -> Verdict:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if build(language, test.source, folder) is not None:
            return Verdict.CE
        # CPU time, so that a busy machine decides alike; the signal of `ulimit -t` ends the program.
        start, surroundings = start_of(language, test.source)
        argv = ["bash", "-c", f'ulimit -t {ceil(test.cpu_seconds)}; exec "$@"', "run", *start]
        environment = {"PATH": os.environ["PATH"], **surroundings}
        with tempfile.TemporaryFile() as stdin:  # a file, as in a box
            stdin.write(test.input)
            stdin.seek(0)
            done = subprocess.run(argv, cwd=folder, env=environment, stdin=stdin, capture_output=True, check=False)
    if done.returncode in {-9, -24}:
        return Verdict.TLE
    if b"SyntaxError" in done.stderr:
        return Verdict.CE
    if done.returncode != 0:
        return Verdict.RTE
    return Verdict.AC if done.stdout == test.answer else Verdict.WA


@pytest.mark.parametrize(("language", "test"), ALL)
def test_self_tests_get_the_verdict_due(language: Language, test: SelfTest) -> None:
    assert judge(language, test) is test.verdict


@pytest.mark.parametrize("language", [pytest.param(one, id=one.id, marks=marks(one)) for one in CATALOGUE])
def test_the_probe_reads_the_version_of_what_is_here(language: Language) -> None:
    need_tools(language)
    done = subprocess.run(language.probe.command, capture_output=True, text=True, check=False)
    version = language.probe.version(done.stdout + done.stderr)
    assert version is not None
    assert version[0].isdigit()
