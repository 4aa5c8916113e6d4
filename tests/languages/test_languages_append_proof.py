"""A program of any language that leaves before its test code has ended, or hides it, yields no proof; a right one does."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from shutil import which
from typing import Final

import pytest
from languages.language_runs import TOKEN, append, build_and_run, language_of

from scalebox.core.errors import RequestError
from scalebox.languages.harness import render_append, render_call

QUICK: Final = frozenset({"javascript", "lua", "perl", "php", "ruby"})
"""The default run takes these; the rest is `make test-languages`."""
LIBRARIES: Final = {
    "lua": ("lua5.4", "-e", "require('luaunit')"),
    "perl": ("perl", "-MTest::Deep", "-e1"),
    "ruby": ("ruby", "-e", "require 'test/unit'; exit!(true)"),
}
"""Ends well where the library of published test code is here."""

JS: Final = "const assert = require('node:assert');\nassert.deepEqual(f(1), 2);\n"
PHP: Final = 'function test() { if (f(1) !== 2) { throw new Exception("Test failed!"); } }\ntest();'
LUA: Final = "lu = require('luaunit')\nfunction test_f()\n    lu.assertEquals(f(1), 2)\nend\nos.exit(lu.LuaUnit.run())"
PERL: Final = 'use Test::Deep;\nif(eq_deeply(f(1), 2)) {\nprint "ok!" }else{\nexit 1;\n}'
R: Final = "stopifnot(isTRUE(all.equal(f(1), 2)))"
R_QUIT: Final = "test <- function() {\n  if (!isTRUE(all.equal(f(1), 2))) { quit(status = 1) }\n}\ntest()"
PERL_TWICE: Final = "use Test::Deep;\nsub t { if (eq_deeply(f(1), 2)) { print 1 } else { exit 1 } }\nt();\nt();"
RUBY: Final = "require 'test/unit'\nclass T < Test::Unit::TestCase\n  def test_f\n    assert_equal(2, f(1))\n  end\nend"
RACKET: Final = "(require rackunit)\n(check-within (f 1) 2 0.001)"
JAVA: Final = "    }\n    public static void main(String[] args) {\n    assert(f(1) == 2);\n    }\n}\n"
SCALA: Final = "    }\n    def main(args: Array[String]) = {\n    assert(f(1) == 2);\n    }\n}\n"
CSHARP: Final = "    }\n    public static void Main(string[] args) {\n    Debug.Assert(f(1) == 2);\n    }\n}\n"
D: Final = "unittest\n{\n    assert(f(1) == 2);\n}\nvoid main(){}"
GO: Final = 'func TestF(t *testing.T) {\n\tif f(1) != 2 {\n\t\tt.Errorf("no")\n\t}\n}\n'
RUST: Final = "}\nfn main() {\n    assert_eq!(f(1), 2);\n}\n"

PROGRAMS: Final = {
    "javascript": (
        JS,
        "function f(n) { return n + 1; }",
        "function f(n) { return n; }",
        "function f(n) { process.exit(0); }",
    ),
    "typescript": (
        JS,
        "function f(n: number) { return n + 1; }",
        "function f(n: number) { return n; }",
        "function f(n: any) { process.exit(0); }",
    ),
    "php": (
        PHP,
        "<?php\nfunction f($n) { return $n + 1; }",
        "<?php\nfunction f($n) { return $n; }",
        "<?php\nfunction f($n) { exit(0); }",
    ),
    "lua": (
        LUA,
        "local function f(n) return n + 1 end",
        "local function f(n) return n end",
        "local function f(n) os.exit(0) end",
    ),
    "perl": (PERL, "sub f { return $_[0] + 1 }", "sub f { return $_[0] }", "sub f { exit 0 }"),
    "r": (R, "f <- function(n) n + 1", "f <- function(n) n", "f <- function(n) quit(status = 0)"),
    "ruby": (RUBY, "def f(n) = n + 1", "def f(n) = n", "def f(n) = exit!(0)"),
    "racket": (
        RACKET,
        "#lang racket\n(define (f n) (+ n 1))",
        "#lang racket\n(define (f n) n)",
        "#lang racket\n(define (f n) (exit 0))",
    ),
    "java": (
        JAVA,
        "class Problem {\n    static long f(long n) {\n    return n + 1;\n",
        "class Problem {\n    static long f(long n) {\n    return n;\n",
        "class Problem {\n    static long f(long n) {\n    System.exit(0); return n;\n",
    ),
    "scala": (
        SCALA,
        "object Problem {\n    def f(n: Long): Long = {\n    n + 1\n",
        "object Problem {\n    def f(n: Long): Long = {\n    n\n",
        "object Problem {\n    def f(n: Long): Long = {\n    sys.exit(0)\n",
    ),
    "csharp": (
        CSHARP,
        "using System.Diagnostics;\nclass Problem {\n    static long f(long n) {\n    return n + 1;\n",
        "using System.Diagnostics;\nclass Problem {\n    static long f(long n) {\n    return n;\n",
        "using System.Diagnostics;\nclass Problem {\n    static long f(long n) {\n    System.Environment.Exit(0); return n;\n",
    ),
    "d": (
        D,
        "long f(long n) { return n + 1; }",
        "long f(long n) { return n; }",
        "import core.stdc.stdlib;\nlong f(long n) { exit(0); return n; }",
    ),
    "go": (
        GO,
        'package f_test\n\nimport "testing"\n\nfunc f(n int) int { return n + 1 }\n',
        'package f_test\n\nimport "testing"\n\nfunc f(n int) int { return n }\n',
        'package f_test\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc f(n int) int { os.Exit(0); return n }\n',
    ),
    **dict.fromkeys(
        ("rust", "rust2018", "rust2024"),
        (
            RUST,
            "fn f(n: isize) -> isize {\n    n + 1\n",
            "fn f(n: isize) -> isize {\n    n\n",
            "fn f(n: isize) -> isize {\n    std::process::exit(0)\n",
        ),
    ),
}
"""Test code; a right program; a wrong one; one that leaves."""

FAR: Final = " " * (1 << 19)
"""What is looked at to find what is started is no more than this."""

HIDDEN: Final = [
    ("javascript", "function f(n) { return n; }\nreturn;\n", JS),
    ("javascript", "const a = require('node:assert');\na.deepEqual = () => {};\nfunction f(n) { return n; }\n", JS),
    ("javascript", "function require() { return { deepEqual() {} }; }\nfunction f(n) { return n; }\n", JS),
    ("php", "<?php\nfunction f($n) { return $n; }\n__halt_compiler();", PHP),
    ("php", "<?php\nfunction f($n) { return $n; }\nreturn;", PHP),
    ("lua", "local function f(n) return n end\ndo return end", LUA),
    (
        "lua",
        "local function f(n) return n end\npackage.loaded.luaunit = { assertEquals = function() end, LuaUnit = { run = function() return 0 end } }",
        LUA,
    ),
    ("perl", "sub f { return $_[0] }\n1;\n__END__\n", PERL),
    ("ruby", "def f(n) = n\n__END__\n", RUBY),
    ("r", "f <- function(n) n\nstopifnot <- function(...) NULL\n", R),
    ("r", "f <- function(n) n\nquit <- function(...) NULL\n", R_QUIT),
    ("r", "f <- function(n) n\n`if` <- function(...) NULL\n", R_QUIT),
    ("r", "f <- function(n) n\n`!` <- function(x) FALSE\n", R_QUIT),
    ("perl", "BEGIN { *CORE::GLOBAL::exit = sub { 1 } }\nsub f { return $_[0] }", PERL),
    ("perl", "sub f { no warnings; *main::eq_deeply = sub { 1 }; return $_[0] }", PERL),
    ("perl", "sub f { no warnings; *Test::Deep::eq_deeply = sub { 1 }; return $_[0] }", PERL_TWICE),
    ("rust", "macro_rules! assert_eq { ($($t:tt)*) => { () }; }\nfn f(n: isize) -> isize {\n    n\n", RUST),
    ("rust", 'fn f(n: isize) -> isize {\n    include_str!("main.rs").len() as isize\n', RUST),
    (
        "rust",
        "#[derive(Debug)] struct String; impl PartialEq for String { fn eq(&self, _: &String) -> bool { true } }\n"
        "impl String { fn from(_: &str) -> String { String } }\nfn f(_: isize) -> String {\n    String\n",
        '}\nfn main() {\n    assert_eq!(f(1), String::from("x"));\n}\n',
    ),
    ("racket", "#lang racket\n(require rackunit)\n(current-check-around void)\n(define (f n) n)", RACKET),
    (
        "java",
        "class Main { public static void main(String[] a) { } }\nclass Problem {\n    static long f(long n) {\n    return n;\n",
        JAVA,
    ),
    (
        "java",
        "class Evil { public static void main(String[] a) { } }\n"
        "class Problem {\n  String s = \\u0022 } class Evil { \\u0022;\n    static long f(long n) {\n    return n;\n",
        JAVA,
    ),
    (
        "java",
        "class Main { public static void main(String[] a) { } }\nfinal class ScaleB\\u006fxMain {\n    private ScaleB\\u006fxMain() { }\n/*",
        "class Tests { public static void main(String[] a) { } }\n",
    ),
    (
        "java",
        'class Main { public static void main(String[] a) throws Exception { new java.io.FileInputStream("/dev/fd/3").transferTo('
        f'new java.io.FileOutputStream("/dev/fd/4")); }} }}\n{FAR}\nclass Problem {{\n    static long f(long n) {{\n    return n;\n',
        JAVA,
    ),
    (
        "scala",
        'object Main { def main(a: Array[String]): Unit = { new java.io.FileInputStream("/dev/fd/3").transferTo('
        f'new java.io.FileOutputStream("/dev/fd/4")) }} }}\n{FAR}\nobject Problem {{\n    def f(n: Long): Long = {{\n    n\n',
        SCALA,
    ),
    (
        "scala",
        "/* /* */\npackage a\n*/\npackage a { object ScaleBoxMain { def main(a: Array[String]): Unit = { "
        'new java.io.FileInputStream("/dev/fd/3").transferTo(new java.io.FileOutputStream("/dev/fd/4")) } } }\n'
        "object Problem {\n    def f(n: Long): Long = {\n    n\n",
        SCALA,
    ),
    (
        "scala",
        "object Main { def main(a: Array[String]): Unit = { } }\nobject Problem {\n    def f(n: Long): Long = {\n    n\n",
        SCALA,
    ),
    (
        "scala",
        "object Evil { def main(a: Array[String]): Unit = { } }\n"
        "object Problem {\n /* /* */ } object Evil { */\n    def f(n: Long): Long = {\n    n\n",
        SCALA,
    ),
    (
        "csharp",
        "class Problem { static internal void ScaleBoxTests(string[] w) { } }\nclass P { static long f(long n) {\n    return n;\n",
        CSHARP,
    ),
    (
        "csharp",
        "using System.Diagnostics;\nclass Problem {\n    static class Debug { public static void Assert(bool b) { } }\n    static long f(long n) {\n    return n;\n",
        CSHARP,
    ),
]
"""Wrong programs that keep the test code from being run, or from meaning anything."""


def marked(name: str, *values: object) -> object:
    return pytest.param(name, *values, marks=() if name in QUICK else pytest.mark.languages)


@pytest.mark.parametrize(
    ("name", "tests"),
    [("java", "class A { }"), ("scala", "object A extends App { }")],
)
def test_test_code_without_a_main_is_refused(name: str, tests: str) -> None:
    program = (
        "class Main { public static void main(String[] a) { } }\nobject Main { def main(a: Array[String]) = { } }\n"
    )
    with pytest.raises(RequestError, match="declares no main"):
        render_append(language_of(name), program, tests)


def skip_without_library(name: str) -> None:
    library = LIBRARIES.get(name)
    if library and which(library[0]) and subprocess.run(library, capture_output=True, check=False).returncode:
        pytest.skip(f"toolchain: {name} lacks the library of published test code")


@pytest.mark.parametrize("name", [marked(name) for name in PROGRAMS])
def test_only_a_right_program_yields_the_token(name: str) -> None:
    tests, right, wrong, leaves = PROGRAMS[name]
    skip_without_library(name)
    found = append(name, right, tests)
    assert (found.exit_code, found.value) == (0, TOKEN), found.stderr
    for program in (wrong, leaves):
        assert TOKEN not in append(name, program, tests).value


@pytest.mark.languages
def test_go_tests_bring_the_imports_that_a_whole_program_leaves_out() -> None:
    tests = GO.replace('t.Errorf("no")', "t.Error(fmt.Sprint(reflect.DeepEqual(1, 2)))")
    for imports in ("", 'import (\n\t"fmt"\n\t"testing"\n)\n'):
        found = append("go", f"package main\n\n{imports}\nfunc f(n int) int {{ return n + 1 }}\n", tests)
        assert (found.exit_code, found.value) == (0, TOKEN), found.stderr


@pytest.mark.languages
def test_a_parallel_go_test_is_waited_for() -> None:
    tests = GO.replace("{\n\tif", "{\n\tt.Parallel()\n\tif")
    for body, right in (
        ("return n + 1", True),
        ("return n", False),
        ("os.Exit(0); return n", False),
        ("runtime.Goexit(); return n", False),
    ):
        imports = 'import (\n\t"os"\n\t"runtime"\n\t"testing"\n)\n\nvar _, _ = os.Args, runtime.GOOS\n'
        found = append("go", f"package main\n\n{imports}\nfunc f(n int) int {{ {body} }}\n", tests)
        assert (found.value == TOKEN) is right, (body, found.stderr)


@pytest.mark.parametrize("right", [True, False])
def test_an_old_node_runs_the_tests_too(right: bool) -> None:
    language = language_of("javascript")
    old = replace(
        language,
        support={"old.cjs": "delete process.getBuiltinModule;"},
        environment={**language.environment, "NODE_OPTIONS": "--require ./old.cjs"},
    )
    program = PROGRAMS["javascript"][1 if right else 2]
    found = build_and_run(old, render_append(old, program, JS), TOKEN)
    assert (found.value == TOKEN) is right, found.stderr
    request = b'{"args": [1], "kwargs": {}, "mutated": null}'
    called = build_and_run(old, render_call(old, program, "f", 1), request)
    assert called.value == (b"2\n" if right else b"1\n"), called.stderr


@pytest.mark.parametrize(("name", "program", "tests"), [marked(*row) for row in HIDDEN])
def test_hidden_test_code_yields_no_token(name: str, program: str, tests: str) -> None:
    assert TOKEN not in append(name, program, tests).value
