"""Which part of a completion is the program, and by which rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from scalebox.core.submission import ExtractionPolicy, Parts
from scalebox.extraction.extract import LARGEST_TEXT, extract

ALIASES = {
    "python": "python", "py": "python", "python3": "python", "cpp": "cpp", "c++": "cpp", "bash": "bash", "sh": "bash",
    "js": "javascript", "java": "java", "go": "go", "rust": "rust",
}  # fmt: skip
ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
FENCED = f"```python\n{ADD}```\n"
DRAFT = "```python\nprint(0)\n```\n"
DEFINES = "def add(a, b):\n    return a + b\n"
CPP = "#include <iostream>\nint main() { std::cout << 3; }\n"
QUOTED = 'DOC = """\n```\ninner\n```\n"""\n' + ADD


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"First try:\n{DRAFT}That is wrong. Final:\n{FENCED}", "last-fenced"),
        (f"~~~python\n{ADD}~~~\n", "last-fenced"),
        (f'Notes\n```text\nsome notes\n```\n```python title="a.py" linenos\n{ADD}```', "last-fenced"),
        (f"```Python3\n{ADD}```\n", "last-fenced"),
        (f"``` {{.python .numberLines}}\n{ADD}```\n", "last-fenced"),
        (f"```python:main.py\n{ADD}```\n", "last-fenced"),
        (f"```python3.11\n{ADD}```\n", "last-fenced"),
        (f"```main.py\n{ADD}```\n", "last-fenced"),
        (f"<details>\n```python\n{ADD}```\n</details>\n", "last-fenced"),
        ("1. do this:\n\n   ```python\n   a, b = map(int, input().split())\n   print(a + b)\n   ```\n", "last-fenced"),
        (f"1. do this:\n   ```python\n{ADD}   ```\n", "last-fenced"),  # the code has lost its indentation
        ("> ```python\n> a, b = map(int, input().split())\n> print(a + b)\n> ```\n", "last-fenced"),
        (f"{FENCED}Example output:\n```\n3\n```\n", "last-fenced"),
        (f"{FENCED}Run it with:\n```bash\npython3 a.py < in.txt\n```\n", "last-fenced"),
        (f"{FENCED}\nThis reads two numbers. I hope this helps!", "last-fenced"),
        (f"```markdown\n# Solution\n{FENCED}```\n", "last-fenced"),
        (f"Solution:\n```\n{ADD}```\n", "last-untagged"),
        (f"Solution:\n```\n{ADD}```\nOutput:\n```\n3\n```\n", "last-untagged"),
        (f"Input:\n```\n1 2\n```\n\n```\n{ADD}```\n", "last-untagged"),
        (f"```python\n{ADD}", "unclosed-fence"),
        (f"{DRAFT}Final:\n```python\n{ADD}", "unclosed-fence"),
        (f"{FENCED}Better:\n```python\na, b = map(int, inp", "last-fenced"),  # cut off
        (f"```python\nprint(0)\nNo:\n{FENCED}", "last-fenced"),
        (f"{ADD}```\n", "stray-closer"),
        (f"{ADD}```\n\nThis adds the numbers.\n```bash\npython3 a.py\n```\n", "stray-closer"),
        (f"```python\n{ADD.rstrip()}```", "glued-closer"),
        (f"```python\n{ADD.rstrip()}```\nOutput:\n```\n3\n```\n", "glued-closer"),
        (f"```python\nprint(0)```\nBetter:\n{FENCED}", "last-fenced"),
        (f"Here it is: ```python\n{ADD}```\n", "last-fenced"),
        (f"<think>\nMaybe\n{DRAFT}no\n</think>\n{FENCED}", "last-fenced"),
        (f"so I would write\n{DRAFT}</think>\n\n{FENCED}", "last-fenced"),
        (f"a draft\n```python\nprint(0\n</think>\n{FENCED}", "last-fenced"),
        (f"<think>one</think><think>\n{DRAFT}</think>{FENCED}", "last-fenced"),
        (f"<|channel|>analysis<|message|>{DRAFT}<|end|><|channel|>final<|message|>{FENCED}", "last-fenced"),
        (f"```python\n{ADD}```<|im_end|>", "last-fenced"),
        (f"<think>\nhm\n{FENCED}and then", "unclosed-think"),
        (ADD, "whole-text"),
        (f"<answer>\n{ADD}</answer>\n", "whole-text"),
        (f"Here is the solution:\n\n{ADD}\nIt reads two numbers and prints the sum.\n", "code-region"),
        (f"```text\n{ADD}```\n", "other-tag"),
    ],
)
@pytest.mark.parametrize("hint", ["python", "Py", None])
def test_the_final_answer_is_taken(text: str, rule: str, hint: str | None) -> None:
    found = extract(text, language=hint, aliases=ALIASES)
    assert found is not None
    assert (found.source.strip(), found.rule, found.language) == (ADD.strip(), rule, "python")


def test_whoever_names_the_language_gets_a_block_that_looks_like_nothing() -> None:
    racket, printed = "#lang racket\n(displayln 1)\n", "```text\n1\n```\n"
    aliases = ALIASES | {"racket": "racket"}
    named = extract(f"Here:\n```zzz\n{racket}```\n", language="racket", aliases=aliases)
    assert named is not None
    assert (named.source, named.rule) == (racket, "other-tag")
    untagged = extract(f"Here:\n```\n{racket}```\nIt prints\n{printed}", language="racket", aliases=aliases)
    assert untagged is not None
    assert (untagged.source, untagged.rule) == (racket, "last-untagged")


@pytest.mark.parametrize(
    "source",
    [
        'DOC = """\nuse ```code``` here\n"""\n' + ADD,
        "s = '''\n<think>\n</think>\n'''\n" + ADD,
        "x = '&lt;b&gt; &amp; </think>'\n",
        "print('```')\n",
        "if True:\n\tprint('a\tb')   \n\n\n    # end  \n",
        "a = 1\r\nprint(a)\r\n",
        "print('\0\u2028\x0c\x85')\n",
        "# Here is a comment that reads like prose, in full.\nprint(1)\n",
    ],
)
@pytest.mark.parametrize(
    "frame", ["```python\n{}```\n", "Text.\n\n```python\n{}```\nMore text.\n", "~~~~py\n{}~~~~\n", "```python\n{}"]
)
def test_a_program_comes_back_character_by_character(source: str, frame: str) -> None:
    found = extract(frame.format(source), language="python", aliases=ALIASES)
    assert found is not None
    assert found.source == source


@pytest.mark.parametrize("fence", ["```", "````"])
def test_a_fence_inside_a_string_does_not_end_the_block(fence: str) -> None:
    found = extract(f"{fence}python\n{QUOTED}{fence}\n", language="python", aliases=ALIASES)
    assert found is not None
    assert found.source == QUOTED


def test_tabs_and_blanks_survive_in_a_list() -> None:
    found = extract("- a\n\n  ```python\n  if x:\n  \ty = 1  \n  ```\n", language="python", aliases=ALIASES)
    assert found is not None
    assert found.source == "if x:\n\ty = 1  \n"


@pytest.mark.parametrize(
    ("text", "hint", "language", "rule"),
    [
        (f"```c++17\n{CPP}```\n", None, "cpp", "last-fenced"),
        (f"```cpp\n{CPP}```\n", "python", "cpp", "other-language"),
        (f"```\n{CPP}```\n", "cpp", "cpp", "last-untagged"),
        (f"{CPP}", "c++", "cpp", "whole-text"),
        (f"{DRAFT}In C++:\n```cpp\n{CPP * 5}```\n", None, "cpp", "last-fenced"),
        (f"In Python:\n{FENCED}In C++:\n```cpp\n{CPP}```\n", "python", "python", "last-fenced"),
        (f"```cpp\n{CPP * 4}```\nRun:\n```sh\n./a.out\n```\n", None, "cpp", "last-fenced"),
        ("```bash\nread a b\necho $((a + b))\n```\n", None, "bash", "last-fenced"),
    ],
)
def test_the_language_is_the_hint_or_the_tag(text: str, hint: str | None, language: str, rule: str) -> None:
    found = extract(text, language=hint, aliases=ALIASES)
    assert found is not None
    assert (found.language, found.rule) == (language, rule)


@pytest.mark.parametrize(
    ("blocks", "entry", "chosen", "rule"),
    [
        ([DEFINES, "print(add(1, 2))\n"], "add", 0, "entry-fenced"),
        ([DEFINES, "assert add(1, 2) == 3\n"], None, 0, "before-usage"),
        ([DEFINES, "assert add(1, 2) == 3\n", "print(add(3, 4))\n"], None, 0, "before-usage"),
        ([DEFINES, DEFINES + "print(add(1, 2))\n"], "add", 1, "last-fenced"),
        (["def plus(a, b):\n    return 0\n", DEFINES], "add", 1, "last-fenced"),
        (["class Solution:\n    def f(self): ...\n", "print(Solution().f())\n"], "Solution().f", 0, "entry-fenced"),
        (["add = lambda a, b: a + b\n", "add(1, 2)\n"], "add", 0, "entry-fenced"),
        (["print(0)\n", "print(1)\n"], "add", 1, "last-fenced"),
        ([DEFINES, "def test_add():\n    assert add(1, 2) == 3\n"], None, 0, "before-usage"),
        ([ADD, "def test_nothing():\n    pass\n"], None, 0, "before-usage"),
        ([DEFINES + ADD, "print(add(int(input()), 1))\n"], None, 0, "before-usage"),  # whole without the second
    ],
)
def test_a_usage_example_is_not_the_answer(blocks: list[str], entry: str | None, chosen: int, rule: str) -> None:
    text = "\nThen:\n\n".join(f"```python\n{block}```\n" for block in blocks)
    found = extract(text, language="python", aliases=ALIASES, entry=entry)
    assert found is not None
    assert (found.source, found.rule) == (blocks[chosen], rule)


READS = "from tools import add\nimport sys\nprint(add(int(input()), 1))\n"
JOINED = DEFINES + "import sys\nprint(add(int(input()), 1))\n"


@pytest.mark.parametrize(
    ("blocks", "parts", "source", "rule"),
    [
        ([DEFINES, READS], Parts.AUTO, JOINED, "joined"),
        ([DEFINES, READS], Parts.ALL, JOINED, "joined"),
        ([DEFINES, READS], Parts.ONE, DEFINES, "before-usage"),
        (["x = 0\n", DEFINES, READS], Parts.AUTO, JOINED, "joined"),
        (["x = 0\n", DEFINES, READS], Parts.ALL, "x = 0\n" + JOINED, "joined"),
        (
            [DEFINES, "from math import gcd\nx = gcd(1, 2)\n"],
            Parts.ALL,
            DEFINES + "from math import gcd\nx = gcd(1, 2)\n",
            "joined",
        ),
        ([ADD], Parts.ALL, ADD, "last-fenced"),
    ],
)
def test_a_program_in_parts_is_joined_by_policy(blocks: list[str], parts: Parts, source: str, rule: str) -> None:
    text = "\nThen:\n\n".join(f"```python\n{block}```\n" for block in blocks)
    found = extract(text, language="python", aliases=ALIASES, policy=ExtractionPolicy(parts=parts))
    assert found is not None
    assert (found.source, found.rule) == (source, rule)


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        (ADD, ExtractionPolicy(unfenced=False)),
        (f"```cpp\n{CPP}```\n", ExtractionPolicy(other_language=False)),
        (f"<think>\nhm\n{FENCED}and then", ExtractionPolicy(unclosed_thought=False)),
    ],
)
def test_what_the_policy_forbids_is_no_code(text: str, policy: ExtractionPolicy) -> None:
    assert extract(text, language="python", aliases=ALIASES) is not None
    assert extract(text, language="python", aliases=ALIASES, policy=policy) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\n",
        "I cannot solve this problem.",
        "The answer is 3.\n\nIt follows from the statement: add the numbers.",
        "```python\n```\n",
        "```python\n\n",
        f"<think>\n{FENCED}</think>\nThe code above is right.",  # a finished thought is no answer
        "<think>\nlet me think about x = 3",
    ],
)
def test_no_code_is_none(text: str) -> None:
    assert extract(text, language="python", aliases=ALIASES) is None


def test_an_escaped_completion_is_unescaped() -> None:
    text = "```cpp\n#include &lt;cstdio&gt;\nint main() { if (1 &lt; 2 &amp;&amp; 3) puts(&quot;x&quot;); }\n```\n"
    found = extract(text, language="cpp", aliases=ALIASES)
    assert found is not None
    assert found.source == '#include <cstdio>\nint main() { if (1 < 2 && 3) puts("x"); }\n'


@pytest.mark.parametrize(
    "text",
    [
        "`" * 1_000_000,
        "```\n" * 60_000,
        "```python\n" * 20_000,
        "x```\n" * 40_000,
        '```python\n"""\n' + "```\n" * 40_000,
        "<think></think>" * 20_000,
        "</think>\n" * 30_000,
        "> " * 30_000,
        "- " * 30_000,
        " " * 400_000 + "x",
        ("a[" * 150 + "\n") * 200,
        "\0" * 200_000,
        "<answer>x = 1\n" * 40_000,
        "</answer>\n" * 50_000,
        '"</think>"' * 50_000,
        '```python\n"""\n' + "</think>\n" * 50_000,
        "``` a b c.\n" * 40_000,
        ("```python\n" + "a," * 200 + "\n```\n") * 1000,
        "```python\nn=1\n```\n" * 10_000 + "```python\nprint(n)\n```\n",
        "a &lt; b" + "'''" * 150_001,
        "\\begin{minted}" + "{a}" * 100_000,
    ],
    ids=range(21),
)
def test_hostile_text_ends_soon(text: str) -> None:
    extract(text, language="python", aliases=ALIASES)


