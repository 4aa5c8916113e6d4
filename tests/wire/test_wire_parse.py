"""JSON is read strictly, its faults are told by kind, and fields are named as the client wrote them."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.core.errors import RequestError
from scalebox.wire import v1
from scalebox.wire.fields import check_path, clean, decode_base64, decode_files, encode_base64, text_or_base64
from scalebox.wire.parse import JsonError, field_path, is_finite, parse_json, validate

TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=20,
)


@given(TREES, st.booleans())
def test_what_json_can_say_is_read_exactly(tree: object, ascii_only: bool) -> None:
    read = parse_json(json.dumps(tree, ensure_ascii=ascii_only).encode())
    assert repr(read) == repr(tree)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    with contextlib.suppress(JsonError):
        parse_json(body)


def test_integers_of_4300_digits_are_exact() -> None:
    assert parse_json(b"9" * 4300) == 10**4300 - 1


def test_depth_has_a_limit() -> None:
    assert parse_json(b"[" * 199 + b"]" * 199)
    with pytest.raises(JsonError, match="200 levels"):
        parse_json(b"[" * 210 + b"]" * 210)


@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b'{"a":1,"a":2}', "a"),
        (b'{"a":1,"b":[{"c":1,"d":{"c":{}},"c":3}]}', "c"),
        (b'{"a\\"":1,"a\\"":1}', 'a"'),
        (b'{"a":1,"\\u0061":1}', "a"),  # one key, written twice in different ways
        (b'{"":":,","":1}', ""),
    ],
)
def test_a_key_twice_is_refused(body: bytes, key: str) -> None:
    with pytest.raises(JsonError, match="occurs twice") as caught:
        parse_json(body)
    assert (caught.value.code, caught.value.field) == ("duplicate_key", key)


def test_a_key_in_two_objects_or_in_text_is_no_key_twice() -> None:
    body = rb'[{"a":1,"b":{"a":1}},{"a":"\"a\":1,\\"},"{\"a\":1,\"a\":2}"]'
    assert parse_json(body) == json.loads(body)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"[" + b"[]," * 4_000_000 + b"0]", "4000001 arrays and objects"),
        (b"[" + b'{"a":0},' * 1_000_001 + b"0]", "1000001 members"),
    ],
)
def test_what_costs_more_to_hold_than_to_send_is_refused(body: bytes, words: str) -> None:
    with pytest.raises(JsonError, match=words):
        parse_json(body)


def test_marks_in_text_are_text() -> None:
    assert parse_json(b'["' + b"[:" * 4_000_001 + b'"]') == ["[:" * 4_000_001]


@pytest.mark.parametrize(
    ("tree", "field"),
    [
        ({"problem": {"tests": [0] * 20_001}}, "problem.tests"),
        ({"config": {"provided_data": {"test_cases": [0] * 20_001}}}, "config.provided_data.test_cases"),
        ({"config": {"provided_data": {"test_cases": {"input": [0] * 20_001}}}}, "config.provided_data.test_cases"),
        ({"config": {"provided_data": {"test": [0] * 20_001}}}, "config.provided_data.test"),
    ],
)
def test_too_many_tests_are_refused_before_any_is_built(tree: object, field: str) -> None:
    with pytest.raises(RequestError, match="20001 tests") as caught:
        validate(v1.JudgeV1, tree)
    assert (caught.value.code, caught.value.field) == ("too_many_tests", field)


@pytest.mark.parametrize(
    ("tree", "finite"), [([1, {"a": 1e308}], True), (float("inf"), False), ([{"a": [float("nan")]}], False)]
)
def test_infinities_are_found_anywhere(tree: object, finite: bool) -> None:
    assert is_finite(tree) is finite


@pytest.mark.parametrize(
    ("location", "missing", "field"),
    [
        (("a", 0, "tag", "b"), False, "a.0.b"),
        (("a", 0, "tag", "c"), True, "a.0.c"),
        (("a", 5), False, "a"),
        ((), False, ""),
    ],
)
def test_fields_are_named_as_the_client_wrote_them(location: tuple[int | str, ...], missing: bool, field: str) -> None:
    assert field_path(location, {"a": [{"b": 1}]}, missing=missing) == field


@pytest.mark.parametrize("path", ["a", "a/b.txt", "ünï", "...", "a..b", " ", "-x"])
def test_paths_inside_a_folder_pass(path: str) -> None:
    assert check_path(path, "files") == path


@pytest.mark.parametrize(
    "path",
    ["", "/", "/a", "..", "../a", "a/..", "a/../b", "a//b", "a/", ".", "./a", "a\0", "x" * 256, "a/" * 3000 + "a"],
)
def test_paths_that_leave_or_confuse_are_refused(path: str) -> None:
    with pytest.raises(RequestError, match="the path"):
        check_path(path, "files")


@given(st.binary())
def test_base64_goes_there_and_back(data: bytes) -> None:
    assert decode_base64(encode_base64(data), "x") == data


@pytest.mark.parametrize("text", ["a", "a===", "*", "YQ==\n", "ä", "YQ"])
def test_what_is_not_base64_is_refused(text: str) -> None:
    with pytest.raises(RequestError) as caught:
        decode_base64(text, "stdin_base64")
    assert caught.value.field == "stdin_base64"


def test_files_without_content_are_left_out() -> None:
    assert decode_files({"a": None, "b/c": "aGk="}, "files") == {"b/c": b"hi"}


def test_lossy_text_comes_with_its_bytes() -> None:
    assert text_or_base64(b"a\r\n\0") == ("a\r\n\0", None)
    assert text_or_base64(b"\xff") == ("\ufffd", "/w==")
    assert clean("a\ud800é") == "a?é"
