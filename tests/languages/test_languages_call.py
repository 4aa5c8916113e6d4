"""Call cases in C++, built by the real compiler: every type crosses, hostile macros do not matter, lies have no value."""

from __future__ import annotations

import json

import pytest
from languages.language_runs import call

TYPES = """
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
using namespace std;
typedef optional<double> Maybe;
tuple<int, double, float, bool, char, string, vector<vector<int>>, set<int>, map<int, string>, vector<Maybe>, vector<bool>>
f(pair<int, string> p, const map<string, vector<int>>& m, unordered_map<int, int> u, set<int> s, optional<int> o,
  vector<vector<int>>& v, vector<bool> b, vector<char> c, double d, float g, long long big) {
    v[0][0] += p.first + m.at("a")[0] + u[3] + (int)s.size() + (o ? 1 : 0);
    b.flip();
    return {(int)(big % 1000), d, g, true, c[1], p.second, v, s, {{1, "x"}}, {1.0, 0.1, 1 / 3.0, d / 0.0, -d / 0.0, {}}, b};
}
"""


def test_every_plain_type_crosses_both_ways() -> None:
    args = [
        {"$tuple": [1, 'é"\\\n\x01😀']},
        {"a": [7], "b": []},
        {"$dict": [[3, 4]]},
        {"$set": [1, 1, 2]},
        None,
        [[1, 2], []],
        [True, False],
        ["x", "y"],
        2,
        0.1,
        9007199254740993,
    ]
    ran = call(TYPES, "f", args)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.value.endswith(b"\n")
    assert json.loads(ran.value) == {
        "$tuple": [
            993,
            2.0,
            0.1,
            True,
            "y",
            'é"\\\n\x01😀',
            [[15, 2], []],
            {"$set": [1, 2]},
            {"$dict": [[1, "x"]]},
            [1.0, 0.1, 1 / 3, {"$float": "inf"}, {"$float": "-inf"}, None],
            [False, True],
        ]
    }


@pytest.mark.parametrize(
    ("source", "function", "args", "value"),
    [
        pytest.param(
            "#define int long long\n#define f first\n#define return return\n#define auto auto\n#define template @\n"
            "#define R 5\n#define A 3\n#define in 7\n#define decode 8\n#define namespace @\n"
            "int f(int x) { return x * 3000000000; }\nsigned main() { f(1); }\n#define main other\n#define int @\n",
            "f",
            [2],
            6000000000,
            id="macros of the program never reach the harness",
        ),
        pytest.param(
            "#include <string>\nusing namespace std;\nclass Solution {\n"
            "    bool same(string& s, int i, int j) { return i >= j || (s[i] == s[j] && same(s, i + 1, j - 1)); }\npublic:\n"
            "    bool g(string& s, int i, int j) { return same(s, i, j); }\n"
            "    bool g(string s) { return g(s, 0, s.size() - 1); }\n};",
            "g",
            ["abba"],
            True,
            id="the overload with as many parameters is meant",
        ),
        pytest.param(
            "#include <vector>\nint f(std::vector<int>& v, int i = 0, int** memo = nullptr) "
            "{ return i == (int)v.size() ? 0 : v[i] + f(v, i + 1); }",
            "f",
            [[1, 2, 3]],
            6,
            id="default arguments are left to the function",
        ),
        pytest.param(
            "#include <vector>\nusing namespace std;\nint count(vector<int>& v, int x) { int n = 0; for (int y : v) n += y == x; return n; }\n"
            "int data;\nint read(int x) { return x; }",
            "count",
            [[1, 2, 1], 1],
            2,
            id="a name that the standard library has too",
        ),
        pytest.param(
            "struct Solution { static unsigned long long f(long long x) noexcept { return x == -9223372036854775807LL - 1 ? -1ull : 0; } };",
            "Solution().f",
            [-9223372036854775808],
            18446744073709551615,
            id="the ends of 64 bits",
        ),
        pytest.param(
            "auto f = [](const char* s, double d) { return s[1] + d; };",
            "f",
            ["ab", 1.5],
            99.5,
            id="a lambda and a C string",
        ),
        pytest.param(
            "#include <string>\nstd::string f() { return std::string(1, (char)255) + 'a'; }",
            "f",
            [],
            {"$bytes": "/2E="},
            id="bytes that are no UTF-8 keep their value",
        ),
        pytest.param(
            "class Solution { public: vector<int> f(deque<int> q) { priority_queue<int> p(q.begin(), q.end()); return {p.top()}; } };",
            "f",
            [[1, 3, 2]],
            [3],
            id="a program without includes finds the standard library",
        ),
    ],
)
def test_the_function_named_is_called(source: str, function: str, args: list[object], value: object) -> None:
    ran = call(source, function, args)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert json.loads(ran.value) == value


@pytest.mark.parametrize(
    ("source", "mutated", "value"),
    [
        ("#include <vector>\nvoid f(std::vector<int>& v, int k) { v[0] = k; }", 0, [9, 2]),
        ("#include <vector>\nint f(std::vector<int> v, int k) { v[0] = k; return 5; }", 0, [1, 2]),
        ("#include <vector>\nvoid f(std::vector<int>& v, int k) {}", None, None),
    ],
)
def test_a_mutated_argument_is_the_value_where_asked_for(source: str, mutated: int | None, value: object) -> None:
    ran = call(source, "f", [[1, 2], 9], mutated=mutated)
    assert (ran.exit_code, json.loads(ran.value)) == (0, value)


@pytest.mark.parametrize(
    ("source", "args", "kwargs"),
    [
        pytest.param("int f(int x) { return x; }", [3000000000], {}, id="a number that does not fit"),
        pytest.param("#include <string>\nint f(std::string s) { return 1; }", [1], {}, id="a number for a string"),
        pytest.param("int f(int x) { return x; }", [1], {"y": 2}, id="an argument by name"),
        pytest.param("int f(int x) { throw x; }", [1], {}, id="an exception"),
        pytest.param("#include <cstdlib>\nint f(int x) { std::quick_exit(0); }", [1], {}, id="an early exit"),
    ],
)
def test_no_value_comes_where_the_call_does_not_end(source: str, args: list[object], kwargs: dict[str, object]) -> None:
    assert call(source, "f", args, kwargs=kwargs).value == b""


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("int g(int x) { return x; }", "f"),
        (
            "struct Node { Node* next; }; int f(Node* n) { return 1; }",
            "a parameter of a type that plain data cannot become",
        ),
        ("int f() { return 1; }", "fewer parameters than the case has arguments"),
        ("int f(int x) { return y; }", "program.cpp:1:"),
        ("int f(int x) { return x; }\n#if 0", "unterminated"),
    ],
)
def test_what_cannot_be_called_does_not_compile_and_says_why(source: str, message: str) -> None:
    ran = call(source, "f", [1])
    assert ran.exit_code is None
    assert message in ran.stderr
