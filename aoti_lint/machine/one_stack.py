"""The frames of Python in one piece of memory.

Since release 3.11 Python keeps them in pieces of 16 KiB. A call that does not fit into a piece maps another one, and
the return unmaps it: a loop that happens to run at the end of a piece costs ten times as much, and which loops do
depends on how deep the stack is. Where code is followed, that was a tenth of all.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

WORDS = 300_000
"""How large the frame claims to be, in pointers. Its piece is the next power of two, 4 MiB; what the frame itself does
not use, nearly half, is for all that it calls. Memory that nobody writes to is never there."""


def on_one_stack(work: Callable[P, R]) -> Callable[P, R]:
    """`work`, run from a frame that is given a large piece."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return work(*args, **kwargs)

    run.__code__ = run.__code__.replace(co_stacksize=WORDS)
    return functools.wraps(work)(run)
