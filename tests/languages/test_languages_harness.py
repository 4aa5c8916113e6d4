"""Rendering is text alone: names are checked, nothing of the program is taken for a slot, method or function is chosen."""

from __future__ import annotations

import pytest
from languages.language_runs import language_of

from scalebox.core.errors import RequestError
from scalebox.languages.harness import render_append, render_call

METHOD = "class Solution { public: int f(int x) { return x; } };"


CPP = language_of("cpp")


@pytest.mark.parametrize(
    ("source", "function", "address", "called"),
    [
        ("int f(int x) { return x; }", "f", "&::f)", "::f("),
        ("int f(int x) { return x; }", "Solution().f", "&Solution::f)", "Solution().f("),
        (METHOD, "f", "&Solution::f)", "Solution().f("),
        (METHOD, "Solution.f", "&::Solution::f)", "::Solution::f("),
        ("namespace a { int f(int x) { return x; } }", "a.f", "&::a::f)", "::a::f("),
        ("int f(int x) { return x; }" + METHOD, "f", "&::f)", "::f("),
        ("auto f = [](int x) { return x; };" + METHOD, "f", "&::f)", "::f("),
        ("// int f(int x) {\n/* f( */" + METHOD, "f", "&Solution::f)", "Solution().f("),
        ("const char* s = \"} f( {\"; char c = '}';" + METHOD, "f", "&Solution::f)", "Solution().f("),
        ('auto s = R"x(} f()x";' + METHOD, "f", "&Solution::f)", "Solution().f("),
        ('const char* s = "class Solution";', "f", "&::f)", "::f("),
    ],
)
def test_a_function_or_else_a_method_is_called(source: str, function: str, address: str, called: str) -> None:
    tail = render_call(CPP, source, function, 1).rpartition("int main() {")[2]
    assert address in tail
    assert f"return {called}" in tail


@pytest.mark.parametrize(
    ("source", "called"),
    [
        ("impl Solution { fn f(x: i32) -> i32 { x } }", "crate::Solution::f"),
        ("struct Solution; impl Solution { fn f(x: i32) -> i32 { x } } fn f<'a>(x: &'a i32) -> i32 { *x }", "crate::f"),
        ("fn f<T>(x: i32) -> i32 { x } // impl Solution {", "crate::f"),
        ('fn main() { println!("{}", f(1)) }\nimpl Solution {\n  fn f(x: i32) -> i32 { x }\n}', "crate::Solution::f"),
    ],
)
def test_a_language_says_how_its_functions_and_types_look(source: str, called: str) -> None:
    assert f"Enter::enter({called}, " in render_call(language_of("rust"), source, "f", 1)


@pytest.mark.parametrize(
    ("source", "called"),
    [
        ("object Problem { def f(x: Int): Int = x }", "Problem.f"),
        (
            "object Main { def f = 1 }\nclass Solution { class A { def f = 2 } }\nobject Z { def f = 3 }",
            "new Solution().f",
        ),
        (
            "case class P(x: Int)\nobject Q { val p = P(1) /* { */; def g = { f(1) } }\nobject S extends App { def f(x: Int) = x }",
            "S.f",
        ),
        ("def f(x: Int) = x", "f"),
    ],
)
def test_where_functions_stand_in_types_the_one_that_holds_it_is_meant(source: str, called: str) -> None:
    assert f"    enter({called})\n" in render_call(language_of("scala"), source, "f", 1)


@pytest.mark.parametrize(
    "function", ["", "f()", "f g", "1f", "f;", "Solution()", "().f", "Solution()f", "a..f", "f\n", "a::f"]
)
def test_what_is_no_function_name_is_refused(function: str) -> None:
    with pytest.raises(RequestError) as caught:
        render_call(CPP, METHOD, function, 1)
    assert caught.value.field == "function"


def test_nothing_in_a_program_is_taken_for_a_slot() -> None:
    odd = 'const char* s = "@program@ @tests@ @each{x#} \\\\1 {path} @call@"; int f(int x) { return x; }'
    assert odd in render_call(CPP, odd, "f", 1)
    assert odd in render_append(CPP, odd, f"// {odd}")


@pytest.mark.parametrize(
    ("source", "is_given"),
    [
        (METHOD, True),
        ("#include <vector>\nvector<int> f() { return {}; }", True),
        ("#include <vector>\nusing namespace std;\nvector<int> f() { return {}; }", False),
        ("#include <vector>\nint count; std::vector<int> f() { return {}; }", False),
    ],
)
def test_the_standard_namespace_is_opened_only_for_programs_that_rely_on_it(source: str, is_given: bool) -> None:
    assert ("using namespace std;" in render_call(CPP, source, "f", 0).replace(source, "")) is is_given


def test_tests_may_close_the_function_that_the_program_leaves_open() -> None:
    text = render_append(CPP, "int f() { return 3;", "}\nint main() { assert(f() == 3); }")
    before, _, after = text.partition('#line 1 "tests.cpp"')
    assert before.rstrip().endswith("}")
    assert after.lstrip().startswith("int main()")


def test_tests_cannot_bring_their_own_assert_back() -> None:
    text = render_append(CPP, "", "#include <vector>\n# include <cassert>\n#include<assert.h>\nint main() {}")
    tests = text.partition('#line 1 "tests.cpp"')[2]
    assert "#include <vector>" in tests
    assert "cassert" not in tests
    assert "assert.h" not in tests


def test_a_language_without_a_harness_is_refused() -> None:
    bash, python = language_of("bash"), language_of("python")
    with pytest.raises(RequestError, match="function-call cases cannot be judged in Bash"):
        render_call(bash, "", "f", 0)
    with pytest.raises(RequestError, match="test code cannot be appended"):
        render_append(python, "", "")


@pytest.mark.parametrize("name", ["cpp11", "cpp14", "cpp17"])
def test_what_harnesses_surround_is_compiled_by_their_standard(name: str) -> None:
    language = language_of(name)
    assert language.compile is not None
    assert language.rendered.compile is not None
    assert f"-std=gnu++{name[3:]}" in language.compile.command
    assert "-std=gnu++20" in language.rendered.compile.command
    assert language.rendered.id == name
