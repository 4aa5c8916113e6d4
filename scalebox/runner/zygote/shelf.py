"""Modules of the standard library, loaded once in a slot's parent and laid aside; a box takes what its program imports.

A module on the shelf is not in `sys.modules`: to the program it is not loaded. When an import statement first asks for it,
it and all that it would have loaded come off the shelf, in the order in which they would have been loaded. Where the import
might have found something else (a file of the program's, another search path, a stand-in of that name), it takes its usual
way. What our own modules import lies there too, so that a program finds loaded what a fresh interpreter has, and no more.
Stdlib only; filled in a slot's parent, taken from in boxes.
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, ModuleType

ALWAYS = ("math", "itertools", "operator", "functools", "collections", "heapq", "bisect")
"""Common, and cheap to have."""
ON_DEMAND = ("string", "re", "copy", "typing", "random", "array")
"""Common, and large: they add pages to every fork, so they are laid here when the first program names one of them."""

_BOOTSTRAP = "<frozen importlib._bootstrap>"
"""Tracebacks leave out frames of this file."""


class Shelf:
    """Modules that are loaded, and the import function that gives them out.

    Made first of all: from then on, until `close`, every module that is loaded is laid on it as well.

    Args:
        fresh: the modules that a fresh interpreter has loaded.
    """

    def __init__(self, fresh: dict[str, ModuleType]) -> None:
        self._home = ""
        self._modules: dict[str, ModuleType] = {}
        self._loads: dict[str, list[str]] = {}
        """What an import of a module loads, itself included, in order."""
        self._at_fork: dict[str, list[dict[str, Callable[[], object]]]] = {}
        """What a module wants called around forks."""
        self._path: list[str] = []
        self._finders: tuple[list[object], list[object]] = ([], [])
        self._builtins = sys.modules["builtins"].__dict__
        self._statement = self._builtins["__import__"]
        self.is_programs = False
        """Whether this is a box that has become its program, which alone may import anything."""
        self.taken: set[str] = set()
        """Modules that were given out."""
        self._bootstrap = sys.modules["_frozen_importlib"].__dict__
        self._find = self._bootstrap["_find_and_load"]
        self._import = self._importer(self._find)
        self._at_first = fresh
        self._ours: dict[str, ModuleType] = {}
        self._kept = -1
        self._codes: dict[str, CodeType] = {}
        for name, module in sys.modules.items():
            if name not in fresh and not _is_ours(name):
                self._modules[name], self._loads[name] = module, [name]
        self._bootstrap["_find_and_load"] = self._load_or_find

    def keep(self, folder: str, package: str) -> None:
        """Read the code of a package of ours that `add` may load once its files are out of sight; none of it gets into our heap."""
        from scalebox.sandbox import linux  # what it imports is to lie here too

        self._kept = linux.move_up(os.memfd_create("code", os.MFD_CLOEXEC))
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                load = sys.modules["_frozen_importlib_external"].SourceFileLoader
                names = [entry[:-3] for entry in os.listdir(folder) if entry.endswith(".py")]
                codes = {f"{package}.{name}": load(name, f"{folder}/{name}.py").get_code(name) for name in names}
                with os.fdopen(self._kept, "wb") as file:
                    marshal.dump(codes, file)
                status = 0
            finally:
                os._exit(status)
        if os.waitpid(pid, 0)[1]:
            raise OSError("our own code could not be read from " + folder)

    def close(self, home: str) -> None:
        """Leave nothing in sight but what was loaded at first; imports look here from now on, and add nothing.

        Args:
            home: folder of the programs, first on the search path by now.
        """
        for name in ALWAYS:
            __import__(name)
        self._home = home
        self._path, self._finders = list(sys.path), (list(sys.meta_path), list(sys.path_hooks))
        self._hide()

    def add(self, *names: str) -> ModuleType:
        """Load more; returns the last. Nothing of the programs' folder is looked at."""
        sys.path[:] = self._path[1:]
        sys.modules.update(self._ours)
        self._codes = marshal.loads(os.pread(self._kept, os.fstat(self._kept).st_size, 0))  # ruff: ignore[suspicious-marshal-usage] - our own
        self._bootstrap["_find_and_load"] = self._load_or_find
        try:
            for name in names:
                __import__(name)
            return sys.modules[names[-1]]
        finally:
            sys.path[:] = self._path
            self._codes = {}
            self._hide()

    def _hide(self) -> None:
        self._ours = {name: module for name, module in sys.modules.items() if _is_ours(name)}
        _leave_in_sight(self._at_first)
        for key in self._loads:
            package, _, name = key.rpartition(".")
            if package in self._loads and key not in self._loads[package]:
                self._modules[package].__dict__.pop(name, None)  # an import of the package alone does not name it there
        self._bootstrap["_find_and_load"] = self._import

    def _load_or_find(self, name: str, import_: Callable[..., object]) -> object:
        if name in self._codes:
            return self._run(name)
        if _is_ours(name):
            return self._find(name, import_)
        return self._put_in_sight(name) if name in self._loads else self._load(name, import_, self._find)

    def _run(self, name: str) -> ModuleType:
        """A module of ours, of the code that was kept."""
        package, _, own_name = name.rpartition(".")
        module = sys.modules[name] = type(sys)(name)
        module.__package__ = package
        exec(self._codes[name], module.__dict__)  # ruff: ignore[exec-builtin] - our own code
        setattr(sys.modules[package], own_name, module)
        return module

    def _load(self, name: str, import_: Callable[..., object], find: Callable[..., object]) -> object:
        """Load a module with nothing of the shelf in sight, so that all it loads is seen."""
        around = dict(sys.modules)
        _leave_in_sight({key: module for key, module in around.items() if key not in self._loads})
        before = set(sys.modules)
        wanted: list[dict[str, Callable[[], object]]] = []
        register = os.register_at_fork
        os.register_at_fork = lambda **calls: wanted.append(calls)
        loads: list[str] = []
        try:
            module = find(name, import_)
            loads = self._loads[name] = [key for key in sys.modules if key not in before]
            self._modules.update((key, sys.modules[key]) for key in loads)
        finally:
            os.register_at_fork = register
            _leave_in_sight(around)
            for key in loads:
                sys.modules.setdefault(key, self._modules[key])
        if wanted:
            self._at_fork[name] = wanted
        return module

    def _put_in_sight(self, name: str) -> object:
        for key in self._loads[name]:
            sys.modules.setdefault(key, self._modules[key])
        self._name_submodules(name)
        return sys.modules[name]

    def _name_submodules(self, name: str) -> None:
        """What is imported as part of a package is known there by its name."""
        for key in self._loads[name]:
            package, _, own_name = key.rpartition(".")
            if package:
                setattr(sys.modules[package], own_name, sys.modules[key])

    def _importer(self, find: Callable[..., object]) -> Callable[..., object]:
        """What imports a module that is not loaded, in the place of the interpreter's own. All it calls was at hand before any program.

        Until a box is the program it refuses: programs' files are first on the search path, and the interpreter imports some modules by itself.
        """
        loads, can_take, take, modules = self._loads, self._can_take, self._take, sys.modules

        def _find_and_load(name: str, import_: Callable[..., object]) -> object:
            if not self.is_programs:
                raise ImportError("a slot's parent imports nothing: " + name)
            if name not in loads:
                return find(name, import_)
            package = name.rpartition(".")[0]
            if package and package not in modules:
                import_(package)
            return take(name) if can_take(name) else find(name, import_)

        _find_and_load.__code__ = _find_and_load.__code__.replace(co_filename=_BOOTSTRAP)
        return _find_and_load

    def _can_take(
        self,
        name: str,
        listdir: Callable[[str], list[str]] = os.listdir,
        watched: tuple[Callable[[], object], ...] = (sys.gettrace, sys.getprofile),
    ) -> bool:
        """Whether the usual way would find just what lies on the shelf, and nobody watches how."""
        if sys.path != self._path or (sys.meta_path, sys.path_hooks) != self._finders:
            return False
        if self._builtins["__import__"] is not self._statement:
            return False
        for asked in watched:
            if asked() is not None:
                return False
        modules, own, loads = sys.modules, self._modules, self._loads[name]
        for key in loads:
            if modules.get(key, own[key]) is not own[key] or (key in self.taken and key not in modules):
                return False
        try:
            found = listdir(self._home)
        except OSError:
            return False
        return {*loads}.isdisjoint([entry.partition(".")[0] for entry in found])

    def _take(self, name: str, register: Callable[..., None] = os.register_at_fork) -> object:
        """Give out a module and what it loads. Who forgets it and imports it again gets a new one, as from the interpreter."""
        modules = sys.modules
        for key in self._loads[name]:
            if key in modules:
                continue
            modules[key] = self._modules[key]
            self.taken.add(key)
            for calls in self._at_fork.get(key, ()):
                register(**calls)
                if "after_in_child" in calls:  # we are the child of a process that had it
                    calls["after_in_child"]()
        self._name_submodules(name)
        return modules[name]


def _leave_in_sight(modules: dict[str, ModuleType]) -> None:
    sys.modules.clear()
    sys.modules.update(modules)


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] == "scalebox"
