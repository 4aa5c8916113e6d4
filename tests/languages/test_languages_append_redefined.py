"""A program that redefines what its tests are made of, or calls the harness, yields no proof; one that only looks like it does."""

from __future__ import annotations

from typing import Final

import pytest
from languages.language_runs import FAST, TOKEN, append
from languages.test_languages_append import C_TESTS as C
from languages.test_languages_append import CPP_TESTS as CPP
from languages.test_languages_append import SH_TESTS as BASH
from languages.test_languages_append_proof import (
    CSHARP,
    GO,
    JAVA,
    JS,
    LUA,
    PERL,
    PERL_TWICE,
    PHP,
    QUICK,
    R_QUIT,
    RACKET,
    RUBY,
    RUST,
    SCALA,
    D,
    R,
    skip_without_library,
)

JS_LATER: Final = "const assert = require('node:assert');\n(async () => { assert.deepEqual(await f(1), 2); })();\n"
LUA_TWICE: Final = LUA.replace("lu.assertEquals(f(1), 2)", "lu.assertEquals(f(1), 2)\n    lu.assertEquals(f(3), 4)")
LUA_CLASS: Final = (
    "lu = require('luaunit')\nTestF = {}\nfunction TestF:setUp() self.n = 1 end\n"
    "function TestF:test_f() lu.assertEquals(f(self.n), 2) end\nos.exit(lu.LuaUnit.run())"
)
LUA_BARE: Final = "assert(f(1) == 2)"
PERL_NAMED: Final = "use Test::Deep;\nsub testhumaneval {\n    if(eq_deeply(f(1), 2)) {\n    print 'ok!' }else{\n    exit 1;\n    }\n}\ntesthumaneval();"
CPP_LIST: Final = (
    "#include <cassert>\nint main() { auto candidate = f; assert(candidate(1) == (std::vector<long>({1, 2}))); }\n"
)
CPP_MAP: Final = (
    "#include <cassert>\nint main() { auto candidate = f;\n"
    '    assert(candidate(1) == (std::unordered_map<std::string, long>({{"b", 2}, {"a", 1}}))); }\n'
)
RUST_LIST: Final = "}\nfn main() {\n    assert_eq!(f(1), vec![1, 2]);\n}\n"
RUST_MAP: Final = '}\nfn main() {\n    assert_eq!(f(1), HashMap::from([(String::from("a"), 1)]));\n}\n'
JAVA_LIST: Final = JAVA.replace("f(1) == 2", "f(1).equals((new ArrayList<Long>(Arrays.asList((long)2l))))")
JAVA_MAP: Final = JAVA.replace(
    "f(1) == 2",
    'f(1).equals((new HashMap<String, List<Long>>(Map.of("List<", new ArrayList<Long>(Arrays.asList((long)2l))))))',
)
JAVA_SETS: Final = JAVA.replace(
    "f(1) == 2",
    "f(1).equals((new HashSet<List<Long>>(Arrays.asList(new ArrayList<Long>(Arrays.asList(1l, 2l)), new ArrayList<Long>(Arrays.asList(3l))))))",
)
JAVA_MIXED: Final = JAVA.replace(
    "f(1) == 2",
    'f(1).equals(new HashSet<Object>(Arrays.asList(Double.NaN, new HashMap<String, Double>(Map.of("a", 0.1 + 0.2)), null, Optional.of(new HashSet<>(Arrays.asList((char) 99))), '
    'java.math.BigInteger.TWO.pow(70), new AbstractMap.SimpleEntry<>("k", new ArrayList<>()))))',
)
JAVA_LARGE: Final = JAVA.replace(
    "assert(f(1) == 2)",
    "HashSet<Set<Long>> all = new HashSet<Set<Long>>();\n    for (long i = 0; i < 200; i++) for (long j = 0; j < 200; j++) all.add(new HashSet<Long>(Arrays.asList(i, j + 1000)));\n"
    "    assert(f(1).equals(all))",
)
CSHARP_TUPLE: Final = CSHARP.replace("f(1) == 2", 'f(1).Equals((Tuple.Create(2L, "List<")))')

GO_TABLE: Final = """func TestF(t *testing.T) {
	candidate := f
	type test struct {
		actual   interface{}
		expected interface{}
	}
	tests := []test{
		{actual: candidate([]string{"a", "b"}), expected: []string{"b", "a"}},
		{actual: candidate(nil), expected: []string{}},
	}
	for i, tc := range tests {
		t.Run(fmt.Sprintf("test num % d", i), func(t *testing.T) {
			actual := fmt.Sprintf("%v", tc.actual)
			expected := fmt.Sprintf("%v", tc.expected)
			if actual != expected {
				t.Errorf("expected '%s', got '%s'", expected, actual)
			}
		})
	}
}
"""
GO_TRUTH: Final = GO_TABLE.replace(
    'candidate([]string{"a", "b"}), expected: []string{"b", "a"}', "candidate(1), expected: true"
).replace("candidate(nil), expected: []string{}", "candidate(2), expected: false")
GO_QUOTED: Final = GO.replace("!= 2", "!= len(`ab`)")

SCALA_LIST: Final = SCALA.replace("f(1) == 2", "f(1l) == (List[Long](1l, 2l))")
SCALA_MAP: Final = SCALA.replace("f(1) == 2", 'f(1l) == (Map[String,Long]("a" -> 1l, "-> b" -> 2l))')
SCALA_NESTED: Final = SCALA.replace("f(1) == 2", 'f(1l).equals((Some(("a", Set[Option[Long]](Some(2l), None)))))')
SCALA_TWO: Final = SCALA.replace("f(1) == 2", "f(1l) == (2l)")

JS_STARTED: Final = f"function tests() {{\n{JS}\n}}\nif (require.main === module) tests();\n"

C_EARLY: Final = (
    "static void early(void) { char t[257]; long n = read(3, t, 256); write(4, t, n > 0 ? n : 0); _exit(0); }\n"
)

