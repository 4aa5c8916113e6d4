"""MultiPL-E: its rows, and what its published convention makes of a program and its test code outside the sandbox. Never judges."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NotRequired, TypedDict

from acceptance import shared
from acceptance.judging import Item
from scalebox.core.limits import MIB, Limits
from scalebox.core.problem import AssertCase, AssertStyle, Problem
from scalebox.core.submission import Completion
from scalebox.core.verdict import AGAINST
from scalebox.extraction.extract import extract
from scalebox.judge.assemble import assemble
from scalebox.languages.catalogue import load_languages

RIGHT: Final = frozenset({"AC"})
WRONG: Final = frozenset(verdict.value for verdict in AGAINST)
ONE_IN: Final = int(os.environ.get("SCALEBOX_MULTIPL_E_ONE_IN", "60"))
"""Of each set one row in so many is judged; 1 takes all."""
CPU_SECONDS: Final = 30
JAVATUPLES: Final = "/usr/share/java/javatuples.jar"
_SCALA_JARS: Final = "/usr/local/lib/scalebox/scala/jars"
_SCALAC: Final = ":".join(f"{_SCALA_JARS}/scala-{part}.jar" for part in ("compiler", "library", "reflect"))
_JAVA: Final = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_NET: Final = "/usr/local/lib/scalebox/csharp"
_DOTNET: Final = (f"{_NET}/dotnet", "exec")
_WORLD: Final = {
    "PATH": os.environ["PATH"],
    "LANG": "C.UTF-8",
    "HOME": os.environ.get("HOME", "/tmp"),
    "MONO_TRACE_LISTENER": "Console.Error",
}


class Row(TypedDict):
    """A problem and a program that a model wrote for it."""

    name: str
    prompt: str
    tests: str
    stop_tokens: list[str]
    gpt_solution: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a plain process."""

    code: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """How the published evaluation runs a file of one language: its commands, and what of the last one's end is a pass."""

    language: str
    file: str
    commands: Sequence[Sequence[str]]
    passed: Callable[[Done], bool]


def _ended_well(done: Done) -> bool:
    return done.code == 0


def _silent(done: Done) -> bool:
    return done.code == 0 and not done.stderr


def _no_error(done: Done) -> bool:
    return done.code == 0 and "ERROR" not in done.stdout + done.stderr


def _mono(done: Done) -> bool:
    was_killed = done.code < 0  # at the CPU limit, which the published evaluation tells apart
    return (
        not was_killed and "DefaultTraceListener.Fail" not in done.stderr and "Unhandled Exception" not in done.stderr
    )


def _go(done: Done) -> bool:
    return done.code == 0 and "FAIL" not in done.stdout


CONVENTIONS: Final = {
    "cpp": Convention(
        language="cpp",
        file="p.cpp",
        commands=[["g++", "p.cpp", "-o", "p", "-std=c++17"], ["./p"]],
        passed=_ended_well,
    ),
    "cs": Convention(
        language="csharp",
        file="p.cs",
        commands=[
            [
                *_DOTNET,
                f"{_NET}/roslyn/csc.dll",
                f"@{_NET}/csc.rsp",
                "-noconfig",
                "-define:DEBUG",
                "-out:p.dll",
                "p.cs",
            ],
            [*_DOTNET, "--runtimeconfig", f"{_NET}/run.json", "p.dll"],
        ],
        passed=_ended_well,
    ),
    "cs_mono": Convention(
        language="csharp_mono",
        file="p.cs",
        commands=[["mcs", "-d:DEBUG", "-r:System.Numerics.dll", "p.cs", "-out:p.exe"], ["mono", "p.exe"]],
        passed=_mono,
    ),
    "d": Convention(
        language="d", file="p.d", commands=[["ldc2", "-unittest", "p.d", "-of=p"], ["./p"]], passed=_ended_well
    ),
    # Published: with vet, by which a program fails that has an example function (as models like to add) of a name that it likes not.
    "go": Convention(language="go", file="p_test.go", commands=[["go", "test", "-vet=off", "p_test.go"]], passed=_go),
    # Published: a file named after the task, where a right program whose class is public does not compile.
    "java": Convention(
        language="java",
        file="Problem.java",
        commands=[
            ["javac", "-encoding", "UTF8", "-cp", JAVATUPLES, "-d", "out", "Problem.java"],
            ["java", "-ea", "-cp", f"out:{JAVATUPLES}", "Problem"],
        ],
        passed=_ended_well,
    ),
    "js": Convention(language="javascript", file="p.js", commands=[["node", "p.js"]], passed=_ended_well),
    "lua": Convention(language="lua", file="p.lua", commands=[["lua5.4", "p.lua"]], passed=_ended_well),
    "php": Convention(language="php", file="p.php", commands=[["php", "p.php"]], passed=_ended_well),
    "pl": Convention(language="perl", file="p.pl", commands=[["perl", "p.pl"]], passed=_no_error),
    "r": Convention(language="r", file="p.R", commands=[["Rscript", "p.R"]], passed=_ended_well),
    "rb": Convention(language="ruby", file="p.rb", commands=[["ruby", "p.rb"]], passed=_ended_well),
    "rkt": Convention(language="racket", file="p.rkt", commands=[["racket", "p.rkt"]], passed=_silent),
    "rs": Convention(
        language="rust", file="p.rs", commands=[["rustc", "p.rs", "-o", "p"], ["./p"]], passed=_ended_well
    ),
    # Published: `scalac` and `scala`, scripts that start these and that what PySpark brings lacks.
    "scala": Convention(
        language="scala",
        file="p.scala",
        commands=[
            [*_JAVA, "-cp", _SCALAC, "scala.tools.nsc.Main", "-usejavacp", "-nowarn", "-d", "out", "p.scala"],
            [*_JAVA, "-cp", f"out:{_SCALA_JARS}/scala-library.jar", "Problem"],
        ],
        passed=_silent,
    ),
    "sh": Convention(language="bash", file="p.sh", commands=[["bash", "p.sh"]], passed=_ended_well),
    # Published: tsc before node, so that a wrong type is a failure. Here types are removed, and so they are in the plain run, which makes CommonJS as tsc does.
    "ts": Convention(
        language="typescript",
        file="p.ts",
        commands=[["esbuild", "p.ts", "--outfile=p.js", "--log-level=error", "--format=cjs"], ["node", "p.js"]],
        passed=_ended_well,
    ),
}


