"""The example inputs of a program beside the parameters of its forward, and their entries of `dynamic_shapes`.

torch binds the inputs to the parameters, so what `*args` and `**kwargs` take is a tuple and a dict, and so is its entry
(release 2.13.0, `torch/export/dynamic_shapes.py:720`, `_combine_args`).
"""

from __future__ import annotations

from typing import TypeAlias

from aoti_lint.values.torch_values import Program
from aoti_lint.values.values import NONE, Const, Pairs, Tup, Unknown, Value

Bound: TypeAlias = "list[tuple[str, Value]]"

MARKED = Unknown("no spec")
"""The spec of an input whose `dynamic_shapes` entry cannot be told."""


def bound(program: Program) -> Bound | None:
    """The inputs by the parameters that take them, in the order of the signature.

    None where the signature or an input is not known, or where they do not go together.
    """
    found = bind(program)
    return None if found is None or found[1] else found[0]


def bind(program: Program) -> tuple[Bound, list[int | str]] | None:
    """The inputs by parameters, and the keywords that none takes, in their order; with 0 for too many by position.

    None where the signature or an input is not known.
    """
    params, args = program.parameters, program.args
    named = program.kwargs.pairs if isinstance(program.kwargs, Pairs) else ()
    if params is None or not isinstance(args, Tup) or not (program.kwargs == NONE or isinstance(program.kwargs, Pairs)):
        return None
    keywords = {str(key.value): value for key, value in named if isinstance(key, Const)}
    if len(keywords) != len(named):
        return None
    positional = list(args.items)
    found: Bound = []
    for name, kind in params:
        if kind == "var":
            if positional:
                found.append((name, Tup(tuple(positional))))
            positional = []
        elif kind == "kwvar":
            if keywords:
                found.append((name, Pairs(tuple((Const(k), v) for k, v in keywords.items()))))
            keywords = {}
        elif kind != "kw" and positional:
            found.append((name, positional.pop(0)))
        elif kind != "pos" and name in keywords:
            found.append((name, keywords.pop(name)))
    return found, [*keywords, *([0] if positional else [])]


def named(program: Program, at: int | str) -> str:
    """How messages name the input at a place, or that of a keyword."""
    taker, part = _taker(program, at)
    return taker if part is None else f"{taker}[{part!r}]"


def entry_at(program: Program, at: int | str) -> Value:
    """The part of `dynamic_shapes` for the input at a place, or for that of a keyword."""
    taker, part = _taker(program, at)
    found = bound(program)
    order = [name for name, _ in found] if found is not None else list(program.signature or ())
    position = order.index(taker) if taker in order else at if isinstance(at, int) else None
    entry = _entry_of(program.spec, taker, position)
    return entry if part is None else entry_in(entry, part)


def entry_in(entry: Value, part: int | str | Value) -> Value:
    """What `dynamic_shapes` says of an item of a container that it has this entry for."""
    match entry, part:
        case Const(None), _:
            return NONE
        case Tup(items), int() if part < len(items):
            return items[part]
        case Pairs(pairs), Value() | str():
            return next((v for k, v in pairs if k == (Const(part) if isinstance(part, str) else part)), MARKED)
    return MARKED


def _taker(program: Program, at: int | str) -> tuple[str, int | str | None]:
    """The name of the parameter that takes an input, and which part of it that is where it takes several."""
    params = program.parameters or [(name, "any") for name in program.signature or ()]
    lone = [name for name, kind in params if kind not in ("var", "kwvar", "kw" if isinstance(at, int) else "pos")]
    several = next((name for name, kind in params if kind == ("var" if isinstance(at, int) else "kwvar")), None)
    if isinstance(at, int):
        if at < len(lone):
            return lone[at], None
        return (f"input {at}", None) if several is None else (several, at - len(lone))
    return (at, None) if several is None or at in lone else (several, at)


def _entry_of(spec: Value, name: str, position: int | None) -> Value:
    """The part of `dynamic_shapes` for one argument."""
    match spec:
        case Const(None):
            return NONE
        case Pairs(pairs):
            found = next((v for k, v in pairs if k == Const(name)), None)
            # The keys are parameter names, which we may not know: then the order decides.
            if found is None and name.startswith("input ") and position is not None and position < len(pairs):
                return pairs[position][1]
            return found if found is not None else MARKED
        case Tup(items):
            return items[position] if position is not None and position < len(items) else MARKED
        case _:
            return MARKED
