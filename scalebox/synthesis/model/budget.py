"""What may be spent on models, and what has been. Holds: what is spent and what is still out never exceed the cap. No clock, no I/O."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from scalebox.synthesis.model.request import BudgetSpent

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Money for a million tokens."""

    input_per_million: float = 0.0
    output_per_million: float = 0.0

    def money(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost."""
        return (input_tokens * self.input_per_million + output_tokens * self.output_per_million) / _MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """The most that may be spent; infinite where nothing is said."""

    money: float = math.inf
    tokens: float = math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """The most that one request can take."""

    tokens: int
    money: float


class Budget:
    """Counts what is spent against a cap.

    Args:
        prices: of the model.
        caps: for everything together.
        spent_tokens: before.
        spent_money: before.
    """

    def __init__(self, prices: Prices, caps: Caps, spent_tokens: int = 0, spent_money: float = 0.0) -> None:
        self.prices = prices
        self._caps = caps
        self._reserved_money = 0.0
        self._reserved_tokens = 0
        self.money = spent_money
        self.tokens = spent_tokens
        self.told: Callable[[], None] = lambda: None
        """Called after every change of what is spent or out."""

    @property
    def most_tokens(self) -> int:
        """What is spent and what is out: the most that will have been spent if nobody ever says more."""
        return self.tokens + self._reserved_tokens

    @property
    def most_money(self) -> float:
        """Likewise."""
        return self.money + self._reserved_money

    def reserve(self, most_input_tokens: int, most_output_tokens: int) -> Reservation:
        """Set aside what a request can take at most.

        Raises:
            BudgetSpent: there is not so much left.
        """
        tokens = most_input_tokens + most_output_tokens
        money = self.prices.money(most_input_tokens, most_output_tokens)
        if self.tokens + self._reserved_tokens + tokens > self._caps.tokens:
            raise BudgetSpent(
                f"{self.tokens} tokens are spent, {self._reserved_tokens} are out, and one request more may take {tokens}: over the cap of {self._caps.tokens:g}"
            )
        if self.money + self._reserved_money + money > self._caps.money:
            raise BudgetSpent(
                f"{self.money:.4f} is spent, {self._reserved_money:.4f} is out, and one request more may take {money:.4f}: over the cap of {self._caps.money:g}"
            )
        self._reserved_tokens += tokens
        self._reserved_money += money
        self.told()
        return Reservation(tokens=tokens, money=money)

    def settle(self, reservation: Reservation, tokens: int, money: float) -> None:
        """Give a reservation back for what was really spent."""
        self._reserved_tokens -= reservation.tokens
        self._reserved_money = max(0.0, self._reserved_money - reservation.money)
        self.tokens += tokens
        self.money += money
        self.told()

    def lose(self, reservation: Reservation) -> None:
        """Count all of a reservation as spent: nobody said what the request took."""
        self.settle(reservation, reservation.tokens, reservation.money)
