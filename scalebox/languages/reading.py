"""Parse `defs/<id>/language.toml` into a frozen Language, strictly. Never runs a tool, never guesses a missing key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from scalebox.core.verdict import Verdict
from scalebox.languages.definition import (
    AppendHarness,
    CallHarness,
    Comparison,
    CompileSpec,
    Install,
    Kind,
    Language,
    Probe,
    Runtime,
    SelfTest,
    Spelling,
    UnitSpec,
    fill,
)
from scalebox.languages.naming import NamingSpec
from scalebox.languages.table import Table

TOOLS: Final = "/usr/local/lib/scalebox"
"""Where `scalebox toolchains install` puts what no package manager puts in a place of its own: a folder for each language,
which every box may read and none may write."""

_PLACEHOLDER: Final = re.compile(r"\{(\w*)\}")
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9+#._-]*")
_COMPILING: Final = frozenset({"source", "artifact", "optional", "main"})
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RUNNING: Final = frozenset({"source", "artifact", "main", "memory_mb", "memory_hex", "stack_mb"})
_MOST_PROCESSES: Final = 512

Settle = Callable[[str], str]
"""Fills what is known when a definition is read: the tool folder, and the values of a variant."""


def read_language(path: Path, tools: str = TOOLS) -> Language:
    """Read a definition and the files it names.

    Args:
        path: a ``language.toml``; its folder's name is the language's id.
        tools: what stands for the folder of all tool folders.

    Raises:
        DefinitionError: a key is unknown, missing or of the wrong type, or a file it names cannot be read.
    """
    root = Table.read(path)
    own = path.parent.name
    values = root.strings("values")
    around = root.strings("harness_values")
    language = _with_harness(root, own, {"tools": f"{tools}/{own}", "toolbox": tools, **values}, around)
    variants = []
    for name, table in root.named_tables("variants"):
        changed = {"tools": f"{tools}/{own}", "toolbox": tools, **values, **table.strings("values")}
        for value in table.strings("values"):
            if value not in values:
                raise table.error(f"values.{value}", "is no value of the language itself")
        again = Table(root.path, "", root.values)
        variant = _with_harness(again, own, changed, {**around, **table.strings("harness_values")})
        variants.append(
            replace(variant, id=name, name=table.text("name"), aliases=table.texts("aliases", optional=True))
        )
        table.finish()
    root.finish()
    language = replace(language, variants=tuple(variants))
    for one in (language, *language.variants):
        _check(one, path)
    return language


def _with_harness(root: Table, own: str, values: Mapping[str, str], around: Mapping[str, str]) -> Language:
    """The language, and where a harness's texts are compiled in another way, that way."""
    language = _language(root, own, values)
    if not around:
        return language
    unknown = [key for key in around if key not in values]
    if unknown:
        raise root.error(f"harness_values.{unknown[0]}", "is no value of the language itself")
    rendered = _language(Table(root.path, "", root.values), own, {**values, **around})
    return replace(language, compile_rendered=rendered.compile)


def _language(root: Table, own: str, values: Mapping[str, str]) -> Language:
    def settle(text: str) -> str:
        return fill(text, values)

    for key in ("values", "harness_values", "variants"):
        root.has(key)
    language = Language(
        id=own,
        family=own,
        name=root.text("name"),
        aliases=root.texts("aliases", optional=True),
        includes=root.texts("includes", optional=True),
        source_name=root.text("source_name"),
        naming=_naming(root.table("names", optional=True)),
        kind=Kind(root.choice("kind", [kind.value for kind in Kind])),
        compile=_compile(root.table("compile", optional=True), settle),
        compile_rendered=None,
        run=tuple(map(settle, root.texts("run"))),
        environment=_settled(root.strings("environment"), settle),
        runtime=_runtime(root.table("runtime", optional=True)),
        probe=_probe(root.table("probe"), settle),
        requires=tuple(map(settle, root.texts("requires", optional=True))),
        show=root.texts("show", optional=True),
        support=root.files("support"),
        install=_install(root.table("install")),
        call=_call(root.table("call", optional=True)),
        append=_append(root.table("append", optional=True)),
        unit=_unit(root.table("unit", optional=True), settle),
        self_tests=_self_tests(root.path.parent / root.text("self_test") / "selftest.toml"),
    )
    _known(root, "run", (*language.run, *language.environment.values()), _RUNNING)
    return language