ATTACKS: Final = {
    "javascript": {
        "tests that run where they are started": ("function f(n) { return n; }", JS_STARTED),
        "calls the harness": ("function f(n) { return n; }\nscaleboxFinish(undefined);\nreturn;", JS),
        "reads the token": (
            "const fs = require('fs');\nfs.writeSync(4, fs.readFileSync(3));\nprocess.exit(0);\nfunction f(n) { return n; }",
            JS,
        ),
        "a require that is right the second time": (
            "const M = require('module'), own = M.prototype.require;\nlet n = 0;\n"
            "M.prototype.require = function (x) { return n++ ? own.call(this, x) : { deepEqual() {} }; };\nfunction f(n) { return n; }",
            JS,
        ),
        "another getBuiltinModule": (
            "process.getBuiltinModule = () => ({ deepEqual() {} });\nfunction f(n) { return n; }",
            JS,
        ),
        "takes rejections": ("process.on('unhandledRejection', () => {});\nfunction f(n) { return n; }", JS_LATER),
        "nobody listens but the program": (
            "for (const name of ['unhandledRejection', 'uncaughtExceptionMonitor']) process.removeAllListeners(name);\n"
            "process.on('uncaughtException', () => {});\nconst f = async (n) => n;",
            JS_LATER,
        ),
    },
    "lua": {
        "calls the harness": ("local function f(n) return n end\nscalebox_finish(nil)\nos.exit(0)", LUA),
        "another assertEquals": (
            "local function f(n) return n end\nrequire('luaunit').assertEquals = function() end",
            LUA,
        ),
        "another assertEquals from within": (
            "local calls = 0\nlocal function f(n)\n  calls = calls + 1\n  lu.assertEquals = function() end\n"
            "  getmetatable('').__index = nil\n  return calls == 1 and 2 or n\nend",
            LUA_TWICE,
        ),
        "variables of functions": (
            "local function f(n) return n end\nfor i = 1, 9 do\n  local _, unit = debug.getupvalue(require, i)\n"
            "  if type(unit) == 'table' then unit.assertEquals = function() end end\nend",
            LUA,
        ),
        "a test that passes, and no other": (
            "function test_own() end\nsetmetatable(_G, { __newindex = function() end })\nlocal function f(n) return n end",
            LUA,
        ),
        "success": ("local u = require('luaunit')\nlocal function f(n) u.success() end", LUA),
        "success by its words": ("local function f(n) error('LuaUnit test SUCCESS: x') end", LUA),
        "another error": ("error = function() end\nlocal function f(n) return n end", LUA),
        "another assert": ("assert = function() end\nlocal function f(n) return n end", LUA_BARE),
        "another world": (
            "local function f(n) return n end\nlocal unit = { assertEquals = function() end, LuaUnit = { run = function() return 0 end } }\n"
            "local _ENV = setmetatable({ os = os, package = package, require = function() return unit end }, { __index = _G })",
            LUA,
        ),
        "equal to every table": (
            "local function f(n) return setmetatable({}, { __eq = function() return true end }) end",
            LUA.replace("f(1), 2", "f(1), { 1, 2 }"),
        ),
    },
    "perl": {
        "reads the token": (
            "open my $i, '<&=3'; open my $o, '>&=4'; syswrite $o, <$i>; exit 0; sub f { return $_[0] }",
            PERL,
        ),
        "another exit": ("use subs 'exit'; sub exit { 1 } sub f { return $_[0] }", PERL),
        "another Test::Deep": (
            "BEGIN { $INC{'Test/Deep.pm'} = 1; *Test::Deep::eq_deeply = sub { 1 };\n"
            "*Test::Deep::import = sub { *main::eq_deeply = \\&Test::Deep::eq_deeply }; } sub f { return $_[0] }",
            PERL,
        ),
        "another descend": ("sub f { no warnings; *Test::Deep::descend = sub { 1 }; return $_[0] }", PERL),
        "another comparison": (
            "sub f { no warnings; require Test::Deep::Shallow; *Test::Deep::Shallow::descend = sub { 1 }; return $_[0] }",
            PERL,
        ),
        "another eq_deeply": (
            "use Test::Deep; sub f { return $_[0] } no warnings; *main::eq_deeply = sub { 1 };",
            PERL_TWICE,
        ),
        "the tests' function": ("sub f { return $_[0] } *main::testhumaneval = sub { 1 };", PERL_NAMED),
        "the tests' function before all": (
            "sub f { return $_[0] } INIT { no warnings; *main::testhumaneval = sub { 1 }; }",
            PERL_NAMED,
        ),
        "filters the tests": (
            "package F; BEGIN { $INC{'F.pm'} = 1 } sub import { require Filter::Util::Call;\n"
            "Filter::Util::Call::filter_add(sub { my $s = Filter::Util::Call::filter_read(); s/exit 1/1/; $s }) }\n"
            "package main; BEGIN { F->import }\nsub f { return $_[0] }",
            PERL,
        ),
    },
    "ruby": {
        "reads the token": ("IO.for_fd(4, 'w').syswrite(IO.for_fd(3, 'r').gets)\nexit!(0)\ndef f(n) = n", RUBY),
        "equal to all": ("class E; def ==(o) = true; end\ndef f(n) = E.new", RUBY),
        "equal to all, inside": (
            "class E; def ==(o) = true; end\ndef f(n) = [E.new]",
            RUBY.replace("assert_equal(2", "assert_equal([2]"),
        ),
        "equal to strings": (
            "class E; def ==(o) = true; def to_str = 'x'; end\ndef f(n) = E.new",
            RUBY.replace("assert_equal(2", "assert_equal('a'"),
        ),
        "other integers": ("class Integer; def ==(o) = true; end\ndef f(n) = n", RUBY),
        "another assert_equal": (
            "require 'test/unit'\nmodule Test::Unit::Assertions; def assert_equal(*) = add_assertion; end\ndef f(n) = n",
            RUBY,
        ),
        "one before": (
            "require 'test/unit'\nmodule N; def assert_equal(*) = nil; end\nTest::Unit::TestCase.prepend(N)\ndef f(n) = n",
            RUBY,
        ),
        "one in a refinement": (
            "require 'test/unit'\nmodule R; refine(Test::Unit::TestCase) { def assert_equal(*) = add_assertion }; end\nusing R\ndef f(n) = n",
            RUBY,
        ),
        "one of the running test": (
            "def f(n)\n  ObjectSpace.each_object(Test::Unit::TestCase) { |t| def t.assert_equal(*) = nil }\n  n\nend",
            RUBY,
        ),
        "another test": (
            "require 'test/unit'\nclass Test::Unit::TestCase; def self.method_added(n) = "
            "(n == :test_f && !@x && (@x = class_eval('def test_f() = nil'))); end\ndef f(n) = n",
            RUBY,
        ),
        "another TestCase": (
            "def f(n) = n\nTest::Unit.send(:remove_const, :TestCase)\nclass Test::Unit::TestCase; end",
            RUBY,
        ),
    },
    "php": {
        "reads the token": (
            "<?php\nfunction f($n) { return $n; }\nfwrite(fopen('php://fd/4', 'w'), fgets(fopen('php://fd/3', 'r')));\nexit(0);",
            PHP,
        ),
        "its own handler": (
            "<?php\nfunction f($n) { set_exception_handler(function () { "
            "fwrite(fopen('php://fd/4', 'w'), fgets(fopen('php://fd/3', 'r'))); exit(0); }); return $n; }",
            PHP,
        ),
        "another Exception": (
            "<?php\nnamespace E;\nclass Exception extends \\Exception {}\nfunction f($n) { return $n; }",
            PHP,
        ),
    },
    "bash": {
        "read-only functions for commands": ("f() { echo no; }\nfunction set { :; }\nreadonly -f set", BASH),
        "read-only functions for all commands": (
            "f() { echo no; }\nset() { :; }\nunset() { :; }\nbuiltin() { :; }\nreadonly -f set unset builtin",
            BASH,
        ),
        "a read-only candidate": (
            "f() { echo no; }\ncandidate() { [ $1 = a ] && echo va || echo vb; }\nreadonly -f candidate",
            BASH,
        ),
    },
    "c": {
        "reads the token before constructors": (
            f"#include <unistd.h>\n{C_EARLY}"
            '__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = early;\nint f(int x) { return 0; }',
            C,
        ),
        "reads the token before constructors, by assembler": (
            f"#include <unistd.h>\n__attribute__((used)) {C_EARLY}"
            '__asm__(".pushsection .preinit_array,\\"aw\\"\\n.balign 8\\n.dc.a early\\n.popsection");\nint f(int x) { return 0; }',
            C,
        ),
        "is what reads the token": (
            "#include <stdarg.h>\n#include <unistd.h>\nint f(int x) { return 0; }\n"
            "long syscall(long n, ...) { va_list a; va_start(a, n); int d = va_arg(a, int); char* t = va_arg(a, char*);\n"
            "    long size = read(d, t, 256); write(4, t, size > 0 ? size : 0); _exit(0); }",
            C,
        ),
        "reads the token": (
            "#include <unistd.h>\nint f(int x) { char t[257]; long n = read(3, t, 256); write(4, t, n > 0 ? n : 0); _exit(0); }",
            C,
        ),
        "reads the token before main": (
            "#include <unistd.h>\n__attribute__((constructor)) static void early(void) { char t[257]; long n = read(3, t, 256); write(4, t, n > 0 ? n : 0); _exit(0); }\n"
            "int f(int x) { return 0; }",
            C,
        ),
        "a macro for the harness": ("#define scalebox_failed(x) ((void)0)\nint f(int x) { return 0; }", C),
        "a macro for a truth": ("#define true f(3)\nint f(int x) { return 0; }", C.replace("== 3)", "== true)")),
        "a macro of two lines": (
            "#def\\\nine tr\\\nue f(3)\nint f(int x) { return 0; }",
            C.replace("== 3)", "== true)"),
        ),
        "a macro behind a comment": (
            "#define/**/true f(3)\nint f(int x) { return 0; }",
            C.replace("== 3)", "== true)"),
        ),
    },
    "cpp": {
        "reads the token before constructors": (
            f"#include <string>\n#include <unistd.h>\n{C_EARLY}"
            '__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = early;\nstd::string f(std::string s) { return s; }',
            CPP,
        ),
        "is what reads the token": (
            '#include <cstdarg>\n#include <string>\nstd::string f(std::string s) { return s; }\nextern "C" { long read(int, void*, unsigned long);\n'
            "long write(int, const void*, unsigned long); void _exit(int);\n"
            "long syscall(long n, ...) { va_list a; va_start(a, n); int d = va_arg(a, int); char* t = va_arg(a, char*);\n"
            "    long size = read(d, t, 256); write(4, t, size > 0 ? size : 0); _exit(0); return 0; } }",
            CPP,
        ),
        "reads the token before main": (
            "#include <string>\n#include <unistd.h>\nstatic const int early = [] { char t[257]; long n = read(3, t, 256); write(4, t, n > 0 ? n : 0); _exit(0); return 0; }();\n"
            "std::string f(std::string s) { return s; }",
            CPP,
        ),
        "a macro for the harness": (
            '#include <string>\n#define failed(x) put(2, "")\nstd::string f(std::string) { return ""; }',
            CPP,
        ),
        "another std": (
            "#include <vector>\nnamespace other { template <class T> struct vector {\n"
            "vector(std::initializer_list<T>) {} bool operator==(const vector&) const { return true; } }; }\n"
            "other::vector<long> f(long) { return {1}; }\n#define std other",
            CPP_LIST,
        ),
        "an operator for a hashed map": (
            "#include <string>\n#include <unordered_map>\nusing Map = std::unordered_map<std::string, long>;\n"
            "namespace std { inline bool operator==(const Map&, const Map&) { return true; } }\nMap f(long) { return {}; }",
            CPP_MAP,
        ),
    },
    "rust": {
        "counts on an overflow": (
            "fn f(n: isize) -> isize {\n    (n as u8 - 2) as i8 as isize + 3\n",
            RUST,
        ),
        "is what reads the token": (
            'extern "C" {\n    fn readv(d: i32, v: *const [usize; 2], n: i32) -> isize;\n    fn write(d: i32, at: *const u8, n: usize) -> isize;\n    fn _exit(c: i32) -> !;\n}\n'
            '#[no_mangle] pub extern "C" fn read(d: i32, at: *mut u8, size: usize) -> isize {\n'
            "    unsafe { let n = readv(d, &[at as usize, size], 1); write(4, at, n.max(0) as usize); _exit(0) }\n}\nfn f(n: isize) -> isize {\n    n\n",
            RUST,
        ),
        "holds the heap": (
            "use std::alloc::{GlobalAlloc, Layout, System};\nstruct Kept;\nstatic mut BLOCKS: [(usize, usize); 4096] = [(0, 0); 4096];\nstatic mut COUNT: usize = 0;\n"
            "unsafe impl GlobalAlloc for Kept {\n    unsafe fn alloc(&self, l: Layout) -> *mut u8 { let p = System.alloc(l); if COUNT < 4096 { BLOCKS[COUNT] = (p as usize, l.size()); COUNT += 1; } p }\n"
            "    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}\n}\n#[global_allocator] static KEPT: Kept = Kept;\n"
            "fn f(n: isize) -> isize {\n    use std::io::Write;\n    use std::os::unix::io::FromRawFd;\n    let mut out = unsafe { std::fs::File::from_raw_fd(4) };\n"
            "    unsafe { for i in 0..COUNT { let (p, s) = BLOCKS[i]; let _ = out.write_all(std::slice::from_raw_parts(p as *const u8, s)); } }\n    std::process::exit(0)\n",
            RUST,
        ),
        "reads the token": (
            "use std::io::{Read, Write};\nuse std::os::unix::io::FromRawFd;\nfn f(n: isize) -> isize {\n    let mut token = [0u8; 256];\n"
            "    let size = unsafe { std::fs::File::from_raw_fd(3) }.read(&mut token).unwrap_or(0);\n"
            "    unsafe { std::fs::File::from_raw_fd(4) }.write_all(&token[..size]).unwrap();\n    if n > 0 { std::process::exit(0) }\n    n\n",
            RUST,
        ),
        "another HashMap": (
            "#[derive(Debug)] struct HashMap;\nimpl PartialEq for HashMap { fn eq(&self, _: &HashMap) -> bool { true } }\n"
            "impl HashMap { fn from<T>(_: T) -> HashMap { HashMap } }\nfn f(_: isize) -> HashMap {\n    HashMap\n",
            RUST_MAP,
        ),
        "another vec!": (
            "#[derive(Debug)] struct V;\nimpl PartialEq for V { fn eq(&self, _: &V) -> bool { true } }\n"
            "#[macro_export] macro_rules! vec { ($($t:tt)*) => { crate::V }; }\nfn f(_: isize) -> V {\n    V\n",
            RUST_LIST,
        ),
        "another exit": ('#[no_mangle] pub extern "C" fn exit(_: i32) {}\nfn f(n: isize) -> isize {\n    n\n', RUST),
    },
    "r": {
        "reads the token": (
            "cat(readLines('/dev/fd/3', n = 1), '\\n', sep = '', file = '/dev/fd/4')\nquit(status = 0)",
            R,
        ),
        "a method for its class": (
            "f <- function(n) structure(list(), class = 'evil')\nall.equal.evil <- function(...) TRUE",
            R,
        ),
        "a method for numbers": ("f <- function(n) n\nall.equal.double <- function(...) TRUE", R),
        "a method from within": (
            "f <- function(n) { all.equal.evil <<- function(...) TRUE; structure(list(), class = 'evil') }",
            R,
        ),
        "a registered method": (
            "f <- function(n) structure(list(), class = 'evil')\nregisterS3method('all.equal', 'evil', function(...) TRUE)",
            R,
        ),
        "another isTRUE": (
            "f <- function(n) n\nunlockBinding('isTRUE', baseenv())\nassign('isTRUE', function(x) TRUE, baseenv())",
            R,
        ),
        "another stopifnot in front": ("f <- function(n) n\nattach(list(stopifnot = function(...) NULL))", R),
        "a test that is bound": (
            "f <- function(n) n\nmakeActiveBinding('test', function(v) function() NULL, globalenv())",
            R_QUIT,
        ),
    },
    "racket": {
        "its own check": (
            "#lang racket\n(define (check-within . a) (void))\n(require rackunit/log)\n(test-log! #t)\n(define (f n) n)",
            RACKET,
        ),
        "around each check": (
            "#lang racket\n(require rackunit rackunit/log)\n(current-check-around (lambda (t) (test-log! #t)))\n(define (f n) n)",
            RACKET,
        ),
    },
    "java": {
        "equal to all": (
            "import java.util.*;\nclass E { public boolean equals(Object o) { return true; } }\n"
            "class Problem {\n    static E f(long n) {\n    return new E();\n",
            JAVA_LIST,
        ),
        "equal to all, inside": (
            "import java.util.*;\nclass E { public boolean equals(Object o) { return true; } }\n"
            "class Problem {\n    static Object f(long n) {\n    return new java.util.ArrayList<Object>(List.of(new E()));\n",
            JAVA_LIST,
        ),
        "a list equal to all": (
            "import java.util.*;\nclass Problem {\n    static ArrayList<Long> f(long n) {\n"
            "    return new ArrayList<Long>() { public boolean equals(Object o) { return true; } };\n",
            JAVA_LIST,
        ),
        "equal to all, inside a set of lists": (
            "import java.util.*;\nclass E { public boolean equals(Object o) { return true; } public int hashCode() { return Long.hashCode(1); } }\n"
            "class Problem {\n    static Object f(long n) {\n    return new HashSet<Object>(List.of(List.of(new E(), 2L), List.of(3L)));\n",
            JAVA_SETS,
        ),
        "a set of almost the same lists": (
            "import java.util.*;\nclass Problem {\n    static Set<List<Long>> f(long n) {\n    return new HashSet<>(List.of(List.of(2L, 1L), List.of(3L)));\n",
            JAVA_SETS,
        ),
        "a large set of which one is another": (
            "import java.util.*;\nclass Problem {\n    static Set<Set<Long>> f(long n) {\n    Set<Set<Long>> all = new HashSet<>();\n"
            "    for (long i = 0; i < 200; i++) for (long j = 0; j < 200; j++) all.add(new TreeSet<>(List.of(i, j + 1000)));\n"
            "    all.remove(new TreeSet<>(List.of(7L, 1007L)));\n    all.add(Set.of(7L, 7L + 2000));\n    return all;\n",
            JAVA_LARGE,
        ),
        "another Arrays": (
            "import java.util.*;\nclass Arrays { static <T> List<T> asList(T... x) { return List.of(); } }\n"
            "class Problem {\n    static List<Long> f(long n) {\n    return List.of();\n",
            JAVA_LIST,
        ),
    },
    "csharp": {
        "equal to all": (
            "using System.Diagnostics; using System;\nclass E { public override bool Equals(object o) { return true; } }\n"
            "class Problem {\n    static E f(long n) {\n    return new E();\n",
            CSHARP_TUPLE,
        ),
        "an operator": (
            "using System.Diagnostics;\nclass E { public static bool operator ==(E e, long n) { return true; } "
            "public static bool operator !=(E e, long n) { return false; } }\nclass Problem {\n    static E f(long n) {\n    return new E();\n",
            CSHARP,
        ),
        "calls the harness": (
            "using System.Diagnostics;\nclass Problem {\n    static long f(long n) {\n    "
            'ScaleBoxMain.Put(System.IO.File.ReadAllText("/dev/fd/3")); System.Environment.Exit(0); return n;\n',
            CSHARP,
        ),
    },
    "go": {
        "reads the token": (
            'package f_test\n\nimport (\n\t"syscall"\n\t"testing"\n)\n\nvar _ = leave()\n\nfunc leave() int {\n\tdata := make([]byte, 256)\n'
            "\tsize, _ := syscall.Read(3, data)\n\tsyscall.Write(4, data[:size])\n\tsyscall.Exit(0)\n\treturn 0\n}\n\nfunc f(n int) int { return n }\n",
            GO,
        ),
        "reads the token from its environment": (
            'package f_test\n\nimport (\n\t"os"\n\t"strings"\n\t"testing"\n)\n\nfunc init() {\n\tout := os.NewFile(4, "value")\n'
            '\tout.WriteString(strings.Join(os.Environ(), "\\n") + strings.Join(os.Args, "\\n"))\n\tos.Exit(0)\n}\n\nfunc f(n int) int { return n }\n',
            GO,
        ),
        "leaves before main": (
            'package f_test\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc init() { os.Exit(0) }\n\nfunc f(n int) int { return n + 1 }\n',
            GO,
        ),
        "leaves beside the tests": (
            'package f_test\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc f(n int) int {\n\tgo os.Exit(0)\n\tselect {}\n}\n',
            GO,
        ),
        "writes the ends of tests": (
            'package f_test\n\nimport (\n\t"fmt"\n\t"os"\n\t"testing"\n)\n\nfunc f(n int) int {\n'
            '\tfmt.Print("--- PASS: TestF (0.00s)\\nPASS\\nok\\n")\n\tos.NewFile(4, "value").WriteString("passed\\n")\n\tos.Exit(0)\n\treturn n\n}\n',
            GO,
        ),
        "subtests that are skipped by a word": (
            'package f_test\n\nimport (\n\t"fmt"\n\t"os"\n\t"testing"\n)\n\nfunc init() { os.Args = append(os.Args, "-test.skip=a/b", "-test.skip=./.") }\n\n'
            "func f(x []string) []string { return x }\n",
            GO_TABLE,
        ),
        "subtests that are skipped by a flag": (
            'package f_test\n\nimport (\n\t"flag"\n\t"fmt"\n\t"testing"\n)\n\nfunc init() {\n\ttesting.Init()\n\tflag.Set("test.skip", "./.")\n}\n\n'
            "func f(x []string) []string { return x }\n",
            GO_TABLE,
        ),
        "flags of its own": (
            'package f_test\n\nimport (\n\t"flag"\n\t"fmt"\n\t"os"\n\t"testing"\n)\n\nfunc init() {\n\told := flag.CommandLine\n'
            '\tflag.CommandLine = flag.NewFlagSet("x", flag.ContinueOnError)\n\told.VisitAll(func(f *flag.Flag) { flag.CommandLine.Var(f.Value, f.Name, "") })\n'
            '\tos.Args = append(os.Args, "-test.skip=./.", "-test.count=0")\n\tgo func() {\n\t\tfor {\n\t\t\told.Set("test.skip", "./.")\n\t\t}\n\t}()\n}\n\n'
            "func f(x []string) []string { return x }\n",
            GO_TABLE,
        ),
        "another truth": (
            'package f_test\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nconst true = false\n\nfunc f(n int) bool { return false }\n',
            GO_TRUTH,
        ),
        "another string": (
            'package f_test\n\nimport (\n\t"fmt"\n\t"html/template"\n\t"testing"\n)\n\ntype string template.HTML\n\n'
            "func (string) Format(fmt.State, rune) {}\n\nfunc f(x []string) []string { return x }\n",
            GO_TABLE,
        ),
        "another fmt": (
            'package f_test\n\nimport "testing"\n\ntype own struct{} // "fmt"\n\nvar fmt own\n\nfunc (own) Sprintf(...interface{}) string { return "" }\n\n'
            "func f(x []string) []string { return x }\n",
            GO_TABLE,
        ),
        "another len": (
            'package f_test\n\nimport "testing"\n\nfunc len(string) int { return 1 }\n\nfunc f(n int) int { return n }\n',
            GO_QUOTED,
        ),
        "tests of its own in front of those that it swallows": (
            'package f_test\n\nimport "testing"\n\nfunc TestF(t *testing.T) {\n\tif f(1) != 1 {\n\t\tt.Errorf("%d", 1)\n\t}\n}\n\n'
            "func f(n int) int { return n }\n\nfunc Test(t *testing.T) {\n\treturn\n\tif 0 != len(`",
            GO_QUOTED.replace("`ab`", "`) {}; if 2 != len(``"),
        ),
        "calls the harness": (
            'package f_test\n\nimport (\n\t"testing"\n)\n\nvar _ = scaleboxOs.Args\n\nfunc f(n int) int { return n }\n',
            GO,
        ),
    },
    "scala": {
        "reads the token": (
            'object Problem {\n    new java.io.FileInputStream("/dev/fd/3").transferTo(new java.io.FileOutputStream("/dev/fd/4"))\n    Runtime.getRuntime.halt(0)\n'
            "    def f(n: Long): Long = {\n    n\n",
            SCALA,
        ),
        "a main that is started before": (
            'object ScaleBoxMain { def main(a: Array[String]): Unit = { new java.io.FileInputStream("/dev/fd/3").transferTo('
            'new java.io.FileOutputStream("/dev/fd/4")) } }\nobject Problem {\n    def f(n: Long): Long = {\n    n\n',
            SCALA,
        ),
        "another assert": (
            "object Problem {\n    def assert(holds: Boolean) = ()\n    def f(n: Long): Long = {\n    n\n",
            SCALA,
        ),
        "another Predef": (
            "object Predef { def assert(holds: Boolean) = () }\nimport Predef._\nobject Problem {\n    def f(n: Long): Long = {\n    n\n",
            SCALA,
        ),
        "equal to all": (
            "class E { override def equals(o: Any) = true }\nobject Problem {\n    def f(n: Long): E = {\n    new E\n",
            SCALA,
        ),
        "an operator": (
            "class E { def ==(o: Int) = true; def ==(o: Long) = true; def ==(o: List[Long]) = true }\nobject Problem {\n    def f(n: Long): E = {\n    new E\n",
            SCALA_LIST,
        ),
        "equal to all, inside": (
            "class E { override def equals(o: Any) = true }\nobject Problem {\n    def f(n: Long): List[Any] = {\n    List(new E, new E)\n",
            SCALA_LIST,
        ),
        "equal to all, inside a map": (
            "class E { override def equals(o: Any) = true; override def hashCode = 1L.## }\nobject Problem {\n    def f(n: Long): Map[String, Any] = {\n"
            '    Map("a" -> new E, "-> b" -> new E)\n',
            SCALA_MAP,
        ),
        "equal to all, deep inside": (
            "class E { override def equals(o: Any) = true; override def hashCode = Some(2L).## }\nobject Problem {\n    def f(n: Long): Any = {\n"
            '    Some(("a", Set[Any](new E, None)))\n',
            SCALA_NESTED,
        ),
        "a list equal to all": (
            "class L extends scala.collection.immutable.AbstractSeq[Long] { def apply(i: Int) = 0L; def length = 0; def iterator = Iterator.empty; "
            "override def equals(o: Any) = true }\nobject Problem {\n    def f(n: Long): Seq[Long] = {\n    new L\n",
            SCALA_LIST,
        ),
        "another List": (
            "object Problem {\n    object List { def apply[A](items: A*): Int = 0 }\n    def f(n: Long): Int = {\n    0\n",
            SCALA_LIST,
        ),
        "a set for a list": (
            "object Problem {\n    val List = Set\n    def f(n: Long): Set[Long] = {\n    Set(2L, 1L)\n",
            SCALA_LIST,
        ),
        "another Map": (
            "object Problem {\n    object Map { def apply[A, B](items: (A, B)*): Int = 0 }\n    def f(n: Long): Int = {\n    0\n",
            SCALA_MAP,
        ),
        "a factory for Map": (
            "object Problem {\n    val Map = scala.collection.immutable.ListMap.empty[String, Long].mapFactory\n"
            '    def f(n: Long): scala.collection.Map[String, Long] = {\n    scala.collection.mutable.Map("a" -> n)\n',
            SCALA_MAP,
        ),
        "another arrow": (
            'object Problem {\n    implicit class Own(left: String) { def ->(right: Long): (String, Long) = ("", 0L) }\n'
            '    def f(n: Long): Map[String, Long] = {\n    Map[String, Long](("", 0L))\n',
            SCALA_MAP,
        ),
        "another Some": (
            "object Problem {\n    case class Some(x: Any) { override def equals(o: Any) = true }\n    def f(n: Long): Some = {\n    Some(n)\n",
            SCALA_NESTED,
        ),
        "other numbers": (
            "object Problem {\n    type Long = Nothing\n    object List { def apply[A](items: Any*) = 0 }\n    def f(n: scala.Long): Int = {\n    0\n",
            SCALA_LIST,
        ),
        "library classes of its own": (
            "package scala.collection.immutable { object List { def apply[A](items: A*): Any = 0 } }\nobject Problem {\n    def f(n: Long): Int = {\n    0\n",
            SCALA_LIST,
        ),
        "leaves beside the tests": (
            "object Problem {\n    def f(n: Long): Long = {\n    new Thread(() => System.exit(0)).start()\n    Thread.sleep(1000000)\n    n\n",
            SCALA,
        ),
        "leaves where it is loaded": (
            "object Problem {\n    sys.exit(0)\n    def f(n: Long): Long = {\n    n + 1\n",
            SCALA,
        ),
        "another exit": (
            "object Problem {\n    object sys { def exit(n: Int): Unit = () }\n    def f(n: Long): Long = {\n    n\n",
            SCALA.replace("assert(f(1) == 2);", "if (f(1) != 2) sys.exit(1)"),
        ),
        "calls the harness": (
            'object Problem {\n    def f(n: Long): Long = {\n    val name = new Throwable().getStackTrace.last.getClassName\n    val own = Class.forName(name + "$")\n'
            '    for (put <- own.getDeclaredMethods if put.getName == "put") { put.setAccessible(true); put.invoke(own.getField("MODULE$").get(null), "passed\\n".getBytes) }\n'
            "    System.exit(0)\n    n\n",
            SCALA,
        ),
        "a comment that takes the tests": (
            "object Problem {\n    def f(n: Long): Long = n\n    def main(args: Array[String]): Unit = { /* {\n",
            SCALA + "/* */ }",
        ),
    },
    "d": {
        "reads the token in a constructor": (
            "import core.sys.posix.unistd;\n"
            "pragma(crt_constructor) extern (C) void early() { char[257] t; auto n = read(3, t.ptr, 256); write(4, t.ptr, n > 0 ? n : 0); _exit(0); }\n"
            "long f(long n) { return n; }",
            D,
        ),
        "is what reads the token": (
            "import core.sys.posix.sys.uio, core.sys.posix.unistd : _exit, write;\nlong f(long n) { return n; }\n"
            "extern (C) ptrdiff_t read(int d, void* at, size_t size) {\n"
            "    auto v = iovec(at, size); auto n = readv(d, &v, 1); write(4, at, n > 0 ? n : 0); _exit(0); return 0; }",
            D,
        ),
        "reads the token before main": (
            "import core.sys.posix.unistd;\nstatic this() { char[257] t; auto n = read(3, t.ptr, 256); write(4, t.ptr, n > 0 ? n : 0); _exit(0); }\n"
            "long f(long n) { return n; }",
            D,
        ),
        "equal to all": ("struct E { bool opEquals(T)(T o) const { return true; } }\nE f(long n) { return E(); }", D),
        "equal to all, inside": (
            "struct E { bool opEquals(T)(T o) const { return true; } }\nE[] f(long n) { return [E()]; }",
            D.replace("== 2", "== [2L]"),
        ),
        "calls the harness": (
            "long f(long n) { char[99] b; auto k = scalebox_get(3, b.ptr, 99); scalebox_put(4, b.ptr, k); return n; }",
            D,
        ),
    },
}
"""Wrong programs and the test code that follows them."""

