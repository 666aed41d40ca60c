"""What belongs to one piece of code that is run for itself: a root, a module that is imported, a trial of a function.

It begins with none of what there is around it, and leaves none of it to what is run next, however it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine


def _none() -> None:
    return None


OWN: dict[str, Callable[[], Any]] = {
    "path": dict, "frames": list, "chain": list, "guards": list, "pending": list, "handed": list, "compiling": list,
    "steps": int, "aside": int, "most": _none, "muted": int, "fallbacks": int, "watch": _none,
    "traced": _none, "open_calls": _none, "launched": dict, "modes": list, "mixes": list, "saved": list,
    "cast_inside": bool, "placed_inside": bool,
}  # fmt: skip
"""The parts of the machine that belong to it, with what they begin as."""


@contextmanager
def apart(m: Machine, root: str, steps: int) -> Iterator[None]:
    """Run code of the root of this name for itself, with so many steps."""
    before = {name: getattr(m, name) for name in OWN}
    around = m.root, m.all_steps
    for name, make in OWN.items():
        setattr(m, name, make())
    m.root, m.all_steps = root, steps
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(m, name, value)
        m.root, m.all_steps = around
