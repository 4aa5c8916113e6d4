"""Run a call case: execute the program, call its function, write the value. Never sees an answer, decides nothing.

A complete value ends with a newline, and so does the word that it was too large; anything else on the value channel is no value. An exception of the program
leaves by the caller, who makes it the interpreter's own end (traceback, exit code 1).
"""

from __future__ import annotations

from os import getpid

from scalebox.runner.zygote.harness import nodes, prelude
from scalebox.runner.zygote.harness.channel import write_all
from scalebox.runner.zygote.harness.codec import TOO_LARGE, TooLarge, to_bytes
from scalebox.runner.zygote.harness.plainvalue import ValueEncoder
from scalebox.runner.zygote.harness.resolve import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType


def run(code: CodeType, namespace: dict[str, object], spec: Mapping[str, object], value_fd: int) -> None:
    """Execute the program, call ``spec["function"]`` and write its value, or the argument ``spec["mutated"]``.

    Args:
        code: the program, compiled.
        namespace: of a fresh module that is not ``__main__``.
        spec: ``function``, ``args``, ``kwargs``, ``mutated``; arguments are plain data, owned by this call. Where nodes are
            declared also ``arg_types``, one for each argument or none, and ``return_type``.
        value_fd: receives the encoded value and a newline.

    Raises:
        NameError: the program does not define the function.
        TypeError, ValueError: nodes were due, and what came back is none, or has a cycle.
        BaseException: whatever the program raises.
    """
    pid = getpid()
    types: list[str | None] = list(spec.get("arg_types") or ())  # type: ignore[call-overload]  # the service wrote a list
    due = spec.get("return_type")
    if due or any(types):
        nodes.offer(namespace)
    prelude.install(code, namespace)
    exec(code, namespace)  # ruff: ignore[exec-builtin] - running the program is what a box is for
    function = resolve(namespace, str(spec["function"]))
    args = list(spec["args"])  # type: ignore[call-overload]  # the service wrote a list
    kwargs = dict(spec.get("kwargs") or {})  # type: ignore[call-overload]  # the service wrote a dict
    for number, declared in enumerate(types):
        args[number] = nodes.built(declared, args[number], namespace)
    value = function(*args, **kwargs)  # type: ignore[operator]  # a TypeError is the program's
    if type(value).__name__ == "coroutine":
        import asyncio

        value = asyncio.run(value)
    mutated = spec.get("mutated")
    if mutated is not None:
        value = args[mutated]
        due = types[mutated] if types else None  # type: ignore[call-overload]  # the service wrote an int
    try:
        text = ValueEncoder().text(nodes.flattened(due, value))  # type: ignore[arg-type]  # the service wrote a str
    except TooLarge:
        text = TOO_LARGE
    if getpid() == pid:  # a fork of the program that returns here too has no say
        write_all(value_fd, to_bytes(text) + b"\n")
