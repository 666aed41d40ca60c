"""What may be done to what all units of an analysis share, by name, so that it can be written down and done again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
F = TypeVar("F", bound=Callable[..., Any])

Wanted = tuple[str, "str | int"]
"""What a change is about, as that is asked for: `("demand", path)`, say."""
NAMED: dict[str, Callable[..., Any]] = {}
"""The functions that may stand in what is written down, by their modules and names."""


class Change(Generic[P]):
    """Something that is done to what units share: a function of the machine and of what it is given.

    `waits` says what it is about; done again, it is done only when somebody wants that. `once` tells those apart that
    a unit need not do twice; with `joined`, those that are alike are done as one, given what it makes of what two are
    given.
    """

    def __init__(
        self,
        run: Callable[P, None],
        waits: Callable[..., Wanted | None] | None,
        once: Callable[..., Hashable] | None,
        ordered: bool,
        joined: Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[Any, ...]] | None,
    ) -> None:
        self._run, self.waits, self.once, self.ordered, self.joined = run, waits, once, ordered, joined
        self.__module__, self.__qualname__ = run.__module__, run.__qualname__

    def __call__(self, *given: P.args, **by_name: P.kwargs) -> None:
        """Do it."""
        self._run(*given, **by_name)


def change(
    *,
    waits: Callable[..., Wanted | None] | None = None,
    once: Callable[..., Hashable] | None = None,
    ordered: bool = True,
    joined: Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[Any, ...]] | None = None,
) -> Callable[[Callable[P, None]], Change[P]]:
    """A function of a module becomes a `Change`. If not `ordered`, those about one thing may be done in any order."""

    def decorate(run: Callable[P, None]) -> Change[P]:
        return named(Change(run, waits, once, ordered, joined))

    return decorate


def named(function: F) -> F:
    """A function of a module that may stand in what is written down."""
    NAMED[name_of(function)] = function
    return function


def name_of(function: Callable[..., Any]) -> str:
    """What a function is written as."""
    return f"{function.__module__}.{function.__qualname__}"
