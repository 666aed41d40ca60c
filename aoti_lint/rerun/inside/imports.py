"""Calls functions right after modules were imported, before whoever imports them sees their names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    After = Callable[[ModuleType], None]


class Watch:
    """A finder that finds nothing itself: it has the loaders that others find call `after` when they are done."""

    def __init__(self, after: Mapping[str, After]) -> None:
        self._after = dict(after)
        self._busy: set[str] = set()

    def install(self) -> None:
        """Watch from now on. Modules that are there already are done at once."""
        for name, after in self._after.items():
            if name in sys.modules:
                after(sys.modules[name])
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """What the other finders find, for the modules that are watched."""
        if name not in self._after or name in self._busy:
            return None
        self._busy.add(name)
        try:
            for finder in list(sys.meta_path):
                spec = finder.find_spec(name, path, target) if finder is not self else None
                if spec is not None:
                    self._tell(spec, self._after[name])
                    return spec
        finally:
            self._busy.discard(name)
        return None

    def _tell(self, spec: Any, after: After) -> None:
        execute = getattr(spec.loader, "exec_module", None)
        if execute is None:
            return

        def exec_module(module: ModuleType) -> None:
            execute(module)
            after(module)

        try:
            spec.loader.exec_module = exec_module
        except AttributeError:
            # A loader written in C: such a module is none of torch's that are watched.
            return
