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


@pytest.mark.parametrize("name", ASSERT)
async def test_test_code(http: httpx2.AsyncClient, name: str) -> None:
    _needs(name)
    tests, program = ASSERT[name]
    assert await _accepted(http, _request(name, program, {"type": "assert", "tests": tests}))
    wrong = (
        program
        .replace("a + b", "a - b")
        .replace("$1 + $2", "$1 - $2")
        .replace("(+ a b)", "(- a b)")
        .replace("$x + $y", "$x - $y")
        .replace("$a + $b", "$a - $b")
    )
    assert wrong != program
    assert not await _accepted(http, _request(name, wrong, {"type": "assert", "tests": tests}))
