"""How long a `torch.library.Library` lives."""

from __future__ import annotations

from aoti_lint.rule.events import Event, OpLibrary


def is_held(library: OpLibrary, happens: Event) -> bool:
    """Whether a library is still there when something happens after it was made."""
    if not library.ends:
        return True
    running = happens.root == library.root and happens.chain[: len(library.chain)] == library.chain
    return library.ends == "function" and running and happens.order > library.order
