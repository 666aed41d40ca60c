"""How torch calls a Python function that stands for an op: what its schema and the parameters must have in common.

Run on torch 2.13, for `register_fake`, `CustomOpDef.register_fake` and kernels on "Meta" and "CPU": arguments before
the `*` of the schema are given by position, those after it by name. Arguments at the end that are equal to their
default in the schema are left out, so the function needs a default of its own for them. Names before the `*` do not
matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import dataclass, nodes
from aoti_lint.rule.ops import Schema


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A difference between a function and its schema.

    `argument` is what a call must pass (`given`) or leave out for it to raise; empty if every call does. `misplaced`:
    nothing raises, but values arrive under these names that are those of others.
    """

    message: str
    argument: str = ""
    given: bool = False
    misplaced: frozenset[str] = frozenset()


def mismatches(function: nodes.FunctionDef | nodes.Lambda, schema: Schema) -> Iterator[Mismatch]:
    """What makes torch's call of `function` raise, or give its parameters the wrong values."""
    params = function.params
    by_place = [param for param in params if param.kind in ("pos", "any")]
    by_name = {param.name: param for param in params if param.kind in ("any", "kw")}
    takes_more = any(param.kind == "var" for param in params)
    takes_names = any(param.kind == "kwvar" for param in params)
    placed = schema.positional
    if schema.open:
        return
    for index, argument in enumerate(placed):
        if index >= len(by_place) and not takes_more:
            said = f"no parameter for the argument `{argument.name}`, the {_ordinal(index + 1)} in the schema"
            yield Mismatch(said, "" if argument.default is None else argument.name, given=True)
            break
        if index < len(by_place) and argument.default is not None and by_place[index].default is None:
            known = f" (`{argument.name}` in the schema)" if by_place[index].name != argument.name else ""
            own = f"`{by_place[index].name}`{known}"
            said = f"no default for {own}, which torch leaves out when it is {argument.default}"
            yield Mismatch(said, argument.name)
            break
    for argument in schema.arguments:
        if not argument.keyword_only or takes_names:
            continue
        param = by_name.get(argument.name)
        if param is None or param in by_place[: len(placed)]:
            said = f"no parameter named `{argument.name}`, which torch gives by name"
            yield Mismatch(said, "" if argument.default is None else argument.name, given=True)
        elif param.default is None and argument.default is not None:
            said = f"no default for `{argument.name}`, which torch leaves out when it is {argument.default}"
            yield Mismatch(said, argument.name)
    named = {argument.name for argument in schema.arguments if argument.keyword_only}
    for param in [*by_place[len(placed) :], *(param for param in params if param.kind == "kw")]:
        if param.default is None and param.name not in named:
            place = " by name" if param.kind == "kw" and any(a.name == param.name for a in placed) else ""
            yield Mismatch(f"a parameter `{param.name}` that torch does not give it{place}")
    yield from _misplaced([param.name for param in by_place], [argument.name for argument in placed])


def _misplaced(params: list[str], arguments: list[str]) -> Iterator[Mismatch]:
    """Parameters with the names of the arguments in another order: each gets the value of another."""
    if len(params) == len(arguments) and params != arguments and set(params) == set(arguments):
        moved = [(mine, given) for mine, given in zip(params, arguments, strict=True) if mine != given]
        said = f"`{moved[0][0]}` where the schema has `{moved[0][1]}`: torch goes by position, not by name"
        yield Mismatch(said, misplaced=frozenset(mine for mine, _ in moved))


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
