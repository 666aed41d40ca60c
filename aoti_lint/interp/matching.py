"""The patterns of `match`: whether a value fits, and what its parts are called then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.interp import access, containers, expressions, operators, statements
from aoti_lint.interp.conditions import Cond
from aoti_lint.interp.values import ABSENT, FALSE, TRUE, Class, Const, Obj, Ref, Tup, Value, ident
from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine

Parts = list[tuple[nodes.Pattern, Value]]
"""Inner patterns, each with the part of the subject it is for."""
ITSELF = frozenset({"bool", "bytes", "dict", "float", "int", "list", "set", "str", "tuple"})
"""Classes whose one positional pattern is for the subject itself."""


def pattern_test(m: Machine, pattern: nodes.Pattern, subject: Value) -> Value:
    """Whether `subject` matches, as a truth value."""
    match pattern.kind:
        case "capture":
            return pattern_test(m, pattern.patterns[0], subject) if pattern.patterns else TRUE
        case "value" if pattern.value is not None:
            return operators.compare(m, pattern, "==", subject, expressions.evaluate(m, pattern.value))
        case "or":
            result: Value = FALSE
            for part in reversed(pattern.patterns):
                result = operators.either(m, pattern_test(m, part, subject), result)
            return result
        case "sequence" | "mapping" | "class":
            return operators.lift(m, subject, lambda one: _fits(m, pattern, one))
        case _:
            return unclear(m, pattern, subject)


def unclear(m: Machine, pattern: nodes.Pattern, subject: Value) -> Value:
    return operators.ask(m, Cond(("matches", ident(subject), pattern.start)))


def _fits(m: Machine, pattern: nodes.Pattern, subject: Value) -> Value:
    """Whether a value without alternatives has the structure of a pattern, and its parts match."""
    found = parts(m, pattern, subject)
    if found is None:
        return unclear(m, pattern, subject)
    if isinstance(found, Const):
        return found
    result: Value = TRUE
    for inner, part in found:
        test = pattern_test(m, inner, part)
        result = operators.lift(m, result, lambda r, test=test: test if r == TRUE else r)  # type: ignore[misc]
    return result


def parts(m: Machine, pattern: nodes.Pattern, subject: Value) -> Parts | Const | None:
    """The parts of the subject that inner patterns are for; FALSE if it does not fit, None if that is not known."""
    subject = m.see(subject)
    if pattern.kind == "sequence":
        return _sequence(m, pattern, subject)
    return _mapping(m, pattern, subject) if pattern.kind == "mapping" else _instance(m, pattern, subject)


def _sequence(m: Machine, pattern: nodes.Pattern, subject: Value) -> Parts | Const | None:
    from aoti_lint.interp.models.types import kind_of

    kind = kind_of(m, subject)
    if kind not in ("list", "tuple"):
        return None if kind is None else FALSE
    items = containers.items_of(m, subject)
    inner = pattern.patterns
    star = next((i for i, p in enumerate(inner) if p.kind == "star"), None)
    if items is None:
        return None
    if len(items) < len(inner) - (star is not None) or (star is None and len(items) != len(inner)):
        return FALSE
    if star is None:
        return list(zip(inner, items, strict=True))
    after = len(inner) - star - 1
    rest = items[len(items) - after :] if after else []
    return [*zip(inner[:star], items, strict=False), *zip(inner[star + 1 :], rest, strict=True)]


def _mapping(m: Machine, pattern: nodes.Pattern, subject: Value) -> Parts | Const | None:
    from aoti_lint.interp.models.types import kind_of

    pairs = containers.dict_pairs(m, subject)
    if pairs is None:
        return None if kind_of(m, subject) in (None, "dict") else FALSE
    box = containers.new_dict(m, pairs)
    found: Parts = []
    for key, inner in zip(pattern.keys, pattern.patterns, strict=True):
        held = containers.lookup(m, box, m.see(expressions.evaluate(m, key)))
        if held is None or held is ABSENT:
            return None if held is None else FALSE
        found.append((inner, held))
    return found


def _instance(m: Machine, pattern: nodes.Pattern, subject: Value) -> Parts | Const | None:
    from aoti_lint.interp.models.types import is_instance

    cls = m.see(expressions.evaluate(m, pattern.value)) if pattern.value is not None else FALSE
    answer = is_instance(m, subject, cls)
    if isinstance(subject, Tup) and isinstance(cls, Class):
        answer = TRUE if subject.cls == cls else FALSE if subject.cls is None else answer
    if answer != TRUE:
        return FALSE if answer == FALSE else None
    positional = pattern.patterns[: len(pattern.patterns) - len(pattern.keywords)]
    named = pattern.patterns[len(positional) :]
    found: Parts = []
    if isinstance(cls, Ref) and cls.name in ITSELF and len(positional) == 1:
        found.append((positional[0], subject))
    elif positional:
        names = match_arguments(m, subject, cls)
        if names is None or len(names) < len(positional):
            return None
        found += [(p, access.get_attr(m, p, subject, n)) for p, n in zip(positional, names, strict=False)]
    return found + [(p, access.get_attr(m, p, subject, n)) for p, n in zip(named, pattern.keywords, strict=True)]


def match_arguments(m: Machine, subject: Value, cls: Value) -> list[str] | None:
    """The attributes that positional patterns of a class are for, in order."""
    from aoti_lint.interp.models import classes

    if isinstance(subject, Tup) and subject.fields:
        return list(subject.fields)
    if not isinstance(cls, Class):
        return None
    said = access.class_member(m, cls, "__match_args__")
    if said is not None:
        items = containers.items_of(m, said[0])
        return None if items is None else [str(i.value) for i in items if isinstance(i, Const)]
    if "dataclass" in cls.traits and isinstance(subject, Obj):
        return [name for name, _, _ in classes.fields(m, cls)]
    return None


def capture(m: Machine, pattern: nodes.Pattern, subject: Value) -> None:
    """Bind the names of a pattern."""
    if pattern.kind == "or":
        _capture_one_of(m, pattern, subject)
        return
    structural = pattern.kind in ("sequence", "mapping", "class")
    found = parts(m, pattern, subject) if structural else None
    if isinstance(found, list):
        for inner, part in found:
            capture(m, inner, part)
        lost = [p for p in pattern.patterns if all(p is not inner for inner, _ in found)]
    else:
        lost = pattern.patterns if structural else []
    for inner in lost:
        capture(m, inner, m.unknown(inner, "a part of a matched value"))
    if pattern.name is not None:
        known = pattern.kind == "capture"
        statements.bind_name(m, pattern.name, subject if known else m.unknown(pattern, "a part of a matched value"))
    if not structural:
        for inner in pattern.patterns:
            capture(m, inner, subject)


def _capture_one_of(m: Machine, pattern: nodes.Pattern, subject: Value) -> None:
    """Bind the names of the alternative that fits; where that is not known, to what is not known."""
    for inner in pattern.patterns:
        test = pattern_test(m, inner, subject)
        if test == TRUE:
            capture(m, inner, subject)
            return
        if test != FALSE:
            break
    capture(m, pattern.patterns[0], m.unknown(pattern, "a part of a matched value"))
