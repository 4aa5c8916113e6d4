"""The request shapes of ScaleBox's documented ``/common_evaluate_batch``, in the languages it lists and under its names for them."""

from __future__ import annotations

from shutil import which
from typing import Final

import httpx2
import pytest

from scalebox.languages.catalogue import load_languages

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

STDIO: Final = {
    "nodejs": 'const [a, b] = require("fs").readFileSync(0, "utf8").split(" ").map(Number);\nconsole.log(a + b);',
    "typescript": 'const [a, b]: number[] = require("fs").readFileSync(0, "utf8").split(" ").map(Number);\nconsole.log(a + b);',
    "go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tvar a, b int\n\tfmt.Scan(&a, &b)\n\tfmt.Println(a + b)\n}',
    "java": "import java.util.*;\npublic class Main {\n  public static void main(String[] x) {\n    Scanner s = new Scanner(System.in);\n    System.out.println(s.nextInt() + s.nextInt());\n  }\n}",
    "php": '<?php\n[$a, $b] = explode(" ", trim(fgets(STDIN)));\necho $a + $b;',
    "csharp": "using System;\nclass P {\n  static void Main() {\n    var p = Console.ReadLine().Split(' ');\n    Console.WriteLine(int.Parse(p[0]) + int.Parse(p[1]));\n  }\n}",
    "bash": "read -r a b\necho $((a + b))",
    "rust": 'fn main() {\n    let mut s = String::new();\n    std::io::stdin().read_line(&mut s).unwrap();\n    let n: i64 = s.split_whitespace().map(|w| w.parse::<i64>().unwrap()).sum();\n    println!("{}", n);\n}',
    "lua": 'local a, b = io.read("n", "n")\nprint(a + b)',
    "R": 'x <- scan(file("stdin"), quiet = TRUE)\ncat(x[1] + x[2])',
    "perl": 'my ($x, $y) = split " ", <STDIN>;\nprint $x + $y;',
    "ruby": "a, b = gets.split.map(&:to_i)\nputs a + b",
    "racket": "#lang racket\n(displayln (+ (read) (read)))",
    "python": "a, b = map(int, input().split())\nprint(a + b)",
    "cpp": "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }",
    "c": '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d", a + b); }',
    "D_ut": 'import std.stdio;\nvoid main() {\n    int a, b;\n    readf(" %d %d", &a, &b);\n    writeln(a + b);\n}',
    "scala": 'object Main extends App {\n  val Array(a, b) = scala.io.StdIn.readLine().split(" ").map(_.toInt)\n  println(a + b)\n}',
    "kotlin_script": 'fun main() {\n    val (a, b) = readLine()!!.split(" ").map { it.toInt() }\n    println(a + b)\n}',
    "julia": "a, b = parse.(Int, split(readline()))\nprintln(a + b)",
    "verilog": 'module main;\n  integer a, b, n;\n  initial begin\n    n = $fscanf(32\'h8000_0000, "%d %d", a, b);\n    $display("%0d", a + b);\n    $finish;\n  end\nendmodule',
    "swift": 'let n = readLine()!.split(separator: " ").map { Int($0)! }\nlet (a, b) = (n[0], n[1])\nprint(a + b)',
    "lean": 'def main : IO Unit := do\n  let line ← (← IO.getStdin).getLine\n  let n := (line.trim.splitOn " ").map String.toNat!\n  let a := n[0]!\n  let b := n[1]!\n  IO.println (toString (a + b))',
    "sql": "CREATE TABLE line (text TEXT);\nINSERT INTO line VALUES (trim(CAST(readfile('/dev/stdin') AS TEXT), char(10)));\n"
    "WITH n AS (SELECT CAST(substr(text, 1, instr(text, ' ')) AS INTEGER) a, CAST(substr(text, instr(text, ' ') + 1) AS INTEGER) b FROM line)\nSELECT a + b FROM n;",
}
"""Programs that add two numbers."""

CALL: Final = {
    "nodejs": "function add(a, b) { return a + b; }",
    "typescript": "function add(a: number, b: number): number { return a + b; }",
    "go": "package main\n\nfunc add(a int, b int) int { return a + b }",
    "java": "class Solution {\n  public int add(int a, int b) { return a + b; }\n}",
    "php": "<?php\nclass Solution {\n  function add($a, $b) { return $a + $b; }\n}",
    "lua": "function add(a, b) return a + b end",
    "R": "add <- function(a, b) a + b",
    "perl": "sub add { my ($x, $y) = @_; return $x + $y; }",
    "ruby": "def add(a, b)\n  a + b\nend",
    "racket": "#lang racket\n(define (add a b) (+ a b))",
    "python": "def add(a, b):\n    return a + b",
    "cpp": "int add(int a, int b) { return a + b; }",
    "csharp": "class Solution {\n  public int add(int a, int b) { return a + b; }\n}",
    "rust": "fn add(a: i64, b: i64) -> i64 {\n    a + b\n}",
    "scala": "object Solution {\n  def add(a: Int, b: Int): Int = a + b\n}",
    "kotlin_script": "fun add(a: Int, b: Int): Int = a + b",
    "D_ut": "int add(int a, int b) { return a + b; }",
}
"""Functions that add two numbers."""

