"""Several processes write one registry at once and one of them is killed: nothing that was said to be done is lost, nothing is half done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from threading import Thread

import pytest
from registry.samples import PROBLEM, new

from scalebox.registry.database import Database, RegistryError
from scalebox.registry.states import State
from scalebox.registry.store import Registry

ROUNDS = 4
KILLED_AFTER = 5
"""Lines of the writer that never ends."""


def written(url: str, shared: str) -> list[list[str]]:
    """What three writers said; one was killed while it wrote."""
    tests = Path(__file__).parents[1]
    paths = [str(tests.parent), str(tests), *filter(None, [os.environ.get("PYTHONPATH")])]
    said: list[list[str]] = []
    with subprocess.Popen(
        [sys.executable, "-m", "registry.writer_main", url, str(ROUNDS), shared],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
    ) as process:
        assert process.stdout is not None
        victim, left = 0, KILLED_AFTER
        for line in process.stdout:
            said.append(line.split())
            word, name, what = said[-1]
            if name == "killed":
                victim, left = (int(what), left) if word == "pid" else (victim, left - 1)
                if left == 0:
                    os.kill(victim, signal.SIGKILL)
    assert process.returncode == 1  # the killed one alone
    return [words for words in said if words[0] != "pid"]


def test_nothing_is_lost(url: str) -> None:
    registry = Registry(url)
    shared = registry.add(new(problem="sha256:" + "5" * 64, name="counter"))[0].id
    said = written(url, shared)
    done = Counter(word for word, _, _ in said)
    assert done["counted"] >= 2 * ROUNDS + KILLED_AFTER // 3

    stories = [registry.story(one.id) for one in registry.list() if one.problem_id == PROBLEM]
    judges = {story.judge.id: story.judge for story in stories}
    assert {judge_id for _, _, judge_id in said} <= set(judges)
    assert [story.judge.version for story in stories] == list(range(1, len(stories) + 1))  # each number once
    assert len(stories) - done["added"] in {0, 1}  # the killed one may have committed and not said so
    assert sum(judge.state is State.ACTIVE for judge in judges.values()) == 1
    for word, _, judge_id in said:
        assert word != "activated" or judges[judge_id].state in {State.ACTIVE, State.RETIRED}
        assert word != "counted" or judges[judge_id].use.judgements == 1
    counted = registry.get(shared).use.judgements
    assert counted - done["counted"] in {0, 1}
    assert counted == sum(judge.use.judgements for judge in judges.values())  # both counters, or none
    for story in stories:  # state and history never part
        assert story.changes[-1].end is story.judge.state
    registry.close()


def test_many_open_a_new_registry_at_once(url: str) -> None:
    failed: list[BaseException] = []

    def open_one() -> None:
        try:
            Database(url).close()
        except RegistryError as error:
            failed.append(error)

    threads = [Thread(target=open_one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("mysql://me:secret@host/name", "mysql is no kind of registry"),
        ("sqlite://", "is a file"),
        ("://me:secret@host", "no URL of a registry"),
        ("/proc/none/judges.db", "No such file or directory"),
        ("postgresql://me:secret@127.0.0.1:1/name", "refused"),
    ],
)
def test_what_cannot_be_opened_is_named_without_its_password(given: str, words: str) -> None:
    with pytest.raises(RegistryError) as caught:
        Database(given)
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


def test_what_is_no_registry_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.db"
    path.write_text("no database, but long enough to be taken for one; " * 100)
    with pytest.raises(RegistryError, match="not a database"):
        Database(str(path))


def test_tables_of_another_version_are_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "judges.db")
    database = Database(path)
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE judge_facts SET value = 99 WHERE name = 'schema'")
    database.close()
    with pytest.raises(RegistryError, match="of version 99"):
        Database(path)


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    Registry(str(tmp_path / "new" / "judges.db")).close()
    assert (tmp_path / "new" / "judges.db").stat().st_mode & 0o077 == 0
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0