def missing(key: str) -> Sequence[str]:
    """What a plain run in a language wants and this machine has not."""
    commands = [command[0] for command in CONVENTIONS[key].commands]
    absent = [name for name in commands if not name.startswith("./") and shutil.which(name) is None]
    return ["Scala's compiler"] if key == "scala" and not Path(_SCALA_JARS).is_dir() else absent


def rows(key: str) -> list[tuple[str, Row]]:
    """The chosen rows of both sets, each with its name."""
    return [
        (f"{name} {row['name']}", row)
        for name in ("humaneval", "mbpp")
        for row in shared.read(f"data/benchmarks/multipl_e/{name}-{key.partition('_')[0]}.jsonl.gz", Row)
        if row.get("gpt_solution") and (ONE_IN == 1 or shared.falls_in(f"{key} {row['name']}", ONE_IN))
    ]


def item(key: str, name: str, row: Row) -> Item:
    """The row's completion with its test code, due to get what a plain run of the same text gets."""
    convention = CONVENTIONS[key]
    text = plain_text(convention.language, row)
    passes, told = plain_run(convention, text)
    case = AssertCase(
        name="0",
        code=row["tests"],
        style=AssertStyle.APPEND,
        prompt=row["prompt"],
        stop_tokens=tuple(row["stop_tokens"]),
    )
    limits = Limits(cpu_seconds=CPU_SECONDS, memory_bytes=1024 * MIB, compile_seconds=60)
    return Item(
        id=name,
        submission=Completion(text=row.get("gpt_solution", ""), language=convention.language),
        problem=Problem(tests=[case], limits=limits),
        due=RIGHT if passes else WRONG,
        plain=told,
    )


def plain_text(language_name: str, row: Row) -> str:
    """The program, taken from its completion and put together as a judgement does, with the test code behind it."""
    catalogue = load_languages()
    language = catalogue.get(language_name)
    assert language is not None
    found = extract(row.get("gpt_solution", ""), language=language.id, aliases=catalogue.aliases())
    head = None if language.append is None else language.append.head
    program = "" if found is None else found.source or ""
    text = assemble(program, row["prompt"], None, row["stop_tokens"], head) + "\n" + row["tests"]
    return _with_imports(text, row["prompt"]) if language.id == "go" else text


def _with_imports(text: str, prompt: str) -> str:
    """A Go text with what the prompt imports for the test code and a program that is whole leaves out."""
    wanted = re.findall(r'^[ \t]+"(\w+)"$', prompt, re.MULTILINE)
    absent = [name for name in wanted if f'"{name}"' not in text and re.search(rf"\b{name}\.", text)]
    lines = "".join(f'import "{name}"\n' for name in absent)
    return re.sub(r"(?<=\n)(?=import\b)", lines, text, count=1) if lines else text


def plain_run(convention: Convention, text: str) -> tuple[bool, str]:
    """Whether the published convention calls a text a pass, and the end of what it said."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / convention.file).write_text(text, encoding="utf-8", errors="surrogatepass")
        (Path(folder) / "out").mkdir()
        for command in convention.commands[:-1]:
            done = _process(command, folder, compiling=True)
            if done.code != 0:
                return False, f"compiler: {_tail(done)}"
        done = _process(convention.commands[-1], folder, compiling=False)
        return convention.passed(done), _tail(done)


def _process(command: Sequence[str], folder: str, *, compiling: bool) -> Done:
    bounds = [] if compiling else ["prlimit", f"--cpu={CPU_SECONDS}"]
    environment = {**_WORLD, "GO111MODULE": "off", "GOCACHE": "/tmp/scalebox-plain-go"}
    try:
        done = subprocess.run(
            [*bounds, *command], cwd=folder, env=environment, input=b"", capture_output=True, check=False, timeout=300
        )
    except subprocess.TimeoutExpired:
        return Done(-1, "", "no end")
    return Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def _tail(done: Done) -> str:
    said = re.sub(r"\s+", " ", done.stderr or done.stdout)
    return f"exit {done.code} {said[-200:]}".strip()
