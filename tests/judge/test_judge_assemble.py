"""A completion becomes a program: continued, whole, cut. Each row is a shape that completions come in."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from scalebox.judge.assemble import asked_for, assemble, cut

PROMPT = 'import math\n\n\ndef helper(x):\n    return x + 1\n\n\ndef add(a, b):\n    """Sum."""\n'
HEAD = "import math\n\n\ndef helper(x):\n    return x + 1\n\n\n"
CPP = "#include <vector>\nint twice(int n) {\n"
HUMANEVAL = Path(__file__).parents[3] / "shared" / "data" / "benchmarks" / "humaneval.jsonl.gz"


@pytest.mark.parametrize(
    ("program", "prompt", "entry_point", "source"),
    [
        ("    return a + b\n", PROMPT, "add", PROMPT + "    return a + b\n"),
        ("def add(a, b):\n    return a + b\n", PROMPT, "add", HEAD + "def add(a, b):\n    return a + b\n"),
        ("add = lambda a, b: a + b\n", PROMPT, "add", HEAD + "add = lambda a, b: a + b\n"),
        ("def adder(a, b):\n    pass\n", PROMPT, "add", PROMPT + "def adder(a, b):\n    pass\n"),  # another name
        ("    if add == b:\n        pass\n", PROMPT, "add", PROMPT + "    if add == b:\n        pass\n"),
        ("def add(a, b):\n    return a + b\n", PROMPT, None, HEAD + "def add(a, b):\n    return a + b\n"),
        ("class Solution:\n    pass\n", None, "Solution().f", "class Solution:\n    pass\n"),
        ("x = 1\n", None, None, "x = 1\n"),
        ("    return 2 * n;\n", CPP, None, CPP + "    return 2 * n;\n"),
        ("int twice(int n) {\n  return 2 * n;\n}\n", CPP, None, "int twice(int n) {\n  return 2 * n;\n}\n"),
        ("int  twice (int n)\n{\n}\n", CPP, None, "int  twice (int n)\n{\n}\n"),  # other blanks
        ("long twice(long k) { return k; }\n", CPP, None, "long twice(long k) { return k; }\n"),  # other parameters
        ("  return twice(n - 1);\n", CPP, None, CPP + "  return twice(n - 1);\n"),  # recursion is no definition
        ("(define (f x) x)\n", "#lang racket\n(define (f y)\n", None, "(define (f x) x)\n"),
        ("sub f { 1 }\n", "sub f {\n    my($x) = @_;\n", None, "sub f { 1 }\n"),
        ("f <- function(a) a\n", "# Sum (of all)\nf <- function(x) {\n", None, "f <- function(a) a\n"),
    ],
)
def test_program_continues_the_prompt_or_stands_alone(
    program: str, prompt: str | None, entry_point: str | None, source: str
) -> None:
    assert assemble(program, prompt, entry_point) == source


@pytest.mark.parametrize(
    ("prompt", "entry_point", "asked"),
    [
        ("# as unique does\nunique <- function(l) {", None, "unique"),
        ("-- x\nlocal function below_zero(operations)", None, "below_zero"),
        ("def f(x):\n", None, "f"),
        ("def f(x):\n", "Solution.g", "g"),
        (None, None, ""),
    ],
)
def test_the_function_asked_for_is_the_entry_point_or_what_the_prompt_begins(
    prompt: str | None, entry_point: str | None, asked: str
) -> None:
    assert asked_for(prompt, entry_point) == asked


def test_decorators_of_the_prompts_function_are_not_left_over() -> None:
    prompt = 'import functools\n\n@functools.cache\n@other\ndef f(n):\n    """Doc."""\n'
    assert assemble("def f(n):\n    return n\n", prompt, "f") == "import functools\n\ndef f(n):\n    return n\n"


def test_future_imports_stay_in_front() -> None:
    source = assemble("from __future__ import annotations\ndef add(a, b):\n    return a + b", PROMPT, "add")
    assert source.startswith("from __future__ import annotations\nimport math\n")
    compile(source, "main.py", "exec")


@pytest.mark.parametrize(
    ("program", "stop_tokens", "source"),
    [
        ("    return 1\n}\nint main() {}\n", ["\n}"], "    return 1"),
        (
            "\ndef f():\n    return 1\ndef g(): pass",
            ["\ndef"],
            "\ndef f():\n    return 1",
        ),  # the one at its start stays
        ("    return 1\n# more\nclass A: pass", ["\nclass", "\n#"], "    return 1"),
        ("    return 1\n", ["\ndef", ""], "    return 1\n"),
        ("", ["\n}"], ""),
    ],
)
def test_cut_ends_at_the_first_stop_token_after_the_start(program: str, stop_tokens: list[str], source: str) -> None:
    assert cut(program, stop_tokens) == source
    assert assemble(program, None, None, stop_tokens) == source


def test_helpers_of_a_whole_program_survive_stop_tokens() -> None:
    program = "import math\n\ndef add(a, b):\n    return plus(a, b)\n\ndef plus(a, b):\n    return a + b\n"
    assert assemble(program, None, "add", ["\ndef", "\n#", "\nif"]) == program


def test_whole_program_loses_the_brace_that_the_test_code_closes() -> None:
    program = "int one() {\n  return 1;\n}\nint twice(int n) {\n  return 2 * n;\n}\nint main() {}\n"
    assert assemble(program, CPP, None, ["\n}"]) == "int one() {\n  return 1;\n}\nint twice(int n) {\n  return 2 * n;"


def test_blank_lines_are_no_end_of_a_whole_program() -> None:
    program = "sub f {\n    my($x) = @_;\n\n    return $x;\n}\n"
    assert assemble(program, "sub f {\n    my($x) = @_;\n", None, ["\nsub", "\n#", "\n\n"]) == program


def test_a_whole_program_gets_the_lines_that_the_tests_rely_on() -> None:
    prompt = "using System;\nusing System.Diagnostics;\nclass Problem {\n    public static long Twice(long n) {\n"
    program = (
        "using System;\nclass Problem {\n    public static long Twice(long n) {\n        return 2 * n;\n    }\n}\n"
    )
    head = re.compile(r"^using\b[^;\n]*;", re.MULTILINE)
    assert assemble(program, prompt, None, (), head) == "using System.Diagnostics;\n" + program


@pytest.mark.data
@pytest.mark.skipif(not HUMANEVAL.exists(), reason="the benchmark data is not beside the checkout")
def test_humaneval_references_assemble_either_way() -> None:
    with gzip.open(HUMANEVAL, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        whole = row["prompt"] + row["canonical_solution"]
        assert assemble(row["canonical_solution"], row["prompt"], row["entry_point"]) == whole
        compile(assemble(whole, row["prompt"], row["entry_point"]), "main.py", "exec")
