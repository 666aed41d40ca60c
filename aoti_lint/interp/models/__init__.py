"""Models of what is outside the project: how functions, methods and operators behave on abstract values.

Adding an API is adding a function with one of the decorators of `aoti_lint.interp.tables` to the module of its subject.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules


@cache
def load() -> None:
    """Import all of them, once."""
    for one in iter_modules(__path__):
        import_module(f"{__name__}.{one.name}")
