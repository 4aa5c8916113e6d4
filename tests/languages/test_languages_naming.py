"""The source decides what its file and what is started are called; what looks like code in strings and comments has no say."""

from __future__ import annotations

import re

import pytest

from scalebox.languages.catalogue import load_languages
from scalebox.languages.naming import MOST_TEXT, Names, NamingSpec

SPEC = NamingSpec(
    package=re.compile(r"^[ \t]*package\s+(?P<name>[\w.]+)", re.MULTILINE),
    type=re.compile(r"\b(?:class|enum|object)\s+(?P<name>\w+)"),
    public=re.compile(r"\bpublic\s+(?:final\s+)?class\s+(?P<name>\w+)"),
    entry=re.compile(r"\bstatic\b[^;{}()]*\bvoid\s+main\s*\(|(?P<head>\bextends\s+App\b)|@main\s+def\s+(?P<name>\w+)"),
    outside="{stem}Kt",
    prefer=re.compile(r"Harness\d?"),
)
MAIN = "public static void main(String[] a) { }"


@pytest.mark.parametrize(
    ("source", "file", "main"),
    [
        (f"class A {{ {MAIN} }}", "Main.java", "A"),
        (f"public class Sol {{ {MAIN} }}", "Sol.java", "Sol"),
        (f"package a.b;\npublic final class Sol {{ {MAIN} }}", "Sol.java", "a.b.Sol"),
        (f"class Node {{ int x; }} class B {{ {MAIN} }}", "Main.java", "B"),
        (f"class First {{ {MAIN} }} public class Second {{ {MAIN} }}", "Second.java", "Second"),
        (f"public class Sol {{ static class Inner {{ {MAIN} }} }}", "Sol.java", "Sol"),
        (f"class A {{ }} class Harness {{ {MAIN} }} class Z {{ {MAIN} }}", "Main.java", "Harness"),
        (f"/* a /* b */ {{ */ class A {{ {MAIN} }} class Harness {{ {MAIN} }}", "Main.java", "Harness"),
        (f"class A {{ {MAIN} }} {' ' * MOST_TEXT} class Harness {{ {MAIN} }}", "Main.java", "Harness"),
        (f"class Harness1 {{ {MAIN} }} class MyHarness {{ }} class Harness2 {{ {MAIN} }}", "Main.java", "Harness2"),
        (f'class A {{ String s = "class B {{ {MAIN} }}"; }} class C {{ {MAIN} }}', "Main.java", "C"),
        (f"// public class No\n/* class B {{ {MAIN} */ class C {{ {MAIN} }}", "Main.java", "C"),
        (f'class A {{ String s = """\n {{{{ "quoted" """; }} class C {{ {MAIN} }}', "Main.java", "C"),
        (f"class A {{ char c = '{{', d = '\\'', e = '\"'; }} class C {{ {MAIN} }}", "Main.java", "C"),
        ("object Sol extends App { val x = 1 }", "Main.java", "Sol"),
        ("object Sol extends App:\n  val x = 1", "Main.java", "Sol"),
        ("class A { }\n@main def run(): Unit = ()", "Main.java", "run"),
        ("static void main() { }", "Main.java", "MainKt"),
        ("class Pair(val a: Int)\nstatic void main() { }", "Main.java", "MainKt"),
        (f"class A {{ }} static void main() {{ }} class B {{ {MAIN} }}", "Main.java", "MainKt"),
        (f"class Solver {{ {MAIN} }}\nstatic void main() {{ }}", "Main.java", "MainKt"),
        ("", "Main.java", "MainKt"),
        ("}}}} class {", "Main.java", "MainKt"),
        (f"public class Füße {{ {MAIN} }}", "Main.java", "Füße"),
        (f"public class {'x' * 100} {{ {MAIN} }}", f"{'x' * 100}.java", "x" * 100),
        (f"public class {'x' * 101} {{ {MAIN} }}", "Main.java", "x" * 101),
    ],
)
def test_a_source_says_how_it_is_called(source: str, file: str, main: str) -> None:
    assert SPEC.names(source, "Main.java") == Names(file=file, main=main)


def test_nothing_a_source_holds_is_a_path() -> None:
    names = SPEC.names(f"public class ../../x {{ {MAIN} }}", "Main.java")
    assert "/" not in names.file


@pytest.mark.parametrize(
    ("language", "source", "main"),
    [
        ("kotlin", 'class A { val s = "${m["{"]}" }\nfun main() { }', "MainKt"),
        (
            "kotlin",
            'val s = """${ if (x) """{""" else "" }"""\nobject B { @JvmStatic fun main(a: Array<String>) { } }',
            "B",
        ),
        ("kotlin", "/* /* */ object No { */\nfun main() { }", "MainKt"),
        ("kotlin", '@file:JvmName("Start")\nfun main() { }', "Start"),
        ("kotlin", '@file:JvmName("Start")\npackage a.b\nfun main() { }', "a.b.Start"),
        ("scala", 'object A { val s = s"${m("{")}" }\nobject B extends App', "B"),
        ("scala", "package a\npackage b.c\nobject B extends App", "a.b.c.B"),
        (
            "scala",
            "package a {\n  package b {\n    object B { def main(a: Array[String]): Unit = { } }\n  }\n}",
            "a.b.B",
        ),
        ("scala", "object A { def main(x: Int) = x }\nobject B { def main(args : Array[String]): Unit = { } }", "B"),
        ("scala", "object A { def main(x: Int) = x }\nobject B { def main(args: String*) = { } }", "B"),
        ("kotlin", "package `in`.b\nfun main() { }", "in.b.MainKt"),
        ("java", 'class B { public static @SuppressWarnings("x") void main(String[] a) { } }', "B"),
        ("scala", "package a {\n  object Q { val v = 5 }\n}\nobject M extends App { println(a.Q.v) }", "M"),
        ("scala", "package a {\n  package b {\n    object Q\n  }\n  object M extends App\n}", "a.M"),
        ("java", "class B {\n  public static void main(\n            String[] a) { }\n}", "B"),
        ("java", "class B { public static void main(/* the words of it */ String[] a) { } }", "B"),
        ("kotlin", '/*\n@file:JvmName("No")\n*/\nfun main() { }', "MainKt"),
        ("kotlin", 'val s = """\n@file:JvmName("No")\n"""\nfun main() { }', "MainKt"),
        ("scala", "package object a { }\nobject B extends App", "B"),
        ("java", f"class H {{ static void main(int n) {{ }} }} class B {{ {MAIN} }}", "B"),
        ("java", "class B { public static void main(final java.lang.String... words) { } }", "B"),
    ],
)
def test_programs_of_real_languages(language: str, source: str, main: str) -> None:
    found = load_languages().get(language)
    assert found is not None
    assert found.names(source).main == main
