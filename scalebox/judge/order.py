"""The order in which cases find a failure at least cost. Pure.

Cases are tried until one fails. Were they independent, the least expected cost would come of trying them by falling
(probability of failure) / cost (W. E. Smith, 1956; for tests in a row R. Butterworth, 1972). They are not: a program that
fails one case mostly fails others too, and the second of two cases that fail for the same programs adds nothing. To cover a
sample of failing programs as early as possible is min-sum set cover, for which the greedy order (always the case that catches
most of those not caught yet, by its cost) is within 4 times of the best, and no fast method does better (Feige, Lovász and
Tetali 2004; with costs Munagala et al. 2005). So the sample is the last failing submissions of the problem, and one more
of which nothing is known but how often each case has failed so far: where the sample is spent, it alone decides, and that is
the rule of Smith again.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Collection, Sequence


def likeliest_first(rates: Sequence[float], seconds: Sequence[float], failures: Sequence[Collection[int]]) -> list[int]:
    """The numbers of all cases, in the order to start them.

    Args:
        rates: by case, how likely it fails for a submission of which nothing is known; above 0.
        seconds: by case, what it costs. Only powers of two are told apart, so that noise does not reorder equals,
            which stay in case order.
        failures: by submission of the sample, cases that failed.
    """
    costs = [2.0 ** math.frexp(cost)[1] for cost in seconds]
    uncaught = [set(cases) for cases in failures]
    catches: dict[int, int] = {}
    for cases in uncaught:
        for case in cases:
            catches[case] = catches.get(case, 0) + 1

    def worth(case: int) -> tuple[float, int]:
        return (catches.get(case, 0) + rates[case]) / costs[case], -case

    chosen: list[int] = []
    # Those that catch nobody in the sample (any more) keep their worth, and so their order.
    others = sorted((case for case in range(len(rates)) if case not in catches), key=worth)
    while catches:
        best = max(catches, key=worth)
        most = worth(best)
        while others and worth(others[-1]) > most:
            chosen.append(others.pop())
        chosen.append(best)
        del catches[best]
        for caught in [cases for cases in uncaught if best in cases]:
            uncaught.remove(caught)
            for case in caught - {best}:
                catches[case] -= 1
                if not catches[case]:
                    del catches[case]
                    bisect.insort(others, case, key=worth)
    return [*chosen, *reversed(others)]
