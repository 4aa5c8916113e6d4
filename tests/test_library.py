"""The public library: every name loads, synchronous code works in any thread and inside a running loop."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

import scalebox
from scalebox import Problem, RequestError, ScaleBox, StdioCase, Submission, Verdict
from scalebox.library import NotOpen

INCREMENT = Problem(tests=[StdioCase(name="one", input=b"1\n", answer=b"2\n")])
RIGHT = Submission(source="print(int(input()) + 1)", language="python")
WRONG = Submission(source="print(int(input()))", language="python")


@pytest.mark.parametrize("name", scalebox.__all__)
def test_every_public_name_loads(name: str) -> None:
    assert getattr(scalebox, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        scalebox.__getattr__("Nothing")


@pytest.mark.sandbox
def test_judges_synchronously() -> None:
    with ScaleBox(slots=1) as box:
        assert box.judge(RIGHT, INCREMENT).verdict is Verdict.AC
        assert box.judge(WRONG, INCREMENT).verdict is Verdict.WA
        assert box.health().slots == 1


@pytest.mark.sandbox
async def test_judges_inside_a_running_loop() -> None:
    await asyncio.sleep(0)
    with ScaleBox(slots=1) as box:
        assert box.judge(RIGHT, INCREMENT).verdict is Verdict.AC


@pytest.mark.sandbox
def test_judges_from_many_threads_in_order() -> None:
    pairs = [(RIGHT if index % 3 else WRONG, INCREMENT) for index in range(12)]
    with ScaleBox(slots=2) as box:
        with ThreadPoolExecutor(32) as threads:
            found = list(threads.map(lambda pair: box.judge(*pair).verdict, pairs))
        streamed = [judgement.verdict for judgement in box.judge_many(pairs)]
    due = [Verdict.AC if index % 3 else Verdict.WA for index in range(12)]
    assert found == streamed == due


@pytest.mark.sandbox
def test_a_bad_request_is_an_error_in_the_calling_thread() -> None:
    with ScaleBox(slots=1) as box, pytest.raises(RequestError, match="at least one test"):
        box.judge(RIGHT, Problem(tests=[]))


def test_is_refused_outside_of_with() -> None:
    with pytest.raises(NotOpen, match="inside 'with'"):
        ScaleBox(slots=1).judge(RIGHT, INCREMENT)


@pytest.mark.sandbox
def test_is_refused_in_a_forked_child_and_lives_on_in_the_parent() -> None:
    with ScaleBox(slots=1) as box:
        pid = os.fork()
        if pid == 0:
            try:
                box.judge(RIGHT, INCREMENT)
            except NotOpen:
                os._exit(7)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
        assert box.judge(RIGHT, INCREMENT).verdict is Verdict.AC
