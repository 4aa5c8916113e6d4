"""A definition is parsed strictly: what is unknown, missing or of the wrong type is refused by file and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from languages.language_runs import CATALOGUE

from scalebox.core.verdict import Verdict
from scalebox.languages.catalogue import PACKAGED, load_languages
from scalebox.languages.definition import Kind
from scalebox.languages.naming import Names
from scalebox.languages.reading import read_language
from scalebox.languages.table import DefinitionError

GOOD = """
name = "Toy"
aliases = ["toylang"]
source_name = "main.toy"
kind = "exec"
run = ["./main"]
self_test = "selftest"

[compile]
command = ["toyc", "-o", "{artifact}", "{optional}", "{source}"]
optional = ["-fast"]
artifact = "main"
memory_mb = 64
processes = 4
disk_mb = 16

[install]
hint = "install toy"

[probe]
command = ["toyc", "--version"]
pattern = 'toy (?P<version>[0-9.]+)'
"""

SELF_TEST = """
[[program]]
name = "right"
file = "right.toy"
input = ""
answer = "5"
verdict = "AC"
cpu_seconds = 1
"""


def write(root: Path, text: str, *, folder: str = "toy", self_test: str = SELF_TEST) -> Path:
    home = root / folder
    (home / "selftest").mkdir(parents=True)
    (home / "selftest" / "right.toy").write_text("say 5")
    (home / "selftest" / "selftest.toml").write_text(self_test)
    path = home / "language.toml"
    path.write_text(text)
    return path


def test_a_definition_is_read_whole(tmp_path: Path) -> None:
    language = read_language(write(tmp_path, GOOD))
    assert (language.id, language.kind, language.tools) == ("toy", Kind.EXEC, ("toyc",))
    assert language.compile is not None
    assert language.compile.argv(Names(file="a.toy", main="")) == ("toyc", "-o", "main", "-fast", "a.toy")
    assert language.compile.argv(Names(file="a.toy", main=""), optional=False) == ("toyc", "-o", "main", "a.toy")
    assert language.probe.version("this is toy 1.25 (c)") == "1.25"
    assert language.probe.version("command not found") is None
    assert [(test.name, test.source, test.verdict) for test in language.self_tests] == [("right", "say 5", Verdict.AC)]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('name = "Toy"', 'name = "Toy"\ncolour = "red"', "colour: is unknown"),
        ('name = "Toy"', "name = 3", "name: must be a string"),
        ('name = "Toy"', "", "name: is missing"),
        ('kind = "exec"', 'kind = "jit"', "kind: must be one of zygote, exec"),
        ('aliases = ["toylang"]', 'aliases = "toylang"', "aliases: must be a list of strings"),
        ('aliases = ["toylang"]', 'aliases = ["ToyLang"]', "aliases: 'ToyLang' is no lower-case name"),
        ('aliases = ["toylang"]', 'aliases = ["toy"]', "aliases: repeats a name"),
        ('source_name = "main.toy"', 'source_name = "../main.toy"', "source_name: must be a file name"),
        ("memory_mb = 64", "memory_mb = 0", r"compile\.memory_mb: must be a whole number"),
        ("memory_mb = 64", "memory_mb = true", r"compile\.memory_mb: must be a whole number"),
        ("memory_mb = 64", "memory_mb = 64\nfast = 1", r"compile\.fast: is unknown"),
        ('"{source}"', '"main.toy"', r"compile\.command: does not use \{source\}"),
        ('"{source}"', '"{source}", "{answer}"', r"compile\.command: uses the unknown placeholder \{answer\}"),
        ("(?P<version>[0-9.]+)", "[0-9.]+", r"probe\.pattern: has no group named version"),
        ("(?P<version>[0-9.]+)", "(", r"probe\.pattern: is no regular expression"),
        ("[probe]", '[append]\ntemplate = "absent.toy"\n[probe]', r"append\.template: cannot be read"),
        ("[probe]", "[unit]\nlanguages = ['toy']\ntests = 'x'\ncpu_seconds = 1\n[probe]", r"unit\.program: is missing"),
        ("[probe]", "[unit]\nlanguages = []\n[probe]", r"unit\.languages: must be a list of strings"),
        ('self_test = "selftest"', 'self_test = "absent"', "absent"),
        ("[probe]", '[harness_values]\nstd = "2"\n[probe]', r"harness_values\.std: is no value of the language itself"),
        ("[probe]", "[probe", "language.toml"),
    ],
)
def test_a_malformed_definition_is_refused_by_key(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in GOOD
    with pytest.raises(DefinitionError, match=complaint):
        read_language(write(tmp_path, GOOD.replace(old, new)))


def test_what_a_harness_made_may_be_compiled_in_another_way(tmp_path: Path) -> None:
    values = '[values]\nspeed = "-slow"\n[harness_values]\nspeed = "-main"\n[variants.toy2]\nname = "Toy 2"\naliases = ["ty2"]\nvalues = { speed = "-2" }\n[probe]'
    language = read_language(write(tmp_path, GOOD.replace("-fast", "{speed}").replace("[probe]", values)))
    optional = [one.compile and one.compile.optional for one in (language, language.rendered)]
    assert optional == [("-slow",), ("-main",)]
    variant = language.variants[0]
    assert [one.compile and one.compile.optional for one in (variant, variant.rendered)] == [("-2",), ("-main",)]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"AC"', '"OK"', r"program\[0\]\.verdict: must be one of"),
        ('"AC"', '"WA"', "self_test: has no program whose verdict is AC"),
        ("cpu_seconds = 1", "cpu_seconds = 1\nwall = 2", r"program\[0\]\.wall: is unknown"),
        ("cpu_seconds = 1", "cpu_seconds = -1", r"program\[0\]\.cpu_seconds: must be a number above 0"),
    ],
)
def test_malformed_self_tests_are_refused(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    with pytest.raises(DefinitionError, match=complaint):
        read_language(write(tmp_path, GOOD, self_test=SELF_TEST.replace(old, new)))


def test_a_unit_test_framework_is_one_language_more(tmp_path: Path) -> None:
    unit = "[unit]\nlanguages = ['c']\nprogram = 'p.c'\ntests = '_test$'\nlibrary = '{tools}'\ncpu_seconds = 1\nself_test = ['selftest/right.toy']\n"
    write(tmp_path, GOOD + "\n" + unit)
    [framework] = load_languages(tmp_path, tools="/t")
    assert framework.unit is not None
    assert (framework.unit.program, framework.unit.library, framework.unit.self_test) == (
        "p.c",
        "/t/toy",
        {"right.toy": "say 5"},
    )
    assert list(load_languages(tmp_path, tools="/t").tongues()) == []


def test_two_languages_never_share_a_name(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    write(tmp_path, GOOD, folder="toy2")
    with pytest.raises(DefinitionError, match="'toylang' is taken by both toy and toy2"):
        load_languages(tmp_path)


def test_a_folder_without_definitions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="holds no"):
        load_languages(tmp_path)


@pytest.mark.parametrize(
    ("name", "language_id"),
    [
        ("python", "python"),
        ("Python3", "python"),
        (" py ", "python"),
        ("C++", "cpp"),
        ("cxx", "cpp"),
        ("cc", "cpp"),
        ("c", "c"),
        ("sh", "bash"),
        ("shell", "bash"),
        ("cobol", None),
        ("", None),
    ],
)
def test_a_language_is_found_by_its_names_in_any_case(name: str, language_id: str | None) -> None:
    language = CATALOGUE.get(name)
    assert (language and language.id) == language_id


def test_the_packaged_languages_are_whole() -> None:
    assert {"bash", "c", "cpp", "python"} <= set(CATALOGUE.ids())
    own = [language.id for language in CATALOGUE if language.family == language.id]
    assert own == sorted(path.parent.name for path in PACKAGED.glob("*/language.toml"))
    assert {CATALOGUE.aliases()[language.id] for language in CATALOGUE} == set(CATALOGUE.ids())
    for language in CATALOGUE:
        due = {test.verdict for test in language.self_tests}
        assert due >= {Verdict.AC, Verdict.WA, Verdict.TLE, Verdict.RTE}
