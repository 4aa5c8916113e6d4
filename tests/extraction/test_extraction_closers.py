"""A block or a tag that ends in an unusual way holds the same program as one that ends by the book."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalebox.extraction.extract import extract

ALIASES = {"python": "python", "py": "python", "cpp": "cpp", "go": "go", "bash": "bash", "c": "c"}
DOUBLE = "n = int(input())\nprint(n * 2)\n"
ONE_LINE = "print(int(input()) * 2)"
NESTED = 'def f():\n    """\n    ```python\n    f()\n    ```\n    ```text\n    1\n    ```\n    """\n' + DOUBLE
CLOSERS = [
    "", "</answer>", " </answer>", "</solution>", "</code></pre>", "[/PYTHON]", "}", "}}", "$", "**", ")", ".", '"', "<|im_end|>",
    " This works.", " uses `input()` once.", " Done", " Go ahead and run it.", ": see above", "</answer>\nThat is all.",
    "</answer>\nOutput:\n```\n6\n```", "</answer>\n```text\n6\n```", " This works.\n\n1. It reads\n2. It prints\n",
]  # fmt: skip


def source_of(text: str, hint: str | None = "python") -> str | None:
    """The source found, if any."""
    found = extract(text, language=hint, aliases=ALIASES)
    return None if found is None else found.source


@pytest.mark.parametrize("hint", ["python", None])
@pytest.mark.parametrize("closer", CLOSERS)
@pytest.mark.parametrize(
    "frame", ["```python\n{}```{}", "<answer>```python\n{}```{}", "Text.\n\n````py\n{}````{}", "{}```{}"]
)
def test_what_follows_a_closing_fence_is_no_code(frame: str, closer: str, hint: str | None) -> None:
    assert source_of(frame.format(DOUBLE, closer), hint) == DOUBLE


@pytest.mark.parametrize("closer", ["</answer>", "}", "**", "[/PYTHON]", "</code></pre> "])
def test_tags_follow_a_fence_at_the_end_of_a_line_of_code(closer: str) -> None:
    assert source_of(f"```python\n{DOUBLE.rstrip()}```{closer}") == DOUBLE


@pytest.mark.parametrize("closer", ["", "</answer>", " This works."])
def test_a_block_inside_a_docstring_is_part_of_the_program(closer: str) -> None:
    assert source_of(f"```python\n{NESTED}```{closer}\n") == NESTED


@pytest.mark.parametrize("info", ["text", "text title=a", "{.text}", "output", "cpp main.cpp", "python"])
def test_an_info_string_in_an_open_block_opens_another(info: str) -> None:
    text = f"```markdown\n# Notes\n```{info}\nprint(0)\n```\n```python\n{DOUBLE}```\n```\n"
    assert source_of(text) == DOUBLE


def test_a_block_is_cut_off_where_the_next_begins_in_any_language() -> None:
    assert source_of(f"```python\n{DOUBLE}```text\n6\n```\n") == DOUBLE


@pytest.mark.parametrize("tail", ["", "\nThis is right.\n"])
@pytest.mark.parametrize("tag", ["</answer>", "</solution>", "[/PYTHON]"])
def test_a_tag_ends_a_block_whose_closing_fence_is_missing(tag: str, tail: str) -> None:
    assert source_of(f"```python\n{DOUBLE}{tag}{tail}") == DOUBLE


@pytest.mark.parametrize(
    ("text", "source", "rule"),
    [
        (f"[PYTHON]\n{DOUBLE}[/PYTHON]", DOUBLE, "whole-text"),
        (f"<answer><code>\n{DOUBLE}</code></answer>", DOUBLE, "whole-text"),
        (f"<answer>\n<code>\n{DOUBLE}</code>\n</answer>\n", DOUBLE, "whole-text"),
        (f"<pre><code>{DOUBLE}</code></pre>", DOUBLE, "whole-text"),
        (f'<pre><code class="language-python">{DOUBLE}</code></pre>', DOUBLE, "whole-text"),
        (f"\\begin{{lstlisting}}[language=Python]\n{DOUBLE}\\end{{lstlisting}}", DOUBLE, "whole-text"),
        (f"<answer>{ONE_LINE}</answer>", ONE_LINE, "whole-text"),
        (f"<answer> {ONE_LINE} </answer>", f"{ONE_LINE} ", "whole-text"),
        (f"The answer: <answer>{ONE_LINE}</answer>. It doubles.", ONE_LINE, "code-region"),
        (f"Sure.\n\n<answer>\n{DOUBLE}</answer>\n\nIt reads a number.", DOUBLE, "code-region"),
        (f"<answer>\nprint(0)\n</answer>\nNo:\n<answer>\n{DOUBLE}</answer>", DOUBLE, "code-region"),
        (f"{DOUBLE}</answer>", DOUBLE, "whole-text"),
        (f"<answer>\n{DOUBLE}", DOUBLE, "whole-text"),
        ("<pre><code>if int(input()) &lt; 3:\n    print(1)\n</code></pre>", "if int(input()) < 3:\n    print(1)\n", "whole-text"),
    ],
)  # fmt: skip
def test_tags_enclose_code_without_a_fence(text: str, source: str, rule: str) -> None:
    found = extract(text, language="python", aliases=ALIASES)
    assert found is not None
    assert (found.source, found.rule) == (source, rule)


STRINGS = [
    'x = """\n</think>\n"""\n',
    "x = '''\n<think>\n</think>\n'''\n",
    'x = "</think>"\n',
    'x = "a &lt; b"\nassert len(x) == 8\n',
    'x = """\n a &lt; b\n"""\n',
    "x = 'a &lt; b' # &lt; in words\n",
    "x = '''\n</answer>\n'''\n",
    'x = """\n<code>\ny = 1\n</code>\n"""\n',
    'x = "<answer>"\ny = "</answer>"\n',
    'x = """\n```text\nhi\n```\n"""\n',
    "# ```\n",
]


@pytest.mark.parametrize("string", STRINGS)
@pytest.mark.parametrize("frame", ["{}", "```python\n{}```\n", "```python\n{}```</answer>", "<answer>\n{}</answer>"])
def test_marks_in_the_strings_of_a_program_are_the_programs(string: str, frame: str) -> None:
    assert source_of(frame.format(string + DOUBLE)) == string + DOUBLE


@pytest.mark.parametrize(
    "text",
    [
        f'a draft\n```python\ndef f():\n    """doc\n</think>\n```python\n{DOUBLE}```\n',
        f'a draft\n```python\ndef f():\n    """doc\n</think>\nIt is:\n```\n{DOUBLE}```\n',
        f"I don't know</think>Here's it:\n```python\n{DOUBLE}```\n",
        f"a draft\n```python\nprint(0)\n```</answer>\nno</think>{DOUBLE}",
    ],
)
def test_a_draft_is_dropped_where_its_thought_ends(text: str) -> None:
    assert source_of(text) == DOUBLE


