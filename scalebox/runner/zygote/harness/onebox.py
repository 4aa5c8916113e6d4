"""The fallback of assert cases: program and test code in one interpreter. Proves completion, not innocence.

Used only where the test code wants what cannot cross between boxes; the judgement then says ``hardened: false``. A program
here can read the test code and write a report of its own; the report's absence still is never a pass.
"""

from __future__ import annotations

import sys
from os import getpid

from scalebox.runner.zygote.harness import prelude, reporting, testcode
from scalebox.runner.zygote.harness.given import TEST_MODULE
from scalebox.runner.zygote.harness.reporting import Report, of_exception
from scalebox.runner.zygote.harness.resolve import resolve
from scalebox.runner.zygote.harness.testcode import FILENAME, BrokenTest
from scalebox.runner.zygote.harness.unittests import Unittests, is_normal_exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType


def run(code: CodeType, namespace: dict[str, object], spec: Mapping[str, object], report_fd: int) -> None:
    """Execute the program, then the test code in the program's namespace, and write one report.

    Args:
        code: the program, compiled.
        namespace: of a fresh module that is not ``__main__``.
        spec: as for ``driver.run``.
        report_fd: receives the report.

    Raises:
        BaseException: what the program's top level raises; there is no report then.
    """
    pid = getpid()
    setup = spec.get("setup")
    text = f"{setup}\n{spec['code']}" if setup else str(spec["code"])
    exec(code, namespace)  # ruff: ignore[exec-builtin] - running the program is what a box is for
    report = _tested(namespace, spec, text)
    if getpid() == pid:  # a fork of the program that returns here too has no say
        report.write(report_fd)


def _tested(namespace: dict[str, object], spec: Mapping[str, object], text: str) -> Report:
    tests = Unittests()
    try:
        test = testcode.compiled(text)
        prelude.install(test, namespace)
        if "unittest" in text:
            tests.watch()
        namespace["__name__"] = TEST_MODULE  # as the test code asks, and where frameworks look for it
        sys.argv = ["main.py"]
        sys.modules[TEST_MODULE] = sys.modules[testcode.PROGRAM_MODULE]
        exec(test, namespace)  # ruff: ignore[exec-builtin] - the test code is trusted; it came with the problem
        if spec["style"] == "check":
            _check(namespace, str(spec.get("entry_point") or ""))
        else:
            tests.run_left(text, namespace)
    except BrokenTest as error:
        return Report(reporting.BROKEN_TEST, str(error))
    except BaseException as error:  # ruff: ignore[blind-except] - every end of test code is an outcome
        if not is_normal_exit(error, text, str(spec["style"]), tests):
            return of_exception(reporting.FAILED, error, FILENAME)
    if tests.failures:
        return Report(reporting.FAILED, tests.failures[0])
    return Report(reporting.PASSED)


def _check(namespace: dict[str, object], entry_point: str) -> None:
    check = namespace.get("check")
    if not callable(check):
        raise BrokenTest("the test code defines no function check")
    check(resolve(namespace, entry_point))
