"""Calls in progress, and the handlers around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.values.conditions import Cond
from aoti_lint.values.store import Cell
from aoti_lint.values.values import Class, Func, Namespace, Value


@dataclass(slots=True)
class Frame:
    """One call in progress. `ident` owns its variables; `scopes` are the enclosing functions' frames."""

    ident: int
    module: Namespace
    qualname: str
    scopes: tuple[int, ...] = ()
    func: Func | None = None
    owner: Class | None = None
    receiver: Value | None = None
    outer: dict[str, str] = field(default_factory=dict)
    """Names declared `global` or `nonlocal`."""
    private: str = ""
    """The class in whose source this code stands: names such as `__x` are its own here."""
    inner: bool = False
    """The scope of a comprehension: its own loop variables, in the middle of another frame."""
    on_yield: Callable[[Value], None] | None = None
    yields: list[Value] = field(default_factory=list)
    entry: Mapping[Cond, bool] = field(default_factory=dict)
    """What was assumed when a generator started."""
    layer: int = 0
    """The layer of the store a generator runs in."""
    at_yield: dict[Cell, Value] = field(default_factory=dict)
    """What a generator had changed when it yielded for the first time since."""
    at: nodes.Node | None = None
    """The statement that runs."""
    chosen: list[Cond] = field(default_factory=list)
    """The conditions of the alternatives of a value that is used now: the code is the same for all of them."""


@dataclass(slots=True)
class Guard:
    """A handler around the code that runs now. `expected`: a test helper that demands the exception."""

    types: frozenset[str]
    expected: bool = False


MAY_FAIL = Guard(frozenset({"BaseException"}), expected=True)
"""Around code of which nobody minds a failure, or that would fail without what is not followed."""


def mangled(frame: Frame, name: str) -> str:
    """A name as the code in this frame means it: inside a class, `__x` is `_Class__x`."""
    if name[:2] != "__" or name[-2:] == "__" or not frame.private.strip("_"):
        return name
    return f"_{frame.private.lstrip('_')}{name}"
