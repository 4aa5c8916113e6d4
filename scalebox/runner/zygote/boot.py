"""The first script of a slot. Promises to become the slot's parent, and in a forked box the program; keeps one frame.

It is run by path under the programs' interpreter, where `scalebox` is not installed: bare stand-ins for the packages
let the slot's own modules be imported without running any package's `__init__`. What follows `serve()` runs in
forked boxes only.
"""

import sys

if __name__ == "__main__":
    _fresh = dict(sys.modules)
    _root = __file__.rpartition("/runner/zygote/")[0]
    for _name in (
        "scalebox",
        "scalebox.sandbox",
        "scalebox.runner",
        "scalebox.runner.zygote",
        "scalebox.runner.zygote.harness",
    ):
        _package = type(sys)(_name)
        _package.__path__ = [_root + _name[8:].replace(".", "/")]
        sys.modules[_name] = _package

    from scalebox.runner.zygote.shelf import Shelf

    _shelf = Shelf(_fresh)

    from scalebox.runner.zygote import ending, parent

    _box = parent.serve(_shelf)  # returns in a forked box, walls up, nothing of the program loaded
    _code = _box.load()
    _error = None
    try:
        if _code is not None:
            exec(_code, _box.namespace)  # ruff: ignore[exec-builtin] - running the program is what a box is for
    except BaseException as _caught:  # ruff: ignore[blind-except] - the interpreter's own last handler, done by hand
        _error = _caught
    ending.finish(_box, _error)
