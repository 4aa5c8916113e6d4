"""What a language cannot tell apart is read as what the answer is, and no further."""

from __future__ import annotations

import pytest

from scalebox.checkers.values import compare_values
from scalebox.core.plain import Loose, PlainError, as_plain, loads
from scalebox.core.problem import Tolerance
from scalebox.core.verdict import Verdict


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('{"$list0":[]}', []),
        ('{"$list0":[]}', {}),
        ('{"$list0":[1,2]}', [1, 2]),
        ('{"$list0":["a","b"]}', {0: "a", 1: "b"}),
        ('{"$list0":["a","b"]}', {"0": "a", "1": "b"}),
        ('{"$list1":["a","b"]}', {"1": "a", "2": "b"}),
        ('[{"$list1":[]},{"$list1":[{"$list1":[1]}]}]', [{}, [[1]]]),
        ('{"$vector":[5]}', 5),
        ('{"$vector":[5]}', [5]),
        ('{"$vector":[]}', None),
        ('{"$vector":[]}', []),
        ('{"$vector":[{"$scalar":"5"}]}', 5),
        ('{"$vector":[{"$scalar":"5"}]}', ["5"]),
        ('{"$scalar":"5"}', 5),
        ('{"$scalar":"5"}', "5"),
        ('{"$scalar":"1e3"}', 1000),
        ('{"$scalar":"-2.50"}', -2.5),
        ('{"$scalar":""}', False),
        ('{"$scalar":"0"}', False),
        ('{"$scalar":"1"}', True),
        ('{"$scalar":"9007199254740993"}', 9007199254740993),
        ('{"$scalar":"nan"}', float("nan")),
        ('{"$dict":[[{"$letter":101},1]]}', {"e": 1}),
        ('{"$dict":[[{"$letter":101},1]]}', {"101": 1}),
        ('{"$dict":[[{"$letter":101},1]]}', {101: 1}),
        ('{"$letter":101}', "e"),
        ('{"$letter":101}', 101),
        ('[{"$letter":104},{"$letter":105}]', ["h", "i"]),
    ],
)
def test_it_is_read_as_what_the_answer_is(line: str, answer: object) -> None:
    assert compare_values(loads(line.encode()), answer, None).verdict is Verdict.AC


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('{"$list0":["a"]}', {"1": "a"}),
        ('{"$list1":["a"]}', {"0": "a"}),
        ('{"$list0":[1]}', 1),
        ('{"$list0":[]}', None),
        ('{"$list0":[]}', ""),
        ('{"$vector":[5,6]}', 5),
        ('{"$vector":[]}', 0),
        ('{"$scalar":"5 "}', 5),
        ('{"$scalar":"0x5"}', 5),
        ('{"$scalar":"5_0"}', 50),
        ('{"$scalar":"5"}', [5]),
        ('{"$scalar":"yes"}', True),
        ('{"$scalar":"5"}', True),
        ('{"$scalar":""}', None),
        ('{"$scalar":"9007199254740993"}', 9007199254740992),
        ('{"$dict":[[{"$letter":101},1]]}', {"f": 1}),
        ('{"$dict":[[{"$letter":101},1],[{"$letter":102},1]]}', {"e": 1, "101": 1}),
        ('{"$dict":[[{"$letter":1114112},1]]}', {"e": 1}),
        ('{"$dict":[[{"$letter":-1},1]]}', {"e": 1}),
        ('{"$letter":101}', "f"),
        ('{"$letter":101}', "101"),
        ('{"$letter":101}', "ee"),
        ('[{"$letter":104},{"$letter":105}]', "hi"),
    ],
)
def test_it_is_nothing_else(line: str, answer: object) -> None:
    assert compare_values(loads(line.encode()), answer, None).verdict is Verdict.WA


def test_a_tolerance_holds_for_digits_too() -> None:
    tolerance = Tolerance(absolute=1e-6, relative=0)
    assert compare_values(loads(b'{"$scalar":"0.3000000001"}'), 0.3, tolerance).verdict is Verdict.AC


def test_a_jury_has_no_loose_values() -> None:
    value = loads(b'{"$list0":[1]}')
    assert isinstance(value, Loose)
    with pytest.raises(PlainError):
        as_plain(value)


@pytest.mark.parametrize("line", ['{"$scalar":5}', '{"$list0":"a"}', '{"$vector":{}}'])
def test_what_is_badly_formed_is_refused(line: str) -> None:
    with pytest.raises(PlainError):
        loads(line.encode())
