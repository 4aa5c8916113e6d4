"""Attacks on comparisons and special judges fail, and honest programs pass beside them, by the library and over HTTP."""

from __future__ import annotations

from typing import Final

import httpx2
import pytest

from acceptance.attack_items import attacks, special_judge_cases
from acceptance.judging import Item, Outcome, Verdicts, ask, ask_http, settle
from acceptance.v1_body import judge_body
from scalebox.core.ports import Judge

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

MARK: Final = "NONCE"
"""In every answer that no program can compute."""


async def settle_all(name: str, verdict_of: Verdicts) -> None:
    """Every item in one run, special judges and honest programs among them."""
    items, left_out = attacks()
    await settle(name, [*items, *special_judge_cases()], verdict_of, left_out=left_out)


async def test_attacks_by_the_library(judge: Judge) -> None:
    async def verdict_of(item: Item) -> Outcome:
        outcome = await ask(judge, item)
        assert MARK not in outcome.reason or not outcome.hardened, outcome
        return outcome

    await settle_all("attacks", verdict_of)


async def test_attacks_over_http(http: httpx2.AsyncClient) -> None:
    await settle_all("attacks over HTTP", lambda item: ask_http(http, item))


async def test_replies_do_not_carry_answers(http: httpx2.AsyncClient) -> None:
    """No reply of the default detail holds what a program that never saw an answer cannot know."""
    for item in attacks()[0]:
        body = judge_body(item.submission, item.problem)
        del body["detail"]
        reply = await http.post("/v1/judge", json=body)
        assert MARK not in reply.text, (item.id, reply.text)