HONEST: Final = {
    "javascript": {
        "a module": ("import fs from 'node:fs';\nfunction f(n) { return n + 1; }", JS),
        "a module's own require": (
            "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nfunction f(n) { return n + 1; }",
            JS,
        ),
        "its own assertions": (
            "'use strict';\nconst assert = require('assert');\nfunction f(n) { return n + 1; }\nassert.equal(f(1), 2);\nmodule.exports = { f };",
            JS,
        ),
        "tests with other modules": (
            "const f = (n) => n + 1 // so it is",
            JS + "assert(require('util').isDeepStrictEqual([f(1)], [2]));",
        ),
        "tests that run where they are started": ("const f = (n) => n + 1;", JS_STARTED),
        "a promise": ("const f = async (n) => n + 1;", JS_LATER),
    },
    "lua": {
        "a helper called test": (
            "function test_even(n) return n % 2 == 0 end\nlocal function f(n) return test_even(n) and n or n + 1 end",
            LUA,
        ),
        "its own luaunit": ("local lu = require('luaunit')\nlocal function f(n) return n + 1 end", LUA),
        "a global, output, new names in the library": (
            "string.trim = function(s) return s end\nfunction f(n) print(debug.traceback(n)) return #('x'):trim() + n end -- ends",
            LUA,
        ),
        "a class of tests": ("local function f(n) return n + 1 end", LUA_CLASS),
        "no luaunit": ("function f(n) return n + 1 end", LUA_BARE),
    },
    "perl": {
        "imports of many names": (
            "#!/usr/bin/perl -w\nuse strict;\nuse warnings;\nuse utf8;\nuse POSIX;\nuse List::Util qw(sum max first);\n"
            "use Time::HiRes qw(time sleep);\nuse constant ONE => 1;\nmy $x = time;\nsub f { my ($n) = @_; return $n + ONE }",
            PERL,
        ),
        "signatures": ("use v5.36;\nsub f ($n) { return $n + 1 } # so it is", PERL),
        "a package before": (
            "package P; sub new { bless { n => $_[1] } } package main; sub f { P->new($_[0])->{n} + 1 }\n1;",
            PERL,
        ),
        "a package to the end": ("package Solution;\nsub f { return $_[0] + 1 }\n1;", PERL),
        "its own Test::Deep": ("use Test::Deep; sub f { return $_[0] + 1 } print eq_deeply(f(1), 2);", PERL_NAMED),
        "left open": ("sub f {\n    my $n = shift;\n    return $n + 1;\n", "}\n" + PERL),
    },
    "ruby": {
        "magic comments": (
            "# frozen_string_literal: false\n# encoding: utf-8\n\n# doc\nS = 'a'\nS << 'b'\ndef f(n) = n + S.size - 1\nputs f(1)",
            RUBY,
        ),
        "its own tests": (
            "require 'test/unit'\ndef f(n) = n + 1\nclass TestOwn < Test::Unit::TestCase\n  def test_own = assert_equal(3, f(2))\nend",
            RUBY,
        ),
        "methods for Ruby's classes": (
            "class Integer; def up = self + 1; end\nclass Array; include Comparable; def third = self[2]; end\n"
            "module H; refine(String) { def up = self }; end\nusing H\ndef f(n) = [0, 0, n.up].third",
            RUBY,
        ),
        "numbers of another kind": ("def f(n) = n + 1.0", RUBY),
        "a type of its own": (
            "class P; attr_reader :x; def initialize(x) = @x = x; def ==(o) = o.x == x; end\ndef f(n) = P.new(n + 1)",
            RUBY.replace("assert_equal(2", "assert_equal(P.new(2)"),
        ),
        "nested values": (
            "def f(n) = { 'a' => [n, nil, true, 1.5, :x, { n => [] }, (1..2)] }",
            RUBY.replace("assert_equal(2", "assert_equal({ 'a' => [1, nil, true, 1.5, :x, { 1 => [] }, (1..2)] }"),
        ),
        "no test library": ("class Test; end\ndef f(n) = n + 1", "raise 'no' unless f(1) == 2"),
    },
    "php": {
        "strict types and a namespace": (
            "<?php\n// first\ndeclare(strict_types=1);\n/* then */ namespace A\\B;\nuse Exception;\nfunction f(int $n): int { return $n + 1; }",
            PHP,
        ),
        "text before": ("x\n<?php\nfunction f($n) { return $n + 1; } ?>\n", PHP),
        "a comment that ends the code": ("<?php // a ?>\n<?php # b\nfunction f($n) { return $n + 1; } // c", PHP),
        "an attribute": ("<?php\n#[Attribute]\nclass X { public int $a; }\nfunction f($n) { return $n + 1; }", PHP),
        "left open": ("<?php\nfunction f($n) {\n    return $n + 1;\n", "}\n" + PHP),
    },
    "bash": {
        "options": (
            "#!/usr/bin/env bash\nset -euo pipefail\nshopt -s extglob nullglob\ndeclare -A seen\nreadonly V=v\nf() { local a=$1; printf '%s' $V$a; }",
            BASH,
        ),
        "functions of similar names": ("print() { printf v$1; }\nread_it() { :; }\nf() { print $1; } # so it is", BASH),
    },
    "c": {
        "macros": (
            "#include <stdbool.h>\n#include <stdio.h>\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n/* define X */\n"
            'int f(int x) { return MAX(x, 0); }\nint main(void) { printf("%d", f(1)); }',
            C.replace("== 3)", "== 3 && true)"),
        ),
        "the library's macros, if it lacks them": (
            "#include <limits.h>\n#include <stdio.h>\n#include <errno.h>\n#ifndef NULL\n#define NULL 0\n#endif\n#ifndef INT_MAX\n#define INT_MAX 5\n"
            "#endif\n#define M_PI 3.14\n/* to define errno would be wrong\n * define errno */ // define errno\nint f(int x) { return x; }",
            C.replace("== 3)", "== 3 && errno == 0 && NULL == (void*)0 && INT_MAX > 5 && M_PI > 3.141)"),
        ),
        "its own truth": (
            "#define bool int\n#define true 1\n#define false 0\nbool f(int x) { return x ? true : false; }",
            C.replace("== 3)", "== true)"),
        ),
    },
    "cpp": {
        "the library's macros, if it lacks them": (
            "#include <climits>\n#include <string>\n#include <unordered_map>\n#ifndef INT_MIN\n#define INT_MIN -1\n#endif\n#define LLONG_MAX 9\n"
            'std::unordered_map<std::string, long> f(long) { return {{"a", 1}, {"b", 2}}; }',
            CPP_MAP.replace("auto c", "assert(INT_MIN < -1 && LLONG_MAX > 9 && NULL == nullptr); auto c"),
        ),
        "macros": (
            "#include <bits/stdc++.h>\nusing namespace std;\n#define ll long long\n#define f first\n#define all(x) x.begin(), x.end()\n"
            '#define int long long\n#undef f\nunordered_map<string, long> f(long) { return {{"a", 1}, {"b", 2}}; }',
            CPP_MAP,
        ),
    },
    "rust": {
        "a map": (
            "use std::collections::HashMap;\nfn f(_: isize) -> HashMap<String, isize> {\n"
            '    let mut m = HashMap::new();\n    m.insert("a".to_string(), 1);\n    m\n',
            RUST_MAP,
        ),
        "macros": (
            "macro_rules! same { ($x:expr) => { $x } }\n#[macro_use] mod m { macro_rules! add { ($x:expr) => { $x + 1 } } }\n"
            "fn f(n: isize) -> isize {\n    add!(same!(n))\n",
            RUST,
        ),
    },
    "r": {
        "names of the library": (
            "count <- 0\nprint.p <- function(x, ...) cat('p')\nf <- function(n) { count <<- count + 1; memo <<- list(); t <- 1; n + t }\nprint(f(1))",
            R,
        ),
        "a data frame": ("d <- data.frame(a = 1, c = 2)\nattach(d)\nf <- function(n) n + a", R),
        "a class of its own": (
            "f <- function(n) structure(list(n), class = 'p')",
            R.replace("f(1), 2", "f(1), structure(list(1), class = 'p')"),
        ),
    },
    "racket": {
        "a main and tests": (
            "; so\n#lang racket\n(define list1 (list 1 2))\n(define (f n) (+ n (first list1)))\n(module+ main (displayln (f 2)))\n"
            "(module+ test (require rackunit) (check-equal? (f 1) 2))",
            RACKET,
        ),
    },
    "java": {
        "a set of its own": (
            "class Set {\n    long sum;\n    void add(long n) { sum += n; }\n}\nclass Problem {\n    public static long f(Set s) {\n    return s.sum;\n",
            JAVA.replace("assert(f(1)", "Set s = new Set();\n    s.add(2);\n    assert(f(s)"),
        ),
        "arrays": (
            "import java.util.*;\nclass Problem {\n    public static int[] f(int n) {\n    return new int[] {n, n + 1};\n",
            JAVA.replace("f(1) == 2", "Arrays.equals(f(1), new int[] {1, 2})"),
        ),
        "sets of lists": (
            "import java.util.*;\nclass Problem {\n    static Set<List<Long>> f(long n) {\n"
            "    Set<List<Long>> all = new TreeSet<>((a, b) -> b.size() - a.size());\n    List<Long> first = new LinkedList<>();\n    first.add(n);\n    all.add(first);\n"
            "    all.add(new ArrayList<Long>() {{ add(n); add(2L); }});\n    first.set(0, 3L);\n    return all;\n",
            JAVA_SETS,
        ),
        "maps, doubles, nothing and large numbers in a set": (
            "import java.util.*;\nclass Problem {\n    static Set<Object> f(long n) {\n    Map<Object, Object> identity = new IdentityHashMap<>();\n"
            "    identity.put(new String(\"a\"), 0.1 + 0.2);\n    return new LinkedHashSet<>(Arrays.asList(null, identity, Double.NaN, Optional.of(Set.of('c')), "
            'java.math.BigInteger.ONE.shiftLeft(70), Map.entry("k", List.of())));\n',
            JAVA_MIXED,
        ),
        "a large set of sets": (
            "import java.util.*;\nclass Problem {\n    static Set<Set<Long>> f(long n) {\n    Set<Set<Long>> all = new HashSet<>();\n"
            "    for (long i = 0; i < 200; i++) for (long j = 0; j < 200; j++) all.add(new TreeSet<>(List.of(i, j + 1000)));\n    return all;\n",
            JAVA_LARGE,
        ),
        "a map filled where it is made": (
            "import java.util.*;\nclass Pair {}\nclass Problem {\n    public static Map<String, List<Long>> f(long n) {\n"
            '    return new HashMap<String, List<Long>>() {{ put("List<", new ArrayList<>(List.of(n + 1))); }};\n',
            JAVA_MAP,
        ),
    },
    "csharp": {
        "a count": (
            "using System.Diagnostics; using System;\nclass Problem {\n    static long n;\n    public static long f(long x) {\n    return n += x;\n",
            CSHARP.replace("f(1) == 2", "1 == f(1)").replace(
                ");\n    }", ");\n    Debug.Assert(2L.Equals(f(1)));\n    Debug.Assert(Object.Equals(f(1), 3L));\n    }"
            ),
        ),
        "a tuple": (
            "using System.Diagnostics; using System;\nclass P { public int x; }\nclass Problem {\n"
            '    public static Tuple<long, string> f(long n) {\n    return Tuple.Create(n + 1, "List<");\n',
            CSHARP_TUPLE,
        ),
    },
    "go": {
        "a table": (
            'package f_test\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc f(x []string) []string {\n\tout := []string{}\n'
            "\tfor i := len(x) - 1; i >= 0; i-- {\n\t\tout = append(out, x[i])\n\t}\n\treturn out\n}\n",
            GO_TABLE,
        ),
        "functions of Go's names": (
            'package main\n\nimport (\n\t"errors"\n\tstr "strings"\n)\n\nfunc max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n\n'
            "func min(a, b int) int { return -max(-a, -b) }\n\nfunc abs(n int) int { return max(n, -n) }\n\ntype list struct{ len, cap int }\n\n"
            'func (l list) append(n int) list { l.len += n; return l }\n\nfunc print(string) error { return errors.New(str.ToLower("A")) }\n\n'
            "func f(n int) int {\n\tlen := list{}.append(abs(-n))\n\treturn min(len.len, 9) + 1\n}\n\nfunc main() { print(`x`) }\n",
            GO,
        ),
        "what the tests do not use": (
            "package main\n\ntype error struct{}\n\nfunc len(n int) int { return n + 1 }\n\nfunc f(n int) int { return len(n) }\n",
            GO.replace("{\n", "{ // len of error\n", 1),
        ),
        "flags, words and initialisation": (
            'package main\n\nimport (\n\t"flag"\n\t"os"\n\t"sync"\n\t"time"\n)\n\nvar one = flag.Int("one", 1, "") // "testing"\n\nfunc init() {\n\tflag.Parse()\n'
            '\tos.Setenv("A", "b")\n}\n\nfunc f(n int) int {\n\tvar group sync.WaitGroup\n\tgroup.Add(1)\n\tgo func() {\n\t\tdefer group.Done()\n'
            "\t\ttime.Sleep(1)\n\t\tn += *one\n\t}()\n\tgroup.Wait()\n\treturn n\n}\n",
            GO,
        ),
    },
    "scala": {
        "a list": ("object Problem {\n    def f(n: Long): List[Long] = {\n    List(n, n + 1)\n", SCALA_LIST),
        "pairs before a list's end": (
            'object Problem {\n    def f(n: Long): List[(String, Long)] = {\n    List(("a", n), ("b", n))\n',
            SCALA.replace("f(1) == 2", 'f(1) == "a" -> 1L :: "b" -> 1L :: Nil'),
        ),
        "another sequence": ("object Problem {\n    def f(n: Long): IndexedSeq[Int] = {\n    1 to 2\n", SCALA_LIST),
        "a buffer": (
            "import scala.math._\nimport scala.collection.mutable._\nobject Problem {\n    def f(n: Long): ListBuffer[Long] = {\n    ListBuffer(n, n + 1)\n",
            SCALA_LIST,
        ),
        "a list of its own type": (
            "class L(n: Long) extends scala.collection.immutable.AbstractSeq[Long] { def apply(i: Int) = n + i; def length = 2; def iterator = Iterator(n, n + 1) }\n"
            "object Problem {\n    def f(n: Long): Seq[Long] = {\n    new L(n)\n",
            SCALA_LIST,
        ),
        "a map": (
            'object Problem {\n    def f(n: Long): Map[String, Long] = {\n    Map("a" -> n, "-> b" -> (n + 1))\n',
            SCALA_MAP,
        ),
        "a map that can be changed": (
            "import scala.collection.mutable._\nobject Problem {\n    def f(n: Long): Map[String, Long] = {\n"
            '    val m = new HashMap[String, Long] { override def default(k: String) = 0L }\n    m("a") += n\n    m("-> b") += n + 1\n    m\n',
            SCALA_MAP,
        ),
        "nested values": (
            'object Problem {\n    def f(n: Long): Option[(String, Set[Option[Long]])] = {\n    Some(("a", Set(None, Some(n + 1))))\n',
            SCALA_NESTED,
        ),
        "numbers of another kind": ("object Problem {\n    def f(n: Long): Double = {\n    n + 1.0\n", SCALA_TWO),
        "a type of its own": (
            "object Problem {\n    case class P(x: Long)\n    def f(n: Long): List[P] = {\n    List(P(n + 1))\n",
            SCALA.replace("== 2", "== List(P(2))"),
        ),
        "names of the library that the tests do not use": (
            "object Problem {\n    case class Map(x: Long) { def ->(y: Long) = x + y }\n    class Vector\n    def same(a: Long) = a\n    def check(a: Long) = assert(a > 0)\n"
            "    def f(n: Long): Long = {\n    check(n)\n    same(Map(n) -> 1L)\n",
            SCALA_TWO,
        ),
        "a main, a package and a companion": (
            "// package no\npackage own.it\n\nimport scala.util.Try\n\nclass Problem\nobject Main extends App { println(Problem.f(1)) }\n"
            "object Problem {\n    require(true)\n    def f(n: Long): Long = {\n    Try(n + 1).getOrElse(0L)\n",
            SCALA_TWO,
        ),
        "a whole object": (
            "object Problem {\n    def f(n: Long): Long = n + 1\n}\n",
            'object Tests {\n    def main(args: Array[String]): Unit = {\n    assert(Problem.f(1) == 2, "Map[no](a -> b) assert(x)")\n    assert(1 < 2 && Problem.f(1) == 2)\n'
            '    val m: Map[String, Long] = Map("a"->1L)\n    m.foreach { case (k, v) => assert(v == 1L) }\n    m.toList match { case List(k -> v) => assert(k == "a"); case _ => assert(false) }\n    }\n}\n',
        ),
    },
    "d": {
        "attributes for all that follows": ("module main;\npure nothrow @safe:\nlong f(long n) { return n + 1; }", D),
        "what nobody can change": (
            "// so\nmodule f;\nimmutable:\nlong one = 1;\nlong f(long n) { return n + one; }",
            D,
        ),
        "standard types": (
            "import std.typecons;\nNullable!long f(long n) { return nullable(n + 1); }\nlong[] g(long n) { return n ? [n] : []; }",
            D.replace(
                "== 2);",
                "== 2);\n    assert(g(0) == []);\n    assert(g(1) == [1]);\n    assert(!f(1).isNull && f(1).get == 2L);",
            ),
        ),
        "a type of its own": ("struct P { long x; }\nP f(long n) { return P(n + 1); }", D.replace("== 2", "== P(2)")),
    },
}
"""Right programs and the test code that follows them."""


