"""Notes weights and buffers of a model that were changed after its package was compiled, which has the old ones."""

from __future__ import annotations

import sys
import weakref
from typing import Any

from .. import places
from ..events import Events
from ..wrapping import Around

NAMED = 5
"""Tensors that are named."""


class Changed:
    """The tensors of the programs that were compiled in this process, as they were then."""

    def __init__(self, events: Events) -> None:
        self._events = events
        self._known: dict[str, dict[str, tuple[Any, int, int]]] = {}
        self._said: set[str] = set()
        self.loaded: dict[str, Any] | None = None

    def compiled(self, package: str | None, program: Any) -> None:
        """`program` is compiled to `package`."""
        try:
            state = getattr(program, "state_dict", None)
            if package is None or not isinstance(state, dict):
                return
            tensor = sys.modules["torch"].Tensor
            self._known[package] = {
                name: (weakref.ref(value), value._version, value.data_ptr())
                for name, value in state.items()
                if isinstance(value, tensor)
            }
            self._said.discard(package)
            self.loaded = None
        except Exception as error:
            self._events.note("cannot remember the weights of a program", error)

    def called(self, package: str | None) -> None:
        """`package` is called: note once which tensors of its program are not as they were."""
        if package is None or package in self._said:
            return
        try:
            known = self._known.get(package, {})
            alive = {name: (one(), version, at) for name, (one, version, at) in known.items()}
            names = [
                name for name, (value, version, at) in alive.items()
                if value is not None and (value._version != version or value.data_ptr() != at)
            ]  # fmt: skip
        except Exception as error:
            self._events.note("cannot look at the weights of a program", error)
            return
        if names:
            self._said.add(package)
            self._events.write(
                "changed", package=package, names=names[:NAMED], differing=len(names), of_all=len(known),
                place=self.loaded,
            )  # fmt: skip


class Loading(Around):
    """`Module.load_state_dict`: where it is called last."""

    def __init__(self, events: Events, changed: Changed) -> None:
        super().__init__(events)
        self._changed = changed

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        self._changed.loaded = places.here()
        return args, kwargs
