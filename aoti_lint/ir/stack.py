"""Room for deep recursion."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

MAX_DEPTH = 500
"""Expressions in each other that are read. Nobody writes as many, and what follows them does so by recursion."""

_STACK_BYTES = 256 * 1024 * 1024
_RECURSION_LIMIT = 50_000


class TooDeep(Exception):
    """Expressions are nested more than `MAX_DEPTH` deep."""


def with_deep_stack(work: Callable[[], T]) -> T:
    """Run `work` where nesting that overflows the usual stack does not, and give what it gives.

    Raises what `work` raises. The parser is native code, which would end the process instead.
    """
    import threading  # what looks through a file imports this module, and most files nest little

    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    try:
        sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