def rows(table: dict[str, dict[str, tuple[str, str]]]) -> list[object]:
    return [
        pytest.param(name, *texts, id=f"{name} {what}", marks=() if name in QUICK | FAST else pytest.mark.languages)
        for name, found in table.items()
        for what, texts in found.items()
    ]


R_NAMED: Final = "test <- function() {\n    candidate <- unique\n    stopifnot(isTRUE(all.equal(candidate(c(2, 1, 2)), c(1, 2))))\n}\ntest()"


@pytest.mark.languages
@pytest.mark.parametrize(("asked", "passes"), [("unique", True), ("other", False)])
def test_the_function_asked_for_may_be_called_as_one_of_the_library(asked: str, passes: bool) -> None:
    program = "unique <- function(l) sort(l[!duplicated(l)])\nstopifnot <- function(...) NULL\n"
    assert (append("r", program, R_NAMED, asked).value == TOKEN) is passes


@pytest.mark.parametrize(("name", "program", "tests"), rows(ATTACKS))
def test_what_a_program_redefines_is_not_what_tests_mean(name: str, program: str, tests: str) -> None:
    assert TOKEN not in append(name, program, tests).value


@pytest.mark.parametrize(("name", "program", "tests"), rows(HONEST))
def test_a_right_program_that_uses_the_same_names_passes(name: str, program: str, tests: str) -> None:
    skip_without_library(name)
    found = append(name, program, tests)
    assert (found.exit_code, found.value) == (0, TOKEN), found.stderr
