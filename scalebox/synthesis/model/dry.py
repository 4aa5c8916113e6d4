"""A model that is not there: keeps what it was asked and what that would cost at most. Asks nobody."""

from __future__ import annotations

from dataclasses import dataclass, field

from scalebox.synthesis.model.budget import Prices
from scalebox.synthesis.model.request import ModelError, ModelRequest, Reply

_BYTES_OF_A_TOKEN = 4


class Asked(ModelError):
    """Nothing was asked: this is a dry run."""


@dataclass(slots=True)
class DryModel:
    """Collects requests."""

    prices: Prices
    most_tokens: int
    requests: list[ModelRequest] = field(default_factory=list)

    async def ask(self, request: ModelRequest) -> Reply:
        """Keep a request.

        Raises:
            Asked: always.
        """
        self.requests.append(request)
        raise Asked("a dry run asks nothing")

    @property
    def tokens(self) -> tuple[int, int]:
        """About how many go in, and how many come out at most."""
        characters = sum(len(message.content) for request in self.requests for message in request.messages)
        return characters // _BYTES_OF_A_TOKEN, len(self.requests) * self.most_tokens

    @property
    def money(self) -> float:
        """What all of it would cost at most."""
        return self.prices.money(*self.tokens)
