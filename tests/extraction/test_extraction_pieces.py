"""Which of several blocks is the program, where the last is only a piece of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from scalebox.core.submission import ExtractionPolicy, Parts
from scalebox.extraction.extract import extract
from scalebox.extraction.names import bound_names, free_names

ALIASES = {"python": "python", "cpp": "cpp"}
DOUBLE = "n = int(input())\nprint(n * 2)\n"
SOLVE = "def solve(n):\n    r = n * 2\n    return r\nprint(solve(int(input())))\n"
HELPER = "def helper(n):\n    return n * 2\n"


def found(blocks: Sequence[str], parts: Parts = Parts.AUTO, *, started: bool = True) -> tuple[str, str]:
    """The source and the rule."""
    text = "\nThen:\n\n".join(f"```python\n{block}```\n" for block in blocks)
    result = extract(text, language="python", aliases=ALIASES, started=started, policy=ExtractionPolicy(parts=parts))
    assert result is not None
    return result.source, result.rule


@pytest.mark.parametrize("parts", [Parts.AUTO, Parts.ONE])
@pytest.mark.parametrize("full", [DOUBLE, SOLVE])
@pytest.mark.parametrize(
    "snippet",
    [
        "print(n*2)\n",
        "r = n*2\n",
        "n += 1\n",
        "n * 2\n",
        "return n * 2\n",
        'print(f"{n * 2}")\n',
        "for i in range(n):\n    print(i)\n",
        "def test_it():\n    assert True\n",
        "def test_it():\n    assert 1 + 1 == 2\n\ntest_it()\n",
        "class TestIt:\n    def setUp(self):\n        pass\n    def test_it(self):\n        pass\n",
        "import sys\nsys.setrecursionlimit(10**6)\n",
    ],
)
def test_a_piece_after_the_program_is_not_the_program(full: str, snippet: str, parts: Parts) -> None:
    assert found([full, snippet], parts) == (full, "before-usage")


def test_pieces_of_pieces_lead_back_to_the_program() -> None:
    assert found([DOUBLE, "r = n * 2\n", "print(r)\n"]) == (DOUBLE, "before-usage")


@pytest.mark.parametrize(
    "last",
    [
        "import sys\nn = int(sys.stdin.readline())\nprint(n)\n",
        "print(n := 3, n)\n",
        "n = 5\nprint(n)\n",
        "n: int = 5\nprint(n)\n",
        "n, m = 1, 2\nprint(n, m)\n",
        "for n in [1]:\n    print(n)\n",
        "for n in [1]: print(n)\n",
        "print(sum(n for n in range(9)))\n",
        "print(sum(map(int, str(2**1000))))\n",
        "print(dict(n=1))\n",
        "print(list(map(lambda n: n + 1, [1])))\n",
        "with open('f') as n:\n    print(n)\n",
        "import math as n\nprint(n.pi)\n",
        "print('n')\n",
        "print(7)  # not n\n",
        "x = 1\nprint(x.n)\n",
        "def f(n):\n    return n\n",
        "def test():\n    print(int(input()))\ntest()\n",
    ],
)
@pytest.mark.parametrize("full", [DOUBLE, "def f(n: int, r: str):\n    return n\n" + DOUBLE])
def test_a_last_block_that_stands_alone_is_the_program(full: str, last: str) -> None:
    assert found([full, last]) == (last, "last-fenced")


def test_a_function_imported_anew_makes_no_usage_of_a_whole_program() -> None:
    draft = "def gcd(a, b):\n    return a\nprint(gcd(int(input()), 2))\n"
    final = "from math import gcd\nprint(gcd(int(input()), 3))\n"
    assert found([draft, final]) == (final, "last-fenced")


@pytest.mark.parametrize(
    "own", ["def input():\n    return '1'\n", "class Words:\n    def split(self): ...\n", "import math\nMOD = 7\n"]
)
def test_a_last_block_that_reads_and_writes_needs_no_other(own: str) -> None:
    last = "#math and MOD\nfrom math import gcd\na, b = input().split()\nprint(gcd(int(a), int(b)))\n"
    assert found([own + DOUBLE, last]) == (last, "last-fenced")


@pytest.mark.parametrize(
    "blocks",
    [
        ["n = int(input())\n", "print(n * 2)\n"],
        ["n = int(input())\n", "r = n * 2\n", "print(r)\n"],
        [HELPER, "def more(n):\n    return helper(n) + 1\n", "print(more(int(input())))\n"],
        ["x = 1\n", "print(x)\n"],
    ],
)
def test_parts_that_are_one_program_are_joined(blocks: list[str]) -> None:
    assert found(blocks) == ("".join(blocks), "joined")


def test_the_nearest_definition_counts() -> None:
    better = HELPER.replace("* 2", "+ n")
    assert found([HELPER, better, "print(helper(1))\n"]) == (better, "before-usage")


@pytest.mark.parametrize(
    ("source", "free", "bound"),
    [
        ("a = b\n", {"b"}, {"a"}),
        ("a = a + 1\n", {"a"}, {"a"}),
        ("a = b = c\n", {"c"}, {"a", "b"}),
        ("a[i] = x.y\n", {"a", "i", "x"}, set()),
        ("print(k, end='')\n", {"k"}, set()),
        ("int n = 3; cout << n << m;\n", {"cout", "m"}, {"n"}),
        ("const f = (x, y) => x + y + z;\n", {"z"}, {"f", "x", "y"}),
        ("s = '''\nu\n'''  # v\n", set(), {"s"}),
    ],
)
def test_names_are_free_or_bound(source: str, free: set[str], bound: set[str]) -> None:
    assert (set(free_names(source)), set(bound_names(source))) == (free, bound)


CPP: Final = "#include <iostream>\nlong long twice(long long x) {\n    return 2 * x;\n}\nint main() {\n    long long n;\n    std::cin >> n;\n    std::cout << twice(n);\n}\n"
JAVA: Final = "import java.util.*;\n\npublic class Main {\n    static int twice(int x) { return 2 * x; }\n    public static void main(String[] args) {\n        System.out.println(twice(new Scanner(System.in).nextInt()));\n    }\n}\n"
GO: Final = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tvar n int\n\tfmt.Scan(&n)\n\tfmt.Println(2 * n)\n}\n'


@pytest.mark.parametrize("parts", [Parts.AUTO, Parts.ONE])
@pytest.mark.parametrize(
    ("full", "excerpt"),
    [
        (CPP, "long long twice(long long x) {\n    return 2 * x;\n}\n"),
        (CPP, "long long twice(long long x) {\n    // doubles\n    return x + x;\n}\n"),
        (CPP, "std::cin >> n;\n"),
        (CPP, "struct Edge { int to, w; };\n"),
        (JAVA, "static int twice(int x) { return 2 * x; }\n"),
        (JAVA, "Scanner sc = new Scanner(System.in);\nint n = sc.nextInt();\n"),
        (GO, "fmt.Scan(&n)\n"),
        (
            'fn main() { print!("{}", 1); }\n',
            "#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() { assert_eq!(1, 1); }\n}\n",
        ),
        ("main :: IO ()\nmain = interact id\n", "n <- readLn\n"),
        ("object Main extends App { println(1) }\n", "val n = scala.io.StdIn.readInt()\n"),
        (SOLVE, "def solve(n):\n    r = n * 2\n    return r\n"),
        (SOLVE, "    r = n * 2\n    return r\n"),
        ("n = input()\nprint(len(input()))\n", "print(len(input()))\n"),
        (
            "import sys\ndef main():\n    print(sys.stdin.read())\nmain()\n",
            "def main():\n    print(sys.stdin.read())\n",
        ),
    ],
)
def test_an_excerpt_after_the_program_is_not_the_program(full: str, excerpt: str, parts: Parts) -> None:
    assert found([full, excerpt], parts)[0] == full
    assert found([full, excerpt, excerpt], parts)[0] == full


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (CPP, CPP.replace("2 * x", "x + x")),
        (CPP.replace("main", "helper"), CPP),
        (SOLVE, "n = int(input())\nprint(n * 2)\n"),
        (DOUBLE + "print('again')\n", DOUBLE),  # the last is a part of the first, and a program
        (
            "def main(args: list[str]) -> None:\n    print(input())\nmain([])\n",
            "def run():\n    print(input())\nrun()\n",
        ),
    ],
)
def test_a_program_after_another_is_the_program(first: str, last: str) -> None:
    assert found([first, last]) == (last, "last-fenced")


@pytest.mark.parametrize(
    ("blocks", "joined"),
    [
        (
            [
                "int solve(int n) {\n    return 2 * n;\n}\n",
                "#include <iostream>\nint main() {\n    int n; std::cin >> n;\n    std::cout << solve(n);\n}\n",
            ],
            None,
        ),
        (
            [
                "import java.util.List;\n\nclass Node {\n    int v;\n}\n",
                "import java.util.*;\n\npublic class Main {\n    public static void main(String[] args) {\n        Node n = new Node();\n    }\n}\n",
            ],
            "import java.util.List;\nimport java.util.*;\n\nclass Node {\n    int v;\n}\n\npublic class Main {\n    public static void main(String[] args) {\n        Node n = new Node();\n    }\n}\n",
        ),
        (
            [
                'package main\n\nimport "fmt"\n\nfunc show(n int) { fmt.Println(n) }\n',
                'package main\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc main() { show(1); fmt.Println(os.Args) }\n',
            ],
            'package main\nimport "fmt"\nimport "os"\n\n\nfunc show(n int) { fmt.Println(n) }\n\n\nfunc main() { show(1); fmt.Println(os.Args) }\n',
        ),
    ],
)
def test_what_main_calls_is_joined_with_it(blocks: list[str], joined: str | None) -> None:
    assert found(blocks) == (joined or "".join(blocks), "joined")
    assert found(blocks, Parts.ONE) == (blocks[-1], "last-fenced")


def test_where_test_code_is_appended_the_last_function_counts() -> None:
    better = "long long twice(long long x) {\n    return x + x;\n}\n"
    assert found([CPP, better], started=False) == (better, "last-fenced")
    assert found([CPP, better]) == (CPP, "before-excerpt")


def test_what_a_draft_with_a_main_of_its_own_defines_is_not_joined() -> None:
    draft, last = CPP, "#include <iostream>\nusing namespace std;\nint main() {\n    cout << twice(2);\n}\n"
    assert found([draft, last]) == (last, "last-fenced")


@pytest.mark.parametrize(
    ("imports", "program"),
    [
        ("import math\n\nfrom sys import stdin\n", "n = int(stdin.readline())\nprint(math.sqrt(n))\n"),
        ("import math\n", "def solve(n):\n    return math.sqrt(n)\n"),
        ("#include <iostream>\nusing namespace std;\n", "int main() {\n    int n; cin >> n;\n    cout << n;\n}\n"),
    ],
)
def test_imports_that_stand_apart_belong_to_the_program(imports: str, program: str) -> None:
    assert found([imports, program]) == (imports + program, "joined")
    assert found([imports, program], Parts.ONE) == (program, "last-fenced")
    assert found([imports, "import sys\n" + program])[0] != imports + program
    text = f"```python\n{imports}```\nThen\n```python\n{program}```\n"
    result = extract(text, language="python", aliases=ALIASES, entry="solve")
    assert result is not None
    assert result.source == imports + program


def test_types_of_an_earlier_block_belong_to_a_main_that_names_them() -> None:
    helper = "class Helper {\n    static int twice(int n) { return 2 * n; }\n}\n"
    main = "public class Main {\n    public static void main(String[] a) {\n        System.out.println(Helper.twice(new java.util.Scanner(System.in).nextInt()));\n    }\n}\n"
    text = f"```java\n{helper}```\nThen\n```java\n{main}```\n"
    result = extract(text, language="java", aliases={"java": "java"})
    assert result is not None
    assert (result.source, result.rule) == (helper + main, "joined")