ASSERT: Final = {
    "nodejs": (
        "const assert = require('node:assert');\nfunction test() {\n  assert.deepEqual(add(1, 2), 3);\n}\ntest();",
        CALL["nodejs"],
    ),
    "typescript": (
        "declare var require: any;\nconst assert = require('node:assert');\nassert.deepEqual(add(1, 2), 3);",
        CALL["typescript"],
    ),
    "go_test": (
        'func TestAdd(t *testing.T) {\n\tif add(1, 2) != 3 {\n\t\tt.Errorf("no")\n\t}\n}\n',
        'package add_test\n\nimport (\n    "testing"\n)\n\nfunc add(a int, b int) int { return a + b }\n',
    ),
    "java": (
        "    }\n    public static void main(String[] args) {\n    assert(add(1, 2) == 3);\n    }\n}\n",
        "class Problem {\n    public static long add(long a, long b) {\n        return a + b;\n",
    ),
    "php": (
        'function test(): void { if (add(1, 2) !== 3) { throw new Exception("Test failed!"); } }\ntest();',
        "<?php\nfunction add($a, $b) { return $a + $b; }\n",
    ),
    "csharp": (
        "    }\n    public static void Main(string[] args) {\n    Debug.Assert(Add(1L, 2L) == 3L);\n    }\n}\n",
        "using System.Diagnostics;\nclass Problem {\n    public static long Add(long a, long b) {\n        return a + b;\n",
    ),
    "bash": ("}\nset -e\nrun_test() {\n    [[ $(add 1 2) = 3 ]]\n}\nrun_test", "add() {\n    echo $(($1 + $2))\n"),
    "rust": (
        "}\nfn main() {\n    assert_eq!(add(1, 2), 3);\n}\n",
        "fn add(a: isize, b: isize) -> isize {\n    a + b\n",
    ),
    "lua": (
        "lu = require('luaunit')\nfunction test_add()\n    lu.assertEquals(add(1, 2), 3)\nend\nos.exit(lu.LuaUnit.run())",
        CALL["lua"],
    ),
    "R": ("stopifnot(isTRUE(all.equal(add(1, 2), 3)))", CALL["R"]),
    "perl": ('use Test::Deep;\nif(eq_deeply(add(1, 2), 3)) {\nprint "ok!" }else{\nexit 1;\n}', CALL["perl"]),
    "D_ut": (
        "unittest\n{\n    assert(add(1, 2) == 3);\n}\nvoid main(){}",
        "long add(long a, long b)\n{\n    return a + b;\n}\n",
    ),
    "ruby": (
        "require 'test/unit'\nclass TestAdd < Test::Unit::TestCase\n  def test_add\n    assert_equal(3, add(1, 2))\n  end\nend",
        CALL["ruby"],
    ),
    "scala": (
        "    }\n    def main(args: Array[String]) = {\n    assert(add(1, 2) == 3);\n    }\n}\n",
        "object Problem {\n    def add(a: Long, b: Long): Long = {\n        return a + b\n",
    ),
    "racket": ("(require rackunit)\n(check-within (add 1 2) 3 0.001)", CALL["racket"]),
    "cpp": (
        "}\n#include <cassert>\nint main() {\n    assert(add(1, 2) == 3);\n}\n",
        "int add(int a, int b) {\n    return a + b;\n",
    ),
}
"""Test code by MultiPL-E's conventions, and a right program."""


CHECK: Final = (
    "\n\nMETADATA = {}\n\n\ndef check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(40, 2) == 42\n"
)
"""Test code by HumanEval's convention."""

FRAMEWORKS: Final = {
    "pytest": "def add(a, b):\n    return a + b\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    "go_test": 'package add\n\nimport "testing"\n\nfunc add(a, b int) int { return a + b }\n\nfunc TestAdd(t *testing.T) {\n\tif add(1, 2) != 3 {\n\t\tt.Error("no")\n\t}\n}\n',
    "junit": "import static org.junit.jupiter.api.Assertions.assertEquals;\nimport org.junit.jupiter.api.Test;\nclass AddTest {\n"
    "    static int add(int a, int b) { return a + b; }\n    @Test void adds() { assertEquals(3, add(1, 2)); }\n}\n",
    "jest": "const add = (a, b) => a + b;\ntest('add', () => { expect(add(1, 2)).toBe(3); });\n",
}
"""Programs that bring the tests of a framework."""


