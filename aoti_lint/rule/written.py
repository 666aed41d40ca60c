"""What stands in code that nobody followed, as events: for what the text alone proves wrong.

A branch that no option takes here, a function that is handed to something unknown and what took too long to follow are
no less wrong for it. What is told of them is never certain: nobody knows whether they run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.effects.settings import INDUCTOR, key_of
from aoti_lint.machine.facts import Facts
from aoti_lint.values.events.api import ApiCall, ApiUse
from aoti_lint.values.events.event import READ, Event, Order, Turn
from aoti_lint.values.events.ops import OpCall, OpUse
from aoti_lint.values.events.process import ConfigWrite
from aoti_lint.values.meter import METER
from aoti_lint.values.values import Const, Pairs, Ref, Tup, Unknown, Value

if TYPE_CHECKING:
    from aoti_lint.coverage.written import Place, Written

__all__ = ["bare_call", "call_at", "op_at", "settings_at", "thrown_away", "unfollowed"]

_EVERYTHING = frozenset({"Exception", "BaseException"})
_COMPILE, _OPTIONS = "torch.compile", "options"
_OF_AN_OP = 4
"""Parts of `torch.ops.namespace.name`."""
E = TypeVar("E", bound=Event)
Wanted = Callable[[re.Match[bytes]], bool]


def unfollowed(
    facts: Facts, texts: tuple[str, ...], pattern: re.Pattern[bytes], wanted: Wanted, *, any_code: bool = False
) -> Iterator[Place]:
    """The places of code that nobody followed, or of `any_code`, where `pattern` finds what is `wanted`.

    That is where its group `at` begins, if it has one.

    Only files that hold one of the `texts` are looked at, and only what is `wanted` costs more than a search, which is
    remembered: it should be what is nearly surely wrong. `pattern` has no flags but those it says itself, and finds the
    same in what it found; `wanted` looks at no more than that.
    """
    written: Written | None = None
    for path, *found in facts.project.finding(pattern.pattern.decode(), *texts):
        METER.spend(len(found))
        matches = (pattern.match(one.encode("utf-8", "surrogatepass")) for one in found)
        source = facts.project.source(path) if any(one and wanted(one) for one in matches) else None
        if source is None:
            continue
        data = source.code.encode("utf-8", "surrogatepass")
        METER.spend(1 + len(data) // 50)
        group = pattern.groupindex.get("at", 0)
        for match in pattern.finditer(data):
            at, end = match.span(group)
            if wanted(match) and (any_code or not _is_followed(facts, path, at, end)):
                # Of its own: what it finds out of other files is asked for whoever asks first.
                written = written or _texts(facts)
                place = written.at(path, at)
                if place is not None:
                    yield place


def _texts(facts: Facts) -> Written:
    # Few projects have anything that is wanted.
    from aoti_lint.coverage.written import Written

    return Written(facts.project)


def call_at(facts: Facts, place: Place) -> ApiCall | None:
    """The call of a function of torch whose arguments a place is in; what is no literal is unknown."""
    found = place.call()
    if found is None or not found[1].startswith("torch."):
        return None
    node, name = found
    if _is_followed(facts, place.path, node.start, node.end):
        return None
    plain = [one for one in node.args if one.name is None and not one.stars]
    named = [one for one in node.args if one.name is not None]
    places: dict[int | str, Span] = {i: Span(place.path, one.start, one.end) for i, one in enumerate(plain)}
    places.update((str(one.name), Span(place.path, one.start, one.end)) for one in named)
    return _told(
        ApiCall, facts, place, node,
        name=name, args=tuple(_value(place.path, one.value) for one in plain),
        kwargs={str(one.name): _value(place.path, one.value) for one in named},
        places=places, tags={}, open=any(one.stars for one in node.args),
    )  # fmt: skip


def bare_call(place: Place) -> nodes.Call | None:
    """The call around a place that is a whole statement: what it gives is thrown away."""
    found = (call for statement, call in pairwise(place.around) if isinstance(statement, nodes.ExprStmt))
    return next((one for one in found if isinstance(one, nodes.Call)), None)


def thrown_away(facts: Facts, place: Place, call: nodes.Call, name: str) -> ApiCall:
    """That call, of a function of this name; with what is not looked at."""
    nothing: dict[str, Any] = {"args": (), "kwargs": {}, "places": {}, "tags": {}, "open": True}
    return _told(ApiCall, facts, place, call, name=name, discarded=True, **nothing)


def settings_at(facts: Facts, place: Place) -> Iterator[ConfigWrite]:
    """The settings of torch that are written at a place: assigned to, given to `config.patch` or `torch.compile`."""
    last = place.around[-1]
    for one in place.around:
        for target in one.targets if isinstance(one, nodes.Assign) and last.end <= one.value.start else ():
            found = key_of(place.dotted(target))
            if found is not None:
                yield _written(facts, place, target, found, Unknown(f"{place.path}:{target.start}"), "attribute")
    call = place.call()
    if call is None:
        return
    node, name = call
    if name.endswith(".patch"):
        yield from _patched(facts, place, node, name.removesuffix(".patch"))
    elif name == _COMPILE and all(one.name != "backend" and not one.stars for one in node.args):
        for arg in node.args:
            if arg.name == _OPTIONS and isinstance(arg.value, nodes.DictDisplay):
                for key, value in zip(arg.value.keys, arg.value.values, strict=True):
                    if isinstance(key, nodes.Const) and isinstance(key.value, str):
                        given = _value(place.path, value)
                        yield _written(facts, place, key, (INDUCTOR, key.value), given, _OPTIONS, _COMPILE)


def op_at(facts: Facts, place: Place) -> OpUse | None:
    """The custom op that `torch.ops` is asked for at a place: its own, not that of an overload."""
    for one in place.around:
        if isinstance(one, nodes.Attr):
            parts = place.dotted(one).split(".")
            if parts[:2] == ["torch", "ops"] and len(parts) == _OF_AN_OP:
                return _told(OpUse, facts, place, one, op="::".join(parts[2:]))
    return None


def _patched(facts: Facts, place: Place, call: nodes.Call, module: str) -> Iterator[ConfigWrite]:
    """What `config.patch` of a module of settings is given, by name or before its value."""
    first = call.args[0].value if len(call.args) == 2 else None
    names = [str(one.name) for one in call.args if one.name is not None]
    if isinstance(first, nodes.Const) and call.args[0].name is None:
        names.append(str(first.value))
    for name in names:
        found = key_of(f"{module}.{name}")
        if found is not None:
            yield _written(facts, place, call, found, Unknown(f"{place.path}:{call.start}"), "patch")


def _written(
    facts: Facts, place: Place, node: nodes.Node, found: tuple[str, str], value: Value, how: str, api: str = ""
) -> ConfigWrite:
    return _told(ConfigWrite, facts, place, node, module=found[0], key=found[1], value=value, how=how, api=api)


def _told(kind: type[E], facts: Facts, place: Place, node: nodes.Node, **parts: Any) -> E:
    """An event that nobody told, at a node."""
    return kind(
        span=Span(place.path, node.start, node.end), root=place.path, order=Order(Turn(READ, place.path), node.start),
        path={}, chain=(), caught=frozenset(), expected=frozenset(), versions=facts.versions_for(place.path),
        context=place.scope.qualname, **parts,
    )  # fmt: skip


def _value(path: str, expr: nodes.Expr) -> Value:
    match expr:
        case nodes.Const(value=value):
            return Const(value)
        case nodes.Seq(kind=kind, items=items) if not any(isinstance(one, nodes.Star) for one in items):
            inside = tuple(_value(path, one) for one in items)
            return Tup(inside) if kind == "tuple" else Tup(inside, cls=Ref(kind))
        case nodes.DictDisplay(keys=keys, values=values) if None not in keys:
            pairs = zip(keys, values, strict=True)
            return Pairs(tuple((_value(path, key), _value(path, value)) for key, value in pairs if key is not None))
    return Unknown(f"{path}:{expr.start}", "code that was not followed")


def _is_followed(facts: Facts, path: str, start: int, end: int) -> bool:
    """Whether anything told of what a stretch of text uses, or of what is around it."""
    spans = facts.once("followed", lambda: _followed(facts)).get(path, ())
    return any(one.start <= start < one.end or start <= one.start < end for one in spans)


def _followed(facts: Facts) -> dict[str, list[Span]]:
    """The places by file where torch is used or called, in code that was followed.

    What is called inside of a handler for everything is not among them: a loop that notes what fails is meant for other
    errors than a misspelt name.
    """
    found: dict[str, list[Span]] = {}
    for one in facts.of(ApiUse, ApiCall, ConfigWrite, OpUse, OpCall, in_exports=True):
        if one.expected or not one.caught & _EVERYTHING:
            found.setdefault(one.span.path, []).append(one.span)
    return found