def test_of_a_huge_completion_the_end_is_read() -> None:
    found = extract("word " * LARGEST_TEXT + "\n" + FENCED, language="python", aliases=ALIASES)
    assert found is not None
    assert found.source == ADD


@given(st.text(alphabet="`~ \n>-1.apx=()\"'<think/>&;lt\t\r", max_size=120), st.sampled_from(["python", None]))
def test_arbitrary_text_never_crashes(text: str, hint: str | None) -> None:
    found = extract(text, language=hint, aliases=ALIASES)
    assert found is None or found.source.strip()


_prose = st.sampled_from(["Some words here.\n", "\n", "- an item\n", "> quoted\n", "# Heading\n"])
_code = st.lists(
    st.sampled_from(["x = 1\n", "\n", "    print(0)\n", "\ty = 2  \n", "`a`\n"]), min_size=1, max_size=4
).map("".join)


@given(st.lists(st.tuples(_prose, st.sampled_from(["```", "````", "~~~"]), _code), min_size=1, max_size=3), _prose)
def test_well_formed_text_is_read_as_commonmark_reads_it(parts: list[tuple[str, str, str]], tail: str) -> None:
    text = "".join(f"{prose}\n{mark}python\n{code}{mark}\n" for prose, mark, code in parts) + tail
    fences = [token.content for token in MarkdownIt().parse(text) if token.type == "fence" and token.content.strip()]
    found = extract(text, language="python", aliases=ALIASES)
    if fences:
        assert found is not None
        assert found.source == fences[-1]
        assert found.rule == "last-fenced"
