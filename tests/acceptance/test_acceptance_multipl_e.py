"""MultiPL-E's model-written programs get the verdict of a plain run by its published convention, in every language that is here."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from acceptance import multipl_e
from acceptance.judging import ask, settle
from scalebox.core.ports import Judge

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("key", sorted(multipl_e.CONVENTIONS))
async def test_programs_get_the_verdict_of_a_plain_run(judge: Judge, key: str) -> None:
    absent = multipl_e.missing(key)
    if absent:
        pytest.skip(f"{', '.join(absent)} not here")
    rows = multipl_e.rows(key)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as plain:
        made = [asyncio.wrap_future(plain.submit(multipl_e.item, key, name, row)) for name, row in rows]
        items = await asyncio.gather(*made)
    await settle(f"multipl_e {key}", items, lambda item: ask(judge, item))
