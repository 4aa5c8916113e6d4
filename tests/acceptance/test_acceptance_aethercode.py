"""Four hundred judges written by a model: whatever one does on an output that equals the answer, the failure is never ours."""

from __future__ import annotations

from typing import Final

import pytest

from acceptance import aethercode, shared
from acceptance.judging import Item, ask, settle
from scalebox.core.ports import Judge

pytestmark = [pytest.mark.data, pytest.mark.asyncio(loop_scope="session")]

ONE_IN: Final = 20
"""The part of the judges that a bounded run compiles."""
ITS_OWN: Final = frozenset({"AC", "WA", "JE"})
"""What a judge can be the reason of."""


async def test_judges_written_by_a_model_never_make_an_internal_error(judge: Judge) -> None:
    if not any(status.id == "cpp" and status.available for status in await judge.languages()):
        pytest.skip("needs a C++ compiler")
    rows = aethercode.rows()
    items = [
        Item(id=str(row["id"]), submission=aethercode.ECHO, problem=aethercode.problem(row), due=ITS_OWN)
        for row in rows
        if shared.chosen(str(row["id"]), ONE_IN)
    ]
    await settle("aethercode", items, lambda item: ask(judge, item), left_out=len(rows) - len(items))
