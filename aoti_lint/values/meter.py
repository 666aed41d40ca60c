"""What following code costs: one count of all work and of all that is kept, whatever causes it.

Expressions that are evaluated, cells that are written, items, alternatives and nodes that are gone through are all
counted where they are, not feature by feature. Steps bound how long a script is, this bounds what a step may cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WORK = 500_000
"""What one root may cost, at about 200,000 a second; the dearest that was seen in torch and torchao takes 197,000."""
FILE_WORK = 8_000_000
"""What all functions of one file may cost that nobody calls; the dearest file that was seen takes 3,100,000."""
RULE_WORK = 3_000_000
"""What one rule may cost that compares the events of a project."""
TRIAL_WORK = WORK // 10
"""What one trial of a fake or a kernel may cost."""


class BudgetSpent(Exception):
    """The code that is followed took more than it may."""


class Cancelled(BaseException):
    """Nobody wants to know any more. No `Exception`: what cannot be followed is noted, this is not."""


class Meter:
    """The count of the code that is followed now; what is done outside of all code is not limited."""

    def __init__(self) -> None:
        self.spent = 0
        self.total = 0
        """What all allotments that have ended cost, those inside of others too."""
        self.limit: float = math.inf
        self.cancelled = False
        self._tell: Callable[[], object] = int

    def spend(self, amount: int = 1) -> None:
        self.spent += amount
        if self.spent > self.limit:
            if self.cancelled:
                raise Cancelled
            self._tell()
            raise BudgetSpent

    def cancel(self) -> None:
        """Whatever spends next, in any thread, raises `Cancelled`."""
        self.cancelled = True
        self.limit = -1

    def begin(self) -> None:
        """Forget that something was cancelled."""
        self.cancelled, self.limit = False, math.inf

    @contextmanager
    def allotted(self, limit: int, tell: Callable[[], object]) -> Iterator[None]:
        """Code in here may cost so much, apart from the code around it; `tell` is called when that is spent."""
        before = self.spent, self.limit, self._tell
        self.spent, self.limit, self._tell = 0, limit, tell
        try:
            if self.cancelled:
                raise Cancelled
            yield
        finally:
            self.total += self.spent
            self.spent, self.limit, self._tell = before

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """What is done in here costs nothing."""
        spent, limit = self.spent, self.limit
        self.limit = math.inf
        try:
            yield
        finally:
            self.spent, self.limit = spent, -1 if self.cancelled else limit


METER = Meter()
"""What all that runs now spends its work on: long loops of a rule `spend` too, so that none takes for ever."""