def _known(table: Table, key: str, words: tuple[str, ...], known: frozenset[str]) -> set[str]:
    """The placeholders that words use; all must be known."""
    used = {name for word in words for name in _PLACEHOLDER.findall(word)}
    for name in sorted(used - known):
        raise table.error(key, f"uses the unknown placeholder {{{name}}}")
    return used


def _settled(strings: Mapping[str, str], settle: Settle) -> Mapping[str, str]:
    return {name: settle(value) for name, value in strings.items()}


def _naming(table: Table) -> NamingSpec | None:
    if not table.values:
        return None
    spec = NamingSpec(
        package=table.optional_pattern("package"),
        type=table.pattern("type"),
        public=table.optional_pattern("public"),
        entry=table.pattern("entry"),
        outside=table.text("outside"),
        outside_named=table.optional_pattern("outside_named"),
        prefer=table.pattern("prefer"),
        nested=table.flag("nested"),
        interpolated=table.optional_pattern("interpolated"),
    )
    table.finish()
    named = (
        ("package", spec.package),
        ("type", spec.type),
        ("public", spec.public),
        ("outside_named", spec.outside_named),
    )
    for key, pattern in named:
        if pattern is not None and "name" not in pattern.groupindex:
            raise table.error(key, "has no group named name: (?P<name>…)")
    return spec


def _compile(table: Table, settle: Settle) -> CompileSpec | None:
    if not table.values:
        return None
    spec = CompileSpec(
        command=tuple(map(settle, table.texts("command"))),
        optional=tuple(map(settle, table.texts("optional", optional=True))),
        units=table.texts("units", optional=True),
        artifact=table.text("artifact"),
        pack=table.text("pack") if table.has("pack") else None,
        memory_mb=table.whole("memory_mb"),
        processes=table.whole("processes"),
        disk_mb=table.whole("disk_mb"),
        environment=_settled(table.strings("environment"), settle),
    )
    table.finish()
    used = _known(table, "command", spec.command, _COMPILING)
    for name in ("source", "artifact"):
        if name not in used and not (name == "artifact" and spec.pack):
            raise table.error("command", f"does not use {{{name}}}")
    for key, name in (("artifact", spec.artifact), ("pack", spec.pack or "pack")):
        if "/" in name or name.startswith("."):
            raise table.error(key, f"must be a name in the working directory, not {name!r}")
    return spec


def _runtime(table: Table) -> Runtime:
    runtime = Runtime(
        memory_mb=table.whole("memory_mb") if table.has("memory_mb") else 0,
        processes=table.whole("processes") if table.has("processes") else 0,
        out_of_memory=table.optional_pattern("out_of_memory"),
    )
    table.finish()
    if runtime.processes > _MOST_PROCESSES:
        raise table.error("processes", f"must be at most {_MOST_PROCESSES}")
    return runtime


def _probe(table: Table, settle: Settle) -> Probe:
    probe = Probe(command=tuple(map(settle, table.texts("command"))), pattern=table.pattern("pattern"))
    table.finish()
    if "version" not in probe.pattern.groupindex:
        raise table.error("pattern", "has no group named version: (?P<version>…)")
    return probe


def _install(table: Table) -> Install:
    install = Install(
        hint=table.text("hint"),
        languages=table.texts("languages", optional=True),
        apt=table.texts("apt", optional=True),
        npm=table.texts("npm", optional=True),
        pip=table.texts("pip", optional=True),
        links=table.strings("links"),
        prepare=table.file("prepare") if table.has("prepare") else "",
        prepare_files=table.files("prepare_files"),
    )
    table.finish()
    for key, packages, pinned in (("npm", install.npm, r".+@\d.*"), ("pip", install.pip, r".+==\d.*")):
        for package in packages:
            if not re.fullmatch(pinned, package):
                raise table.error(key, f"{package!r} has no version")
    return install


