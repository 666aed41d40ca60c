"""Python itself, in many small pieces: each is run by Python and by the interpreter.

`semantics.txt` holds the pieces. What the interpreter claims of `out` must be what Python has; it may know less, but
only of the pieces in `NOT_ALL_KNOWN`.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections import deque
from pathlib import Path

import pytest

from aoti_lint.values.values import Value
from tests.snippets import run

PIECES = {
    name: text
    for name, _, text in (
        part.partition("\n")
        for part in ("\n" + Path(__file__).with_name("semantics.txt").read_text(encoding="utf-8")).split("\n=== ")[1:]
    )
}
NEWER = {"strenum": (3, 11)}
"""Pieces that need a newer Python than the oldest we support."""


def judged(ours: object, theirs: object) -> str:
    """`same`, `lost` where the interpreter does not know all of it, or `wrong`."""
    if isinstance(ours, Value):
        return "lost"
    if isinstance(theirs, range):
        theirs = tuple(theirs)
    if isinstance(theirs, deque):
        theirs = list(theirs)
    pairs: list[tuple[object, object]] = []
    if isinstance(ours, tuple | list) and isinstance(theirs, tuple | list):
        if type(ours) is not type(theirs) or len(ours) != len(theirs):
            return "wrong"
        pairs = list(zip(ours, theirs, strict=True))
    elif isinstance(ours, dict) and any(isinstance(key, Value) for key in ours):
        return "lost"
    elif isinstance(ours, dict) and isinstance(theirs, dict) and list(ours) == list(theirs):
        pairs = list(zip(ours.values(), theirs.values(), strict=True))
    elif isinstance(ours, set) and isinstance(theirs, set | frozenset):
        return "same" if ours == theirs else "wrong"
    elif type(ours) is not type(theirs) or ours != theirs:
        return "wrong"
    verdicts = {judged(a, b) for a, b in pairs}
    return "wrong" if "wrong" in verdicts else "lost" if "lost" in verdicts else "same"


def by_python(text: str) -> object:
    scope: dict[str, object] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "piece", "exec", dont_inherit=True), scope)
    return scope["out"]


def verdict(text: str) -> str:
    ours = run(text).python("out")
    return judged(ours, by_python(text))


NOT_ALL_KNOWN = {
    "in consumes", "generator over generator", "iter callable sentinel", "gen send", "gen close finally", "gen throw",
    "own iterator class", "getitem protocol", "getattr class missing raises default",
    "hasattr getattr hook", "setattr hook", "mangled hasattr", "else runs", "nested try", "handler by type",
    "handler by base", "exception args", "str of exception", "exception attr", "name deleted after handler",
    "failing lookup", "failing int", "failing index", "failing attribute", "failing division", "failing name",
    "failing assert", "failing unpack", "failing remove", "failing partial change", "suppress", "suppress no raise",
    "suppress lookup", "own exit swallows", "exit gets type", "del name", "unbound local", "sort own",
    "hash key own", "str own", "format own", "int index own", "float own", "str subclass", "list subclass",
    "dict subclass", "dict subclass attr", "tuple subclass", "int subclass",
    "set_name", "data descriptor", "class getitem", "isinstance",
    "while many", "while long list", "while no nearer", "while pop until it raises", "queue of a thread",
    "queue worked off by a thread",
    "partialmethod", "total_ordering", "dict keys ops", "Counter", "ChainMap write", "deque", "deque left",
    "list slice assign", "list slice step assign", "list del", "list compare", "tuple eq list", "set ops",
    "set changes", "set of lists unique", "any stops", "sum floats", "round abs etc",
    "range attrs", "map method", "isinstance bool", "slice object", "bytes", "complex", "partial",
    "dc order", "dc frozen", "dc own eq", "dc repr", "dc frozen key", "enum value", "enum init", "enum str",
    "enum str format", "intenum", "flag", "flag auto", "enum alias", "enum members", "enum functional",
    "enum private", "enum nonmember", "enum missing", "namedtuple", "a long list in a branch",
    "a long list that is gone through twice", "long lists that change",

    "NamedTuple", "SimpleNamespace", "contextvars",
    "cycle", "repeat", "count", "groupby", "methodcaller", "operator funcs", "own copy", "percent",
    "format", "format attr", "fstring", "fstring nested", "template", "str of values", "str translate", "json",
    "ast literal", "re", "struct", "textwrap",
    "while true break", "callable", "type dynamic class", "function defaults attr", "docstring name",
    "annotations only", "ellipsis", "conditional import",
}  # fmt: skip


@pytest.mark.parametrize("name", PIECES)
def test_as_python_does(name: str) -> None:
    if sys.version_info < NEWER.get(name, (3, 10)):
        pytest.skip("this Python has no such thing")
    found = verdict(PIECES[name])
    assert found != "wrong"
    assert (found == "lost") == (name in NOT_ALL_KNOWN), "what is known of it has changed"
