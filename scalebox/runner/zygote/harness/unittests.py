"""The tests that test code brings in the shape of unittest or pytest: those that it runs are seen, those that it only defines are run."""

from __future__ import annotations

import sys

from scalebox.runner.zygote.harness.names import words
from scalebox.runner.zygote.harness.testcode import FILENAME, ONLY_AST, BrokenTest, final_exit, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    import unittest
    from collections.abc import Mapping


_BLOCKS = words("ExceptHandler For If Try TryStar While With")


class Unittests:
    """The runs of unittest: ``unittest.main(exit=False)`` ends normally whatever its tests did."""

    def __init__(self) -> None:
        self.failures: list[str] = []
        self.passed = False
        """Whether some run had tests, and all of them passed."""

    def watch(self) -> None:
        """See every run from now on."""
        import unittest

        original = unittest.TextTestRunner.run

        def run(runner: unittest.TextTestRunner, test: unittest.TestSuite) -> object:
            result = original(runner, test)
            if not result.wasSuccessful() or any(not _is_declared(skipped) for skipped, _ in result.skipped):
                self.failures.append("a run of unittest failed")
            elif result.testsRun > len(result.skipped):
                self.passed = True
            return result

        unittest.TextTestRunner.run = run  # type: ignore[method-assign, assignment]  # to see every run

    def run_left(self, code: str, namespace: Mapping[str, object]) -> None:
        """Run what test code defines and leaves to a framework.

        These are its classes of unittest where it ran none, and its functions ``test…`` without parameters that it names nowhere else.

        Args:
            code: the test code, which has come to its end.
            namespace: its names.

        Raises:
            BrokenTest: it has such classes, and no test in them.
            BaseException: what a function raises. A failure in a class is told by `failures`.
        """
        if "test" not in code and "TestCase" not in code:
            return
        tree = compile(code, FILENAME, "exec", ONLY_AST, dont_inherit=True)
        if not self.passed and not self.failures:
            self._run_classes(tree, namespace)
        _call_functions(tree, namespace)

    def _run_classes(self, tree: object, namespace: Mapping[str, object]) -> None:
        unittest = sys.modules.get("unittest")
        if unittest is None:
            return
        defined = [namespace.get(name) for name in _names(tree, "ClassDef")]
        classes = [made for made in defined if isinstance(made, type) and issubclass(made, unittest.TestCase)]
        if not classes:
            return
        found = [unittest.defaultTestLoader.loadTestsFromTestCase(made) for made in dict.fromkeys(classes)]
        unittest.TextTestRunner(verbosity=0).run(unittest.TestSuite(found))
        if not self.passed and not self.failures:
            raise BrokenTest("the classes of the test code hold no test that is run")


def is_normal_exit(error: BaseException, code: str, style: str, tests: Unittests) -> bool:
    """Whether an exit of test code says what a normal end says: after a run of unittest that passed, or as the text's last word.

    Args:
        error: what ended the test code.
        code: its text.
        style: of the case.
        tests: the runs so far.
    """
    if not isinstance(error, SystemExit) or error.code:
        return False
    if tests.passed and _is_of_test(error):
        return True
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_name != "<module>" or trace.tb_frame.f_code.co_filename != FILENAME:
        return False
    return style != "check" and trace.tb_lineno == final_exit(code)


def _is_of_test(error: BaseException) -> bool:
    """Whether nothing but test code, unittest and we ourselves led to an exit: a program that shares the process may end it, too."""
    unittest = sys.modules["unittest"]
    own = _is_of_test.__code__.co_filename
    ours = tuple(file.rpartition("/")[0] + "/" for file in (str(unittest.__file__), own))
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file != FILENAME and not file.startswith(ours):
            return False
        trace = trace.tb_next
    return True


def _is_declared(test: unittest.TestCase) -> bool:
    """Whether the text says that a test is skipped; one that is skipped while it runs could be the program's doing."""
    method = getattr(test, getattr(test, "_testMethodName", ""), None)
    return getattr(type(test), "__unittest_skip__", False) or getattr(method, "__unittest_skip__", False)


def _call_functions(tree: object, namespace: Mapping[str, object]) -> None:
    names = [name for name in _names(tree, "FunctionDef", "AsyncFunctionDef") if name.startswith("test")]
    if not names:
        return
    named = {getattr(node, field, None) for node in walk(tree) for field in ("id", "attr", "value")}
    if not named.isdisjoint({"globals", "locals", "vars", "dir", "__dict__"}):
        return  # it may have called them by what it found there
    for name in dict.fromkeys(names):
        function = namespace.get(name)
        if name in named or not callable(function) or _parameters(function):
            continue
        returned: object = function()
        if hasattr(returned, "__next__"):
            for _ in returned:  # type: ignore[attr-defined]  # a generator
                pass
        elif hasattr(returned, "__await__"):
            import asyncio

            asyncio.run(returned)  # type: ignore[arg-type]  # a coroutine


def _names(tree: object, *kinds: str) -> list[str]:
    """The definitions of some kinds at the top level, also under a condition."""
    waiting = [tree]
    names: list[str] = []
    while waiting:
        node = waiting.pop(0)
        for block in ("body", "handlers", "orelse", "finalbody"):
            for inner in getattr(node, block, ()):
                if type(inner).__name__ in kinds:
                    names.append(inner.name)
                elif type(inner).__name__ in _BLOCKS:
                    waiting.append(inner)
    return names


def _parameters(function: object) -> bool:
    """Whether a function has parameters; what is none, as after a decorator, may have."""
    code = getattr(function, "__code__", None)
    return code is None or code.co_argcount + code.co_kwonlyargcount > 0
