"""Which handling of a zygote trap guards which program: one small textual change to a copy of a slot's own modules each."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import scalebox

PACKAGE: Final = Path(scalebox.__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """A change that takes one handling away, and programs that must then behave otherwise than under plain Python."""

    trap: str
    programs: tuple[str, ...]
    """One of them suffices."""
    file: str = ""
    old: str = ""
    new: str = "pass"
    without: str = ""
    """Variable of the programs' environment to leave out instead."""
    also: tuple[tuple[str, str], ...] = field(default=())
    """Further changes to the same file."""


CHILD: Final = "runner/zygote/child.py"
PARENT: Final = "runner/zygote/parent.py"
SETUP: Final = "runner/zygote/setup.py"
CODE: Final = "runner/zygote/code.py"
SHELF: Final = "runner/zygote/shelf.py"
ENDING: Final = "runner/zygote/ending.py"

UNDOINGS: Final = (
    Undoing(
        trap="main-registered",
        file=CHILD,
        old="    sys.modules[name] = module\n    return namespace",
        new="    sys.modules[name] = module if name != '__main__' else type(sys)(name)\n    return namespace",
        programs=("main_module/02_import_main_is_same_module", "pickle/01_main_class"),
    ),
    Undoing(trap="argv", file=SETUP, old='sys.argv[:] = ["main.py"]', programs=("identity/02_argv",)),
    Undoing(
        trap="orig-argv",
        file=SETUP,
        old='sys.orig_argv[:] = [sys.executable, "main.py"]',
        programs=("identity/05_orig_argv",),
    ),
    Undoing(trap="path", file=SETUP, old="sys.path[0] = slot.work", programs=("identity/03_sys_path_zero",)),
    Undoing(
        trap="own-modules",
        file=SHELF,
        old="        _leave_in_sight(self._at_first)\n",
        programs=(
            "main_module/14_no_leftover_names",
            "modules/22_import_side_effects",
        ),
    ),
    Undoing(
        trap="c-streams-of-a-shelved-library",
        file=ENDING,
        old=' or "_ctypes" in taken',
        programs=("general/15_c_stdio_unflushed",),
    ),
    Undoing(
        trap="shelf-own-files",
        file=SHELF,
        old='        return {*loads}.isdisjoint([entry.partition(".")[0] for entry in found])\n',
        new="        return True\n",
        programs=("modules/27_own_file_comes_first",),
    ),
    Undoing(
        trap="shelf-search-path",
        file=SHELF,
        old="if sys.path != self._path or (sys.meta_path, sys.path_hooks) != self._finders:",
        new="if False:",
        programs=("modules/29_search_path_changed",),
    ),
    Undoing(
        trap="shelf-stand-ins",
        file=SHELF,
        old="if modules.get(key, own[key]) is not own[key] or",
        new="if",
        programs=("modules/30_stand_in",),
    ),
    Undoing(
        trap="shelf-once",
        file=SHELF,
        old=" or (key in self.taken and key not in modules)",
        programs=("modules/28_forgotten_and_imported_again",),
    ),
    Undoing(
        trap="shelf-submodules",
        file=SHELF,
        old="                self._modules[package].__dict__.pop(name, None)",
        new="                pass",
        programs=("modules/31_submodule_unnamed",),
    ),
    Undoing(
        trap="shelf-at-fork",
        file=SHELF,
        old="                register(**calls)\n",
        programs=("random/21_child_is_seeded_anew",),
    ),
    Undoing(
        trap="work-folder",
        file="sandbox/workdir.py",
        old="os.chdir(self.path(self._names[0]))",
        programs=("general/05_files_in_cwd",),
    ),
    Undoing(
        trap="umask", file=SETUP, old="os.umask(0o022)", new="os.umask(0o077)", programs=("general/32_process_facts",)
    ),
    Undoing(
        trap="pipe-owner",
        file=PARENT,
        old="if uid is not None:  # so that programs may open /dev/stdout anew",
        new="if False:",
        programs=(
            "flush/29_dev_stdout",
            "flush/30_dev_stdout_append_and_fd_path",
        ),
    ),
    Undoing(
        trap="exit-code-range",
        file=ENDING,
        old="int(code) & 0xFF if -(1 << 63) <= int(code) < 1 << 63 else 0xFF",
        new="int(code)",
        programs=("exit_codes/09_sys_exit_big",),
    ),
    Undoing(
        trap="exit-message",
        file=ENDING,
        old="    _print(code, file=sys.stderr)\n",
        new="    pass\n",
        programs=("exit_codes/05_sys_exit_string",),
    ),
    Undoing(
        trap="exit-none",
        file=ENDING,
        old="    if code is None:\n        return 0\n",
        new="",
        programs=(
            "exit_codes/03_sys_exit_none",
            "exit_codes/20_bare_system_exit_class",
        ),
    ),
    Undoing(
        trap="our-frames",
        file=ENDING,
        old="        trace = trace.tb_next\n",
        new="        break\n",
        programs=(
            "tracebacks/41_print_exc_to_stdout",
            "tracebacks/29_frames_of_the_traceback",
            "frames/08_excepthook",
        ),
    ),
    Undoing(
        trap="excepthook",
        file=ENDING,
        old="        hook(type(error), error, trace)\n",
        new="        sys.__excepthook__(type(error), error, trace)\n",
        programs=("tracebacks/14_excepthook_replaced",),
    ),
    Undoing(
        trap="excepthook-raises",
        file=ENDING,
        old='        sys.stderr.write("\\nOriginal exception was:\\n")\n        sys.__excepthook__(type(error), error, trace)\n',
        new="",
        programs=("tracebacks/15_excepthook_raises",),
    ),
    Undoing(
        trap="interrupt",
        file=ENDING,
        old="    if interrupted:\n",
        new="    if False:\n",
        programs=("tracebacks/18_keyboard_interrupt",),
    ),
    Undoing(
        trap="interrupt-exact",
        file=ENDING,
        old="type(error) is KeyboardInterrupt",
        new="isinstance(error, KeyboardInterrupt)",
        programs=("tracebacks/20_keyboard_interrupt_subclass",),
    ),
    Undoing(
        trap="threads-joined",
        file=ENDING,
        old="            threading._shutdown()\n",
        new="            pass\n",
        programs=("threads/01_joined_at_exit",),
    ),
    Undoing(
        trap="atexit",
        file=ENDING,
        old="    atexit._run_exitfuncs()\n",
        new="    pass\n",
        programs=("atexit/01_order_is_last_in_first_out",),
    ),
    Undoing(
        trap="flush",
        file=ENDING,
        old="            stream.flush()\n        except BaseException",
        new="            pass\n        except BaseException",
        also=(("    _flush_last()\n", ""),),
        programs=("flush/01_no_newline_at_end",),
    ),
    Undoing(
        trap="unflushed",
        file=ENDING,
        old="_EXIT_UNFLUSHED = 120",
        new="_EXIT_UNFLUSHED = 0",
        programs=("flush/21_closed_descriptor_one",),
    ),
    Undoing(
        trap="unflushed-told",
        file=ENDING,
        old='                    _unraisable(error, "Exception ignored in: " + repr(stream))',
        new="                    pass",
        programs=("flush/21_closed_descriptor_one",),
    ),
    Undoing(
        trap="closed-stream",
        file=ENDING,
        old='if stream is None or getattr(stream, "closed", False):',
        new="if stream is None:",
        programs=("flush/19_closed_stdout",),
    ),
    Undoing(
        trap="no-stream",
        file=ENDING,
        old='if stream is None or getattr(stream, "closed", False):',
        new='if getattr(stream, "closed", False):',
        programs=("flush/23_stdout_none",),
    ),
    Undoing(
        trap="finalisers",
        file=ENDING,
        old="    _finalize()\n",
        new="    pass\n",
        programs=("flush/24_del_prints_at_exit",),
    ),
    Undoing(
        trap="finalisers-print",
        file=ENDING,
        old="    _flush_last()\n",
        programs=("flush/24_del_prints_at_exit",),
    ),
    Undoing(
        trap="streams-restored",
        file=ENDING,
        old="        sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__\n",
        new="        pass\n",
        programs=("flush/10_reassigned_and_never_restored",),
    ),
    Undoing(
        trap="nameless-garbage",
        file=ENDING,
        old="        gc.collect()  # the program left no name behind, but perhaps what refers to itself\n",
        new="",
        programs=("memory_gc/90_garbage_of_a_nameless_main",),
    ),
    Undoing(
        trap="main-collected",
        file=ENDING,
        old="    gc.collect()  # finalisers run here, with the module's names still in place\n",
        new="",
        programs=("flush/24_del_prints_at_exit",),
    ),
    Undoing(
        trap="c-streams",
        file=ENDING,
        old="        linux.flush_c_streams()\n",
        new="        pass\n",
        programs=("general/15_c_stdio_unflushed",),
    ),
    Undoing(
        trap="loader",
        file=CHILD,
        old='    namespace["__loader__"] = sys.modules["_frozen_importlib_external"].SourceFileLoader(name, filename)\n',
        new="",
        programs=("identity/07_spec_and_package",),
    ),
    Undoing(
        trap="builtins-module",
        file=CHILD,
        old='namespace["__builtins__"] = sys.modules["builtins"]',
        new='namespace["__builtins__"] = sys.modules["builtins"].__dict__',
        programs=("identity/08_builtins_is_the_module",),
    ),
    Undoing(
        trap="file-name",
        file=CHILD,
        old='    namespace["__file__"] = filename\n',
        new="",
        programs=("identity/01_file_is_main",),
    ),
    Undoing(
        trap="cached",
        file=CHILD,
        old='    namespace["__cached__"] = None\n',
        new="",
        programs=("main_module/05_dir_of_main",),
    ),
    Undoing(
        trap="set-order",
        file=CODE,
        old="if not _same_order(",
        new="if False and not _same_order(",
        programs=(
            "hash_seed/19_set_literals",
            "hash_seed/20_set_literal_in_function",
        ),
    ),
    Undoing(
        trap="warnings",
        file=CODE,
        old="    sys.stderr.write(made[start:end]",
        new="    str(made[start:end]",
        programs=(
            "compile_time/58_syntax_warning",
            "compile_time/60_assert_tuple",
            "compile_time/59_invalid_escape",
        ),
    ),
    Undoing(
        trap="inherited-futures",
        file=CODE,
        old='compile(source, filename, "exec", dont_inherit=True)',
        new='compile(source, filename, "exec")',
        programs=(
            "compile_time/57_no_future_leaks",
            "main_module/15_future_flags_do_not_leak",
            "compile_time/56_future_annotations",
            "compile_time/68_module_annotations",
        ),
    ),
    Undoing(
        trap="hash-seed",
        without="PYTHONHASHSEED",
        programs=(
            "hash_seed/01_string_set_order",
            "hash_seed/08_flags",
        ),
    ),
    Undoing(
        trap="int-digits",
        without="PYTHONINTMAXSTRDIGITS",
        programs=(
            "tracebacks/43_int_too_long",
            "general/33_big_integers",
        ),
    ),
    Undoing(
        trap="locale",
        without="LANG",
        programs=(
            "encoding/02_stdout_encoding",
            "encoding/23_locale_module",
            "encoding/03_default_encodings",
            "identity/17_environment_is_fixed",
        ),
    ),
    Undoing(
        trap="time-zone",
        without="TZ",
        programs=(
            "general/08_time_locale",
            "identity/17_environment_is_fixed",
        ),
    ),
    Undoing(
        trap="home",
        without="HOME",
        programs=(
            "general/07_environ",
            "identity/17_environment_is_fixed",
        ),
    ),
)


def copy_with(undoing: Undoing, folder: Path) -> Path:
    """The boot script of a copy of what a slot runs, the change made.

    Raises:
        ValueError: the text to change is not there, or not once: the handling was rewritten, and so must be this row.
    """
    for part in ("sandbox", "runner/zygote"):
        shutil.copytree(PACKAGE / part, folder / "scalebox" / part, ignore=shutil.ignore_patterns("__pycache__"))
    if undoing.file:
        path = folder / "scalebox" / undoing.file
        text = path.read_text(encoding="utf-8")
        for old, new in ((undoing.old, undoing.new), *undoing.also):
            if text.count(old) != 1:
                raise ValueError(f"{undoing.trap}: {old!r} is {text.count(old)} times in {undoing.file}")
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    return folder / "scalebox" / "runner" / "zygote" / "boot.py"
