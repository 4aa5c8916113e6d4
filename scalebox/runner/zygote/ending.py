"""End a program as the interpreter itself would end: traceback, threads, atexit, finalisers, flush, exit code. In boxes.

Source of what is done and in which order: Py_RunMain() and Py_FinalizeEx() of CPython's main.c and pylifecycle.c; docs/adr/0004
says what of it is seen from outside. Stdlib only.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself pulls in enum
import _weakref
import atexit
import gc
import os
import sys

from scalebox.sandbox import linux

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from scalebox.runner.zygote.child import Box

_EXIT_UNFLUSHED = 120  # what CPython exits with when flushing stdout fails at the end
_NOTHING: dict[str, object] = {}
_len, _print = len, print  # a program may have changed these
_EMPTY = 9 if sys.version_info < (3, 14) else 8
"""Names in the namespace of a program that defines none."""


def finish(box: Box, error: BaseException | None, leave: Callable[[int], object] = os._exit) -> None:
    """End the process.

    Args:
        box: whose program ended.
        error: what it raised, if it did.
        leave: called with the exit code, last; a rehearsal stays.
    """
    code = 0
    interrupted = False
    if error is not None:
        interrupted = type(error) is KeyboardInterrupt  # the interpreter too looks for this very class
        code = _end_code(error, box.uncaught)
        error = None
    box.namespace = _NOTHING
    _run_exit_handlers()
    flushed = flush()
    _finalize()
    _flush_last()
    taken = box.shelf.taken
    more = _len(sys.modules) - ("__main__" in sys.modules) > box.modules + _len(taken)
    if more or "_ctypes" in taken:  # a library it imported or called may use C's own buffers
        linux.flush_c_streams()
    if interrupted:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.kill(os.getpid(), _signal.SIGINT)
    if not flushed and code == 0:
        code = _EXIT_UNFLUSHED
    leave(code)


def _end_code(error: BaseException, uncaught: int) -> int:
    """The exit code for what ended the program, its traceback printed where the interpreter would print one."""
    code = _exit_code(error)
    if code is None:
        _print_traceback(error)
        return uncaught
    if uncaught != 1 and isinstance(error, SystemExit) and isinstance(error.code, int) and error.code != code:
        return uncaught  # a judge that counts errors: 256 of them are no success
    return code


def _print_traceback(error: BaseException) -> None:
    """What PyErr_Print does, without the frames that are ours."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OUR_FOLDER):
        trace = trace.tb_next
    error.__traceback__ = trace
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    hook = getattr(sys, "excepthook", None)
    _flush_one(getattr(sys, "stdout", None))
    if hook is None:
        return
    try:
        hook(type(error), error, trace)
    except BaseException as second:  # ruff: ignore[blind-except] - as the interpreter does: report both
        if isinstance(second, SystemExit):
            os._exit(_exit_code(second) or 0)
        sys.stderr.write("Error in sys.excepthook:\n")
        sys.__excepthook__(type(second), second, second.__traceback__)
        sys.stderr.write("\nOriginal exception was:\n")
        sys.__excepthook__(type(error), error, trace)


_OUR_FOLDER = __file__.rpartition("/")[0]


def _exit_code(error: BaseException) -> int | None:
    """The exit code the interpreter gives an end; None means print a traceback."""
    if not isinstance(error, SystemExit):
        return None
    code = error.code
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF if -(1 << 63) <= int(code) < 1 << 63 else 0xFF
    _flush_one(getattr(sys, "stdout", None))
    _print(code, file=sys.stderr)
    return 1


def _run_exit_handlers() -> None:
    threading = sys.modules.get("threading")
    if threading is not None:
        try:
            threading._shutdown()
        except BaseException as error:  # ruff: ignore[blind-except] - as the interpreter does: report and go on
            _unraisable(error, "Exception ignored in: " + repr(threading))
    atexit._run_exitfuncs()


def _unraisable(error: BaseException, message: str) -> None:
    sys.stderr.write(message + "\n")
    sys.__excepthook__(type(error), error, error.__traceback__)


def flush() -> bool:
    """Flush both streams; False when standard output could not be."""
    sound = True
    for stream, counts in ((getattr(sys, "stdout", None), True), (getattr(sys, "stderr", None), False)):
        if stream is None or getattr(stream, "closed", False):
            continue
        try:
            stream.flush()
        except BaseException as error:  # ruff: ignore[blind-except] - as the interpreter does: report stdout's, ignore stderr's
            if counts:
                sound = False
                if sys.stderr is not None:
                    _unraisable(error, "Exception ignored in: " + repr(stream))
    return sound


def _flush_one(stream: TextIO | None) -> None:
    """Flush where no one is left to tell of an error."""
    try:
        if stream is not None:
            stream.flush()
    except (OSError, ValueError, AttributeError):
        pass


def _flush_last() -> None:
    """What finalisers printed; there is no one left to tell of an error."""
    _flush_one(sys.stdout)
    _flush_one(sys.stderr)


def _finalize() -> None:
    """Let the program's objects die in the order the interpreter kills them, without tearing down the interpreter.

    Source: finalize_modules() and _PyModule_ClearDict() of CPython's pylifecycle.c and moduleobject.c. Daemon threads
    would be frozen there; here the interpreter lock is kept as long as it can be.
    """
    modules = sys.modules
    if "threading" in modules:
        sys.setswitchinterval(1e6)
    if "last_value" in sys.__dict__:
        sys.last_value = sys.last_traceback = None
        if sys.version_info >= (3, 12):
            sys.last_exc = None
    try:
        sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__
    except AttributeError:  # a program may delete even these
        sys.stdout = sys.stderr = None
    main = modules.get("__main__")
    if main is None or (_len(main.__dict__) == _EMPTY and "solution" not in modules):
        gc.collect()  # the program left no name behind, but perhaps what refers to itself
        return
    del modules["__main__"]
    if gc.isenabled():
        gc.collect()
    left = [_weakref.ref(module) for module in (main, sys.modules.pop("solution", None)) if module is not None]
    main = None
    gc.collect()  # finalisers run here, with the module's names still in place
    for reference in left:
        survivor = reference()
        if survivor is not None:
            _clear(survivor.__dict__)
            gc.collect()


def _clear(namespace: dict[str, object]) -> None:
    """First the names that begin with one underscore, then the rest but builtins, as CPython does."""
    for name in list(namespace):
        if name.startswith("_") and not name.startswith("__") and namespace.get(name) is not None:
            namespace[name] = None
    for name in list(namespace):
        if (
            name != "__builtins__"
            and namespace.get(name) is not None
            and not (name.startswith("_") and name[1:2] != "_")
        ):
            namespace[name] = None