def wrong(program: str) -> str:
    """The program that subtracts, or multiplies, instead of adding."""
    for right, other in (
        ("a + b", "a - b"),
        ("$1 + $2", "$1 - $2"),
        ("$a + $b", "$a - $b"),
        ("$x + $y", "$x - $y"),
        ("x[1] + x[2]", "x[1] - x[2]"),
        ("(+ ", "(- "),
        ("s.nextInt() + s", "s.nextInt() - s"),
        ("]) + int", "]) - int"),
        (".sum()", ".product()"),
    ):
        program = program.replace(right, other)
    return program


def _request(language: str, source: str, cases: dict[str, object]) -> dict[str, object]:
    config = {"language": language, "compile_timeout": 60, "run_timeout": 30, "provided_data": {"test_cases": cases}}
    return {"completion": f"Here it is.\n```{language}\n{source}\n```\n", "config": config}


def _needs(name: str) -> None:
    language = load_languages().get(name)
    assert language is not None
    absent = [tool for tool in language.tools if not tool.startswith("/") and which(tool) is None]
    if absent:
        pytest.skip(f"toolchain: {language.name} needs {', '.join(absent)}")


async def _accepted(http: httpx2.AsyncClient, request: dict[str, object]) -> bool:
    reply = await http.post("/common_evaluate_batch", json=request)
    assert reply.status_code == httpx2.codes.OK, reply.text
    return bool(reply.json()["accepted"])


@pytest.mark.parametrize("name", STDIO)
async def test_stdio(http: httpx2.AsyncClient, name: str) -> None:
    _needs(name)
    cases: dict[str, object] = {
        "type": "stdin_stdout",
        "input": ["1 2\n", "40 2\n"],
        "output": ["3", "42"],
        "fn_name": None,
    }
    assert await _accepted(http, _request(name, STDIO[name], cases))
    assert not await _accepted(http, _request(name, STDIO[name], {**cases, "output": ["3", "43"]}))
    assert wrong(STDIO[name]) != STDIO[name]
    assert not await _accepted(http, _request(name, wrong(STDIO[name]), cases))


@pytest.mark.parametrize("name", CALL)
async def test_function_calls(http: httpx2.AsyncClient, name: str) -> None:
    _needs(name)
    cases: dict[str, object] = {
        "type": "function_call",
        "fn_name": "add",
        "input": [[1, 2], [40, 2]],
        "output": [[3], [42]],
    }
    assert await _accepted(http, _request(name, CALL[name], cases))
    assert not await _accepted(http, _request(name, CALL[name], {**cases, "output": [[3], [43]]}))
    assert wrong(CALL[name]) != CALL[name]
    assert not await _accepted(http, _request(name, wrong(CALL[name]), cases))


@pytest.mark.parametrize("name", ASSERT)
async def test_test_code(http: httpx2.AsyncClient, name: str) -> None:
    _needs(name)
    tests, program = ASSERT[name]
    assert await _accepted(http, _request(name, program, {"type": "assert", "tests": tests}))
    assert wrong(program) != program
    assert not await _accepted(http, _request(name, wrong(program), {"type": "assert", "tests": tests}))


@pytest.mark.parametrize("name", ["python", "python3"])
async def test_test_code_of_python(http: httpx2.AsyncClient, name: str) -> None:
    cases: dict[str, object] = {"type": "assert", "test": CHECK, "entry_point": "add"}
    assert await _accepted(http, _request(name, CALL["python"], cases))
    for program in (wrong(CALL["python"]), "def add(a, b):\n    exit(0)", "def other(a, b):\n    return a + b"):
        assert not await _accepted(http, _request(name, program, cases))


@pytest.mark.parametrize("kind", ["stdin_stdout", "function_call"])
async def test_one_dict_a_case(http: httpx2.AsyncClient, kind: str) -> None:
    stdio = kind == "stdin_stdout"
    cases = [
        {"type": kind, "fn_name": None, "input": f"{a} {b}\n", "output": str(a + b)}
        if stdio
        else {"type": kind, "fn_name": "add", "input": [a, b], "output": [a + b]}
        for a, b in ((1, 2), (40, 2))
    ]
    program = (STDIO if stdio else CALL)["python"]
    for source, due in ((program, True), (wrong(program), False)):
        request = {
            **_request("python", source, {}),
            "config": {"language": "python", "provided_data": {"test_cases": cases}},
        }
        reply = await http.post("/common_evaluate", json=request)
        assert reply.status_code == httpx2.codes.OK, reply.text
        assert reply.json()["accepted"] is due


@pytest.mark.parametrize("name", FRAMEWORKS)
async def test_programs_that_bring_their_tests(http: httpx2.AsyncClient, name: str) -> None:
    _needs(name)
    for code, due in ((FRAMEWORKS[name], "Success"), (wrong(FRAMEWORKS[name]), "Failed")):
        assert code != FRAMEWORKS[name] or due == "Success"
        request = {"code": code, "language": name, "compile_timeout": 60, "run_timeout": 30}
        reply = await http.post("/run_code", json=request)
        assert reply.status_code == httpx2.codes.OK, reply.text
        assert reply.json()["status"] == due, reply.text