_line = st.sampled_from(
    ["x = 1\n", "\n", "    print(x)\n", "\ty = 2  \n", "s = '`a`'\n", "# done.\n", "z = '}' # **\n", "print('</answer>')\n", "d = {\n", "}\n"]
)  # fmt: skip
_program = st.lists(_line, max_size=6).map(lambda lines: "".join(["print(0)\n", *lines]))


@given(
    _program,
    st.sampled_from(CLOSERS),
    st.sampled_from(["```", "````", "~~~"]),
    st.sampled_from(["", "Text.\n\n", "<answer>\n"]),
)
def test_a_fenced_program_comes_out_unchanged_whatever_closes_it(
    program: str, closer: str, mark: str, head: str
) -> None:
    assert source_of(f"{head}{mark}python\n{program}{mark}{closer}") == program


_fragment = st.sampled_from(
    [
        "```", "~~~~", "```python\n", "```text\n", "```</answer>", "<answer>", "</answer>", "<pre><code>", "[PYTHON]", "[/PYTHON]",
        "\\begin{minted}{python}", "<think>", "</think>\n", '"""', "'''", "'", '"', "&lt;", " < ", "\n", "x = 1\n", "print(x)\n",
        "def test_x():\n", "lambda x:", "(", "[", "= ", "Words of prose, a few.\n", "> ", "\r\n", "\0",
    ]
)  # fmt: skip


@given(st.lists(_fragment | st.text(max_size=8), max_size=30).map("".join), st.sampled_from(["python", None]))
def test_no_text_makes_it_crash(text: str, hint: str | None) -> None:
    found = extract(text, language=hint, aliases=ALIASES)
    assert found is None or found.source.strip()


_statement = st.sampled_from(
    ["x = 1\n", "print(x)\n", "for i in range(3):\n    print(i)\n", "def f(a):\n    return a\n", "\n", *STRINGS, "if x < 2 > 1:\n\tpass\n"]
)  # fmt: skip


@given(st.lists(_statement, max_size=6).map(lambda lines: "".join(["import sys\n", *lines])))
def test_plain_code_is_taken_as_it_is(program: str) -> None:
    assert source_of(program) == program
