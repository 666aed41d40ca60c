"""Sets what has no environment variable: `torch._inductor.config.pattern_matcher` and the like."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from .events import Events

INDUCTOR = "torch._inductor.config"


def by_module(config: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Settings by the module that has them: it ends in `config` or `_config`, or is all but the last part."""
    found: dict[str, dict[str, Any]] = {}
    for name, value in config.items():
        parts = name.split(".")
        ends = [at for at, part in enumerate(parts[:-1], 1) if part in ("config", "_config")]
        end = ends[-1] if ends else len(parts) - 1
        found.setdefault(".".join(parts[:end]), {})[".".join(parts[end:])] = value
    return found


def setter(values: dict[str, Any], events: Events) -> Callable[[ModuleType], None]:
    """Sets `values` in a module; a name that it does not have is noted."""

    def set_all(module: ModuleType) -> None:
        for name, value in values.items():
            try:
                owner: Any = module
                *outer, last = name.split(".")
                for part in outer:
                    owner = getattr(owner, part)
                if not hasattr(owner, last):
                    events.note(f"{module.__name__} has no {name} in this version of torch: it was not set")
                    continue
                setattr(owner, last, value)
            except Exception as error:
                events.note(f"cannot set {module.__name__}.{name}", error)

    return set_all
