"""Test code appended to a program, run by the real tools: only its own end yields the token."""

from __future__ import annotations

import pytest
from languages.language_runs import TOKEN, append

CPP_TESTS = '#include <cassert>\nint main() { auto candidate = f; assert(candidate("a") == "va"); assert(candidate("b") == "vb"); }\n'
C_TESTS = "#include <assert.h>\nint main() { int (*candidate)(int) = f; assert(candidate(3) == 3); }\n"
SH_TESTS = 'candidate() { f "$@"; }\nset -e\nrun_test() {\n    [[ $(candidate "a") = "va" ]]\n    [[ $(candidate "b") = "vb" ]]\n}\nrun_test'

FORMS = """
int main(int argc, char** argv) {
    std::vector<std::vector<float>> v{{1.5f}};
    assert(v == (std::vector<std::vector<float>>{{1.5f}}));
    assert(!(v != v));
    assert(v != (std::vector<std::vector<float>>{{1.5f, 2}}));
    assert(1 < 2 && 3 >= 2);
    assert((1 & 1) == 1);
    assert(std::optional<int>(1) == 1);
    assert(std::optional<int>() == std::nullopt);
    assert((std::map<std::string, int>{{"a", 1}}) == (std::map<std::string, int>{{"a", 1}}));
    assert((std::unordered_map<int, int>{{1, 2}, {3, 4}}) == (std::unordered_map<int, int>{{3, 4}, {1, 2}}));
    assert(std::make_tuple("", true) == std::make_tuple(std::string(""), true));
    assert(f(1) - 1 == 0 || false);
    assert(f(1));
    assert(std::string("a") != "b");
    assert(std::vector<bool>{true} == std::vector<bool>(1, true));
}
"""

UNION = """
#include <string>
union Either {
    std::string f0;
    long f1;
    Either(std::string _f0) : f0(_f0) {}
    Either(long _f1) : f1(_f1) {}
    ~Either() {}
    bool operator==(std::string f) { return f0 == f; }
    bool operator==(long f) { return f1 == f; }
};
Either f(std::string s) { return "v" + s; }
"""


@pytest.mark.parametrize(
    ("language", "program", "tests"),
    [
        pytest.param("cpp", '#include <string>\nstd::string f(std::string s) { return "v" + s; }', CPP_TESTS, id="cpp"),
        pytest.param(
            "cpp",
            '#define NDEBUG\n#include <string>\nint main() { return 0; }\nstd::string f(std::string s) {\n  return "v" + s;\n',
            "}\n" + CPP_TESTS,
            id="cpp with its own main, left open",
        ),
        *(
            pytest.param(name, UNION, CPP_TESTS, id=name, marks=pytest.mark.languages)
            for name in ("cpp11", "cpp14", "cpp17", "cpp23")
        ),
        pytest.param("cpp", UNION, CPP_TESTS, id="cpp with a type of its own"),
        pytest.param("cpp", "int f(int x) { return x; }", FORMS, id="cpp with assertions of every form"),
        pytest.param("c", "#include <unistd.h>\nint main() { return 1; }\nint f(int x) { return x; }", C_TESTS, id="c"),
        pytest.param("bash", "f() { echo v$1; }", SH_TESTS, id="bash"),
        pytest.param("bash", "#!/bin/bash\nf() {\n    ((n++))\n    echo v$1", "}\n\n" + SH_TESTS, id="bash left open"),
    ],
)
def test_a_right_program_yields_the_token(language: str, program: str, tests: str) -> None:
    ran = append(language, program, tests)
    assert (ran.exit_code, ran.value, ran.stderr) == (0, TOKEN, "")


@pytest.mark.parametrize(
    "program",
    [
        pytest.param('#include <string>\nstd::string f(std::string s) { return "v"; }', id="plainly wrong"),
        pytest.param(
            "struct R { template <class T> bool operator==(const T&) const { return true; } };\nR f(const char*) { return {}; }",
            id="equal to all",
        ),
        pytest.param(
            "struct R { bool operator==(const char*) const { return true; } };\nR f(const char*) { return {}; }",
            id="equal to every string",
        ),
        pytest.param(
            "struct R { template <int N> bool operator==(const char (&)[N]) const { return true; } };\nR f(const char*) { return {}; }",
            id="equal to every literal",
        ),
        pytest.param(
            "#include <string>\ntemplate <int N> bool operator==(const std::string&, const char (&)[N]) { return true; }\n"
            'std::string f(std::string) { return ""; }',
            id="an operator for a standard type",
        ),
        pytest.param(
            "struct R { bool operator==(const char*) const { return true; } };\n#define candidate(x) true || x\nR f(const char*) { return {}; }",
            id="a macro for the candidate",
        ),
        pytest.param(
            '#include <string>\nstd::string f(std::string) { return ""; }\nint main() { return 0; }\n#define main dead',
            id="a macro for main",
        ),
    ],
)
def test_a_wrong_cpp_program_fails_an_assertion(program: str) -> None:
    ran = append("cpp", program, CPP_TESTS)
    assert (ran.exit_code, ran.value) == (1, b"failed\n")
    assert "assertion failed: candidate" in ran.stderr


@pytest.mark.parametrize(
    ("language", "program", "tests"),
    [
        pytest.param(
            "cpp",
            "#include <cstdlib>\n#include <string>\nstd::string f(std::string s) { exit(0); }",
            CPP_TESTS,
            id="cpp exits",
        ),
        pytest.param(
            "cpp",
            '#include <cstdlib>\n#include <string>\nstruct X { X() { exit(0); } } x;\nstd::string f(std::string s) { return "v" + s; }',
            CPP_TESTS,
            id="cpp exits before main",
        ),
        pytest.param("c", "int f(int x) { return x + 1; }", C_TESTS, id="c is wrong"),
        pytest.param("c", "#include <stdlib.h>\nint f(int x) { exit(0); }", C_TESTS, id="c exits"),
        pytest.param(
            "c",
            "#include <stdlib.h>\n__attribute__((constructor)) void g(void) { exit(0); }\nint f(int x) { return x; }",
            C_TESTS,
            id="c exits before main",
        ),
        pytest.param("bash", "f() { echo no; }", SH_TESTS, id="bash is wrong"),
        pytest.param("bash", "trap 'exit 0' EXIT ERR\nset +e\nf() { echo no; }", SH_TESTS, id="bash traps"),
        pytest.param("bash", "f() { echo no; }\n: <<'NEVER_CLOSED'\n", SH_TESTS, id="bash swallows the tests"),
        pytest.param("bash", "f() { echo v$1; }\nexit 0", SH_TESTS, id="bash exits"),
        pytest.param(
            "bash",
            "shopt -s expand_aliases\nalias '[['='true' unset=true\nunalias() { :; }\nf() { echo no; }",
            SH_TESTS,
            id="bash aliases the test",
        ),
    ],
)
def test_a_program_that_fails_or_leaves_early_yields_no_token(language: str, program: str, tests: str) -> None:
    ran = append(language, program, tests)
    assert ran.exit_code is not None
    assert TOKEN not in ran.value
