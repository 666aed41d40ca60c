"""Statements whose text shows that what they make is thrown away: the old model, or program, is used below."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from aoti_lint.rule import Facts, Span, nodes
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.written import bare_call, thrown_away, unfollowed

from ..ops._schemas import tested
from ._calls import DECOMPOSE

COMPILE = "torch.compile"
_BARE = re.compile(rb"(?m)^[ \t]*(?P<at>(?:\w+\.)*(?:compile|run_decompositions))\(")
_HANDED = (
    b"".join(b"(?<!%s)" % name for name in (
        b"compile", b"export", b"trace", b"script", b"isinstance", b"print", b"hasattr", b"getattr", b"setattr",
        b"type", b"id", b"len", b"save", b"copy", b"info", b"debug", b"del", b"explain", b"summary", b"sizeof",
    )) + rb"\(\s*%s\s*[,)]"
)  # fmt: skip
"""The name, given as the first argument to a call that may well run it: not to what exports, shows or copies it."""
_USED = {
    COMPILE: rb"(?<![\w.])%s\s*\(|" + _HANDED,
    DECOMPOSE: rb"(?<![\w.])%s\s*\.\s*graph(?:_module)?\b|" + _HANDED,
}
_BOUND = rb"(?<![\w.])%s[ \t]*(?::[^=\r\n]+)?=(?!=)"


def written_losses(facts: Facts) -> Iterator[tuple[ApiCall, Span]]:
    """Statements that are a call of `torch.compile` or `run_decompositions`, and where the old one is used below."""
    for place in unfollowed(facts, ("compile(", "run_decompositions("), _BARE, _may_be, any_code=True):
        call = bare_call(place)
        name = "" if call is None else _name(call, place.dotted, place.held)
        # A test may ask no more than that taking apart raises nothing.
        if call is None or not name or (name == DECOMPOSE and tested(place.path)):
            continue
        used = _used(facts, place.path, place.scope.node, call, name)
        if used is not None:
            yield thrown_away(facts, place, call, name), used


def _may_be(match: re.Match[bytes]) -> bool:
    return match["at"].startswith(b"torch.") or match["at"].endswith(b".run_decompositions")


def _name(call: nodes.Call, dotted: Callable[[nodes.Expr], str], held: Callable[[nodes.Expr], str]) -> str:
    """What is called: one of two functions that leave what they are given as it is; empty for others."""
    if isinstance(call.func, nodes.Attr) and call.func.name == "run_decompositions":
        return DECOMPOSE if held(call.func.base) == "program" else ""
    plain = not any(one.stars or one.name == "disable" for one in call.args)
    return COMPILE if plain and dotted(call.func) == COMPILE else ""


def _used(facts: Facts, path: str, around: nodes.Node, call: nodes.Call, name: str) -> Span | None:
    """Where the model or program is used below in the same function, unless it is bound anew before."""
    source = facts.project.source(path)
    first = next((one.value for one in call.args if one.name in (None, "model")), None)
    model = call.func.base if name == DECOMPOSE and isinstance(call.func, nodes.Attr) else first
    if source is None or not isinstance(model, nodes.Name | nodes.Attr):
        return None
    data = source.code.encode("utf-8", "surrogatepass")
    of_object = isinstance(model, nodes.Attr)
    end = len(data) if of_object or isinstance(around, nodes.Module) else around.end
    text = re.escape(data[model.start : model.end])
    below = data[:end]
    start = 0 if of_object else call.end
    used = re.compile(_USED[name].replace(b"%s", text)).search(below, start)
    bound = re.compile(_BOUND % text).search(below, call.end)
    if used is None or (bound is not None and (of_object or bound.start() < used.start())):
        return None
    return Span(path, used.start(), used.end())
