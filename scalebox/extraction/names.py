"""Which names a source binds and needs, and whether it reads and writes, by the look. Knows no language in particular; never parses.

The patterns cover what is common among languages. A name counts as needed only where nothing in the source could bind it, so
that a source which stands on its own is not mistaken for a piece of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

_DEFINITION: Final = re.compile(
    r"^[ \t]*(?:(?:export|default|async|public|private|protected|static|pub|final|abstract|unsafe|inline)[ \t]+)*"
    r"(?:def|class|function|fn|func|fun|sub|struct|interface|trait|enum|object)[ \t]+(?P<name>[A-Za-z_]\w*)",
    re.MULTILINE,
)
_TYPED_DEFINITION: Final = re.compile(
    r"^[ \t]*(?:[\w:<>,*&\[\]]+[ \t]+)+[*&]*(?P<name>[A-Za-z_]\w*)[ \t]*\([^;{}()=]*\)[^;{}()=]*\{", re.MULTILINE
)
_ASSIGNED_DEFINITION: Final = re.compile(
    r"^[ \t]*(?:(?:const|let|var|my|our|local|val)[ \t]+)?(?P<name>[A-Za-z_]\w*)[ \t]*(?:=|<-|:=)[ \t]*"
    r"(?:async\b|function\b|lambda\b|fn\b|func\b|sub\b|\([^()\n]*\)[ \t]*=>)|^[ \t]*(?P<shell>[A-Za-z_]\w*)[ \t]*\([ \t]*\)[ \t]*\{",
    re.MULTILINE,
)
_READS: Final = re.compile(
    r"\binput\s*\(|stdin\b|\bSystem\.in\b|\bopen\(0|\bcin\s*>>|\bread_?[lL](?:ine|n)\w*|\breadFileSync\b|\bread_(?:int|float)\b"
    r"|\b(?:scanf|getline|fgets|getchar|gets|getLine|getContents|interact)\b|\bio\.read\b|\bConsole\.Read|\bScan(?:ln|f)?\s*\("
    r"|[=(]\s*<>|^[ \t]*(?:while[ \t]+)?(?:IFS=\S*[ \t]+)?read[ \t]+[-\w]|\breadln\b",
    re.MULTILINE | re.IGNORECASE,
)
_WRITES: Final = re.compile(
    r"\b(?:print\w*|puts|putStr\w*|echo|cout|say|write|writeln|writelines|println!?|console\.log|System\.out|fmt\.F?print\w*)\b",
    re.IGNORECASE,
)
_BEGINS: Final = re.compile(
    r"\b(?:int|void|auto)[ \t\n]+main[ \t]*\(|\b(?:fn|fun|func)[ \t]+main[ \t]*\(|\bdef[ \t]+main[ \t]*\([ \t]*\w+[ \t]*:[ \t]*Array\b"
    r"|\bobject[ \t]+\w+[ \t]+extends[ \t]+App\b|@main[ \t]+def\b|\b(?:void|int|Task|Task<int>)[ \t]+Main[ \t]*\(|^main[ \t]*(?:::|=[ \t]*(?:do\b|interact\b|get\w+|print\b|mapM_|putStr\w*|$))",
    re.MULTILINE,
)
_HEADING: Final = re.compile(
    r"^(?:package[ \t]+[\w.]+;?[ \t]*|import[ \t]*+\([^()]*+\)|import[ \t]++[^\n(]++)\n", re.MULTILINE
)
_FROM_IMPORT: Final = re.compile(r"^from[ \t]+\.?\w+[ \t]+import[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*\n", re.MULTILINE)

_QUOTED: Final = re.compile(
    r"(?P<prefix>[bfruBFRU]{0,2})(?:\"{3}(?:[^\"]|\"(?!\"\"))*\"{3}|'{3}(?:[^']|'(?!''))*'{3}|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
)
_FIELD: Final = re.compile(r"\{([^{}]*)\}")
_IDLE: Final = re.compile(
    r"(?:^[ \t]*#(?!include|define)|(?<=\s)#[ \t]).*|\bfrom[ \t]+[\w.]+(?=[ \t]+import\b)|(?:^|(?<=[;{}]))[ \t]*//.*",
    re.MULTILINE,
)
_SCOPED: Final = re.compile(
    r"""
    \bfor(?:each)?[ \t]*\(?(?P<loop>[\w \t,()*$]+?)\)?[ \t]+(?:in|of)\b
  | \b(?:import|as|let|const|var|val|my|our|local|auto|int|long|double|float|char|bool|string)[ \t]+(?P<declared>[\w \t,.*&$@%]+)
  | \bimport[ \t]*\((?P<imported>[^()]*)\) | \bcatch[ \t]*\((?P<caught>[^()]*)\)
  | \blambda\b(?P<lambda>[^:\n]*):
  | \b(?:def|fn|func|fun|function|sub)\b[^(\n]*\((?P<parameters>[^()]*)\)
  | \((?P<arrow>[^()]*)\)[ \t]*(?:=>|->) | (?P<one>\w+)[ \t]*=> | \|(?P<block>[\w \t,]+)\|
  | (?P<walrus>\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*(?::=|<-)
    """,
    re.VERBOSE,
)
_ANNOTATION: Final = re.compile(r":[^,\n]*")
_TARGETS: Final = re.compile(
    r"\s*(?:\w[\w:<>]*(?<!:)[ \t*&]+){0,3}[(\[]?(?P<names>[*&$@%]*\w+(?:\s*,\s*[*&$@%]*\w+)*)\s*,?\s*[)\]]?\s*(?::\s*[\w\[\], .|]+)?"
)
_ASSIGN: Final = re.compile(r"(?<![=!<>+\-*/%&|^~:])=(?![=~>])")
_STATEMENT: Final = re.compile(
    r"^([ \t]*(?:for|if|while|else|elif|with|try|except|finally)\b[^\n]*?):[ \t]+(?=\w)", re.MULTILINE
)
_KEYWORD_ARGUMENT: Final = re.compile(r"(?<=[(,])\s*\w+\s*=(?!=)")
_NAME: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_VARIABLE: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?!\w|\s*\()")
_COMMON: Final = frozenset({
    "as", "from", "import", "in", "of", "is", "and", "or", "not", "if", "else", "for", "while", "return",
    "const", "unsigned", "int", "long", "double", "float", "char", "bool", "str", "string", "list", "dict",
    "set", "tuple", "bytes", "len", "sum", "max", "min", "abs", "ord", "chr", "print", "input", "range",
    "sorted", "map", "self", "this",
})  # fmt: skip
"""Words and names that languages bind themselves."""
_LONGEST_LINE: Final = 300
_LONGEST: Final = 10_000
"""Characters of a source whose variables are looked at."""


def defined_names(source: str) -> frozenset[str]:
    """Names of the functions and types that a source defines."""
    patterns = (_DEFINITION, _TYPED_DEFINITION, _ASSIGNED_DEFINITION)
    groups = (match.groupdict().values() for pattern in patterns for match in pattern.finditer(source))
    return frozenset(name for names in groups for name in names if name)


def reads_input(source: str) -> bool:
    """Whether a source seems to read its standard input."""
    return bool(_READS.search(source))


def writes_output(source: str) -> bool:
    """Whether a source seems to write."""
    return bool(_WRITES.search(source))


def begins_program(source: str) -> bool:
    """Whether a source has the function that a program of C, C++, C#, D, Go, Haskell, Java, Kotlin, Rust or Scala begins with."""
    return bool(_BEGINS.search(source))


def without_imports(source: str, names: frozenset[str]) -> str:
    """The source without the lines that import nothing but these names, which now stand above it."""
    return _FROM_IMPORT.sub(lambda match: "" if names.issuperset(re.findall(r"\w+", match[1])) else match[0], source)


def with_headings_first(source: str) -> str:
    """The source with its package and its imports, each once, above the rest, where the languages that have them so want them."""
    package: list[str] = []
    imports: dict[str, None] = {}
    for heading in map(str.strip, _HEADING.findall(source)):
        if heading.startswith("package"):
            package = package or [heading]
        elif heading.endswith(")"):
            lines = heading[heading.index("(") + 1 : -1].split("\n")
            imports.update((f"import {line.strip()}", None) for line in lines if line.strip())
        else:
            imports[heading] = None
    return "".join(f"{line}\n" for line in [*package, *imports]) + _HEADING.sub("", source)


def called_names(source: str) -> frozenset[str]:
    """The names that a source calls."""
    return frozenset(match[1] for match in re.finditer(r"(?<![\w.])([A-Za-z_]\w*)\s*\(", source)) - _COMMON


def bound_names(source: str) -> frozenset[str]:
    """The variables, parameters and imported names that a source binds, in any scope."""
    bare = _bare(source[:_LONGEST])
    assigned = (name for _, names in _steps(bare) for name in names)
    return (_scoped(bare) | frozenset(assigned)) - _COMMON


def free_names(source: str) -> frozenset[str]:
    """The variables that a source uses before it binds them; calls aside."""
    bare = _bare(source[:_LONGEST])
    bound = set(_scoped(bare))
    free: set[str] = set()
    for used, assigned in _steps(bare):
        free |= used - bound
        bound |= assigned
    return frozenset(free) - _COMMON


def _bare(source: str) -> str:
    """The source without comments, names of modules and texts, what an f-string takes in aside."""
    bare = _IDLE.sub("", _QUOTED.sub(_without_text, source))
    return "\n".join(line[:_LONGEST_LINE] for line in bare.split("\n"))


def _without_text(match: re.Match[str]) -> str:
    if "f" not in match["prefix"].lower():
        return '""'
    fields = (field.partition(":")[0].partition("!")[0] for field in _FIELD.findall(match[0]))
    return f"({' + '.join(fields)})"


def _scoped(bare: str) -> frozenset[str]:
    groups = (group for match in _SCOPED.finditer(bare) for group in match.groups() if group)
    return frozenset(name for group in groups for name in _NAME.findall(_ANNOTATION.sub("", group)))


def _steps(bare: str) -> Iterator[tuple[set[str], set[str]]]:
    """What each statement uses, and then binds."""
    for statement in re.split(r"[\n;]", _STATEMENT.sub(r"\1\n", bare)):
        parts = _ASSIGN.split(statement)
        targets = list(takewhile(bool, map(_TARGETS.fullmatch, parts[:-1])))
        used = _KEYWORD_ARGUMENT.sub(" ", "=".join(parts[len(targets) :]))
        assigned = (name for target in targets if target for name in _NAME.findall(target["names"]))
        yield set(_VARIABLE.findall(used)), set(assigned)