def _spelling(table: Table) -> Spelling:
    spelling = Spelling(address=table.text("address"), call=table.text("call"))
    table.finish()
    return spelling


def _call(table: Table) -> CallHarness | None:
    if not table.values:
        return None
    harness = CallHarness(
        template=table.file("template"),
        separator=table.text("separator"),
        identifier=table.pattern("identifier") if table.has("identifier") else _IDENTIFIER,
        function=_spelling(table.table("function")),
        method=_spelling(table.table("method")),
        default_owner=table.text("default_owner"),
        owner_found=table.text("owner_found") if table.has("owner_found") else r"\b(?:class|struct)\s+{owner}\b",
        function_found=table.text("function_found") if table.has("function_found") else r"\b{name}\s*[(={]",
        holder=table.optional_pattern("holder"),
        prelude=table.any_text("prelude"),
        prelude_unless=table.pattern("prelude_unless"),
        edit_program=table.edits("edit_program"),
    )
    table.finish()
    return harness


def _append(table: Table) -> AppendHarness | None:
    if not table.values:
        return None
    harness = AppendHarness(
        template=table.file("template"),
        drop=table.optional_pattern("drop"),
        edit_program=table.edits("edit_program"),
        edit_tests=table.edits("edit_tests"),
        imports=table.edits("imports"),
        main=table.text("main") if table.has("main") else "",
        found=table.optional_pattern("found"),
        each=table.text("each") if table.has("each") else "",
        guarded=table.optional_pattern("guarded"),
        guard=table.text("guard") if table.has("guard") else "",
        head=table.optional_pattern("head"),
        first=table.optional_pattern("first"),
        compare=_comparison(table.table("compare", optional=True)),
        close=table.optional_pattern("close"),
    )
    table.finish()
    return harness


def _unit(table: Table, settle: Settle) -> UnitSpec | None:
    if not table.values:
        return None
    spec = UnitSpec(
        languages=table.texts("languages"),
        program=table.text("program"),
        programs=table.strings("programs"),
        tests=table.pattern("tests"),
        library=settle(table.text("library")) if table.has("library") else "",
        cpu_seconds=table.number("cpu_seconds"),
        self_test=table.files("self_test"),
    )
    table.finish()
    return spec


def _comparison(table: Table) -> Comparison | None:
    if not table.values:
        return None
    comparison = Comparison(
        asserts=table.pattern("asserts"),
        method=table.text("method") if table.has("method") else "",
        by_method=table.text("by_method") if table.has("by_method") else "",
        by_operator=table.text("by_operator") if table.has("by_operator") else "",
    )
    table.finish()
    return comparison


def _self_test(table: Table) -> SelfTest:
    test = SelfTest(
        name=table.text("name"),
        source=table.file("file"),
        input=table.any_text("input").encode(),
        answer=table.any_text("answer").encode(),
        verdict=Verdict(table.choice("verdict", [verdict.value for verdict in Verdict])),
        cpu_seconds=table.number("cpu_seconds"),
    )
    table.finish()
    return test


def _self_tests(path: Path) -> tuple[SelfTest, ...]:
    root = Table.read(path)
    tests = tuple(_self_test(table) for table in root.tables("program"))
    root.finish()
    return tests


def _check(language: Language, path: Path) -> None:
    root = Table(path, "", {})
    if not _NAME.fullmatch(language.id):
        raise root.error("id", f"the folder's name {language.id!r} is no lower-case name")
    for alias in language.aliases:
        if not _NAME.fullmatch(alias):
            raise root.error("aliases", f"{alias!r} is no lower-case name")
    if len({language.id, *language.aliases}) != len(language.aliases) + 1:
        raise root.error("aliases", "repeats a name, or the id")
    if "/" in language.source_name:
        raise root.error("source_name", "must be a file name, not a path")
    if not any(test.verdict is Verdict.AC for test in language.self_tests):
        raise root.error("self_test", "has no program whose verdict is AC")
