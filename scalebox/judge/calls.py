"""A call case as the box and the comparison take it: plain values, declared nodes checked. Pure; refuses what no box can build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scalebox.core.errors import RequestError
from scalebox.core.nodes import NodeType, complaint_about, node_type, shortest
from scalebox.core.plain import PlainError, as_plain
from scalebox.core.problem import CallCase
from scalebox.languages.definition import Kind, Language
from scalebox.languages.harness import check_function


def prepare_call(case: CallCase, language: Language, field: str) -> CallCase:
    """The case with arguments and answer as plain data, and with its node types by their own names.

    Args:
        case: as the client described it.
        language: of the submission.
        field: where the client wrote the case.

    Raises:
        RequestError: no function that the language can have,
            a value that is no plain data, types that do not fit the arguments, or nodes in a language without them.
    """
    check_function(language, case.function, f"{field}.function")
    args = tuple(_plain(value, f"{field}.args.{number}") for number, value in enumerate(case.args))
    kwargs = {name: _plain(value, f"{field}.kwargs.{name}") for name, value in case.kwargs.items()}
    answer = _plain(case.answer, f"{field}.answer")
    if any(made is not given for made, given in zip((*args, *kwargs.values(), answer), _values(case), strict=True)):
        case = replace(case, args=args, kwargs=kwargs, answer=answer)
    if not case.arg_types and case.return_type is None:
        return case
    return _with_nodes(case, language, field)


def _values(case: CallCase) -> Sequence[object]:
    return (*case.args, *case.kwargs.values(), case.answer)


def _with_nodes(case: CallCase, language: Language, field: str) -> CallCase:
    if case.arg_types and len(case.arg_types) != len(case.args):
        message = f"{len(case.arg_types)} types for {len(case.args)} arguments"
        raise RequestError(message, field=f"{field}.arg_types", hint="give one for each, null where it is plain")
    kinds = [_node_type(text, f"{field}.arg_types.{number}") for number, text in enumerate(case.arg_types)]
    for number, (kind, value) in enumerate(zip(kinds, case.args, strict=False)):
        _check(value, kind, f"{field}.args.{number}")
    returned = _node_type(case.return_type, f"{field}.return_type")
    if language.kind is not Kind.ZYGOTE and any([*kinds, returned]):
        message = f"no list or tree is built for a call in {language.name}"
        raise RequestError(message, field=f"{field}.arg_types", hint="use a stdio case", code="unsupported")
    compared = returned if case.mutated is None else _at(kinds, case.mutated)
    _check(case.answer, compared, f"{field}.answer")
    answer = case.answer if compared is None else shortest(case.answer, compared)
    return replace(case, arg_types=tuple(kinds), return_type=returned, answer=answer)


def _plain(value: object, field: str) -> object:
    try:
        return as_plain(value)
    except PlainError as error:
        hint = "use None, numbers, str, bytes, and lists, tuples, sets and dicts of them"
        raise RequestError(str(error), field=field, hint=hint, code="invalid_value") from None


def _node_type(annotation: str | None, field: str) -> NodeType | None:
    try:
        return None if annotation is None else node_type(annotation)
    except ValueError as error:
        raise RequestError(str(error), field=field, hint="write one of these, or null") from None


def _check(value: object, kind: NodeType | None, field: str) -> None:
    complaint = None if kind is None else complaint_about(value, kind)
    if complaint is not None:
        raise RequestError(complaint, field=field, hint="write nodes as LeetCode does", code="invalid_value")


def _at(kinds: Sequence[NodeType | None], number: int) -> NodeType | None:
    return kinds[number] if number < len(kinds) else None
