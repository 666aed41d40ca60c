"""Models of what is outside the project: how functions, methods and operators behave on abstract values.

Adding an API is adding a function, with a decorator of `aoti_lint.machine.tables`, to the module of its subject.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import walk_packages


@cache
def load() -> None:
    """Import all of them, once."""
    for one in walk_packages(__path__, f"{__name__}."):
        import_module(one.name)
