"""By which start a place is reached, as it is told to the user."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.diagnostics import Span
from aoti_lint.values.events.event import Event


def is_of_defaults(event: Event) -> bool:
    """Whether it is another event once more, with what the user may choose as it is by default (`machine.defaults`)."""
    return any(answer and cond.key[0] == "kept" and len(cond.key) == 2 for cond, answer in event.path.items())


def start_of(event: Event, place: Callable[[Span], str], name_of: Callable[[str], str]) -> str:
    """What has to be started for it to happen, and the last call that leads there.

    `place` and `name_of` are how the user knows places and files.
    """
    path, _, function = event.root.partition("::")
    first = event.chain[0] if event.chain else event.span
    name = function.strip("()")
    if not first.path.endswith((".py", ".ipynb")):
        start = f"{place(first)} starts it"
    else:
        start = f"{name}() of {name_of(path)} is called" if name else f"{name_of(path)} is run"
    called = event.chain[-1:] if event.chain[-1:] != (first,) or start.endswith("run") else ()
    return start + "".join(f": called at {place(one)}" for one in called)
