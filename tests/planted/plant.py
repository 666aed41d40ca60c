"""What a planted mistake is, and which kinds there are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.mutation.source import Edits
from tests.planted.source import Function, Source


@dataclass(frozen=True)
class Plant:
    """A mistake: the edits that make it, and the statements in which it may be told; the first holds the edits."""

    edits: Edits
    ends: tuple[ast.stmt, ...]


Planter = Callable[[Source], Iterator[Plant]]
KINDS: dict[str, Planter] = {}


def kind(name: str) -> Callable[[Planter], Planter]:
    """Register a kind of mistake under its name."""

    def add(planter: Planter) -> Planter:
        assert name not in KINDS
        KINDS[name] = planter
        return planter

    return add


def over(source: Source, node: ast.expr | ast.stmt, new: str, *ends: ast.stmt) -> Plant:
    """Another text in the place of a node."""
    return Plant(source.text.over(node, new.encode()), (source.statement(node), *ends))


def renamed(source: Source, call: ast.Call, given: ast.keyword, new: str) -> Plant:
    """Another name for a keyword."""
    start = source.text.start(given)
    assert given.arg is not None
    return Plant(((start, start + len(given.arg), new.encode()),), (source.statement(call),))


def misspelt(source: Source, function: str, wrong: dict[str, str]) -> Iterator[Plant]:
    """The keywords of a function under the names that they have in `wrong`."""
    for call in source.calls(function):
        for given in call.keywords:
            if given.arg in wrong:
                yield renamed(source, call, given, wrong[given.arg])


def before(source: Source, statement: ast.stmt, *lines: str) -> Iterator[Plant]:
    """Lines before a statement of a function, where it begins a line of its own."""
    function = source.scope(statement)
    assert isinstance(function, Function)
    edits = source.text.before(statement, *lines)
    if edits is not None:
        yield Plant(edits, (function,))
