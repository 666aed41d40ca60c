"""`match`: whether a value has the form of a pattern, and what the names in the pattern are then bound to."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, comparisons, expressions, truths
from aoti_lint.language.data import containers
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.values.choices import choose
from aoti_lint.values.conditions import Cond
from aoti_lint.values.identity import ident
from aoti_lint.values.values import ABSENT, FALSE, TRUE, Choice, Class, Const, Obj, Ref, Tup, Value

Bindings = dict[str, Value]
Answer = tuple[Value, Bindings]

ITSELF = frozenset({"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"})
"""Classes whose one positional pattern is matched with the value itself."""


def matches(m: Machine, pattern: nodes.Pattern, subject: Value) -> Answer:
    """Whether `subject` matches, as a truth, and the names it binds if it does."""
    subject = m.see(subject)
    if isinstance(subject, Choice):
        cond = subject.cond
        with m.assuming({cond: True}):
            first, bound = matches(m, pattern, subject.then)
        with m.assuming({cond: False}):
            second, other = matches(m, pattern, subject.other)
        lost = {n: m.unknown(pattern, "a part of a matched value") for n in bound.keys() ^ other.keys()}
        names = {n: choose(cond, bound[n], other[n]) for n in bound if n in other}
        return choose(cond, first, second), {**names, **lost}
    truth, names = KINDS[pattern.kind](m, pattern, subject)
    return truth, names


def _open(m: Machine, pattern: nodes.Pattern, subject: Value) -> Value:
    """Whether `subject` matches, as a question of its own."""
    return truths.ask(m, Cond(("matches", ident(subject), m.spot(pattern))))


def _unread(m: Machine, patterns: list[nodes.Pattern]) -> Bindings:
    """The names of patterns for parts nobody knows."""
    found: Bindings = {}
    todo = list(patterns)
    while todo:
        one = todo.pop()
        if one.name is not None:
            found[one.name] = m.unknown(one, "a part of a matched value")
        todo += one.patterns
    return found


def _together(m: Machine, pattern: nodes.Pattern, subject: Value, answers: list[Answer]) -> Answer:
    """All of several parts must match."""
    bound = {name: value for _, names in answers for name, value in names.items()}
    truths = [truth for truth, _ in answers if truth != TRUE]
    if not truths or FALSE in truths:
        return (FALSE if truths else TRUE), bound
    return truths[0] if len(truths) == 1 else _open(m, pattern, subject), bound


def _capture(m: Machine, pattern: nodes.Pattern, subject: Value) -> Answer:
    truth, bound = matches(m, pattern.patterns[0], subject) if pattern.patterns else (TRUE, {})
    return truth, bound if pattern.name is None else {**bound, pattern.name: subject}


def _value(m: Machine, pattern: nodes.Pattern, subject: Value) -> Answer:
    assert pattern.value is not None
    wanted = expressions.evaluate(m, pattern.value)
    same = isinstance(wanted, Const) and (wanted.value is None or isinstance(wanted.value, bool))
    return truths.truth(m, comparisons.compare(m, pattern, "is" if same else "==", subject, wanted)), {}


def _or(m: Machine, pattern: nodes.Pattern, subject: Value) -> Answer:
    result: Value = FALSE
    for part in pattern.patterns:
        truth, bound = matches(m, part, subject)
        if truth == TRUE and result == FALSE:
            return TRUE, bound
        if truth != FALSE:
            result = truth if result == FALSE else truths.either(m, result, truth)
    return result, _unread(m, pattern.patterns) if result != FALSE else {}


def _is_other(subject: Value, kinds: frozenset[str]) -> bool:
    """Whether a value is surely of another kind than these."""
    if isinstance(subject, Const | Class):
        return True
    return isinstance(subject, Obj) and subject.kind in {"list", "set", "dict", "iterator", "view", "module"} - kinds


def _sequence(m: Machine, pattern: nodes.Pattern, subject: Value) -> Answer:
    if _is_other(subject, frozenset({"list"})):
        return FALSE, {}
    known = isinstance(subject, Tup) or (isinstance(subject, Obj) and subject.kind == "list")
    items = containers.items_of(m, subject) if known else None
    if items is None:
        return _open(m, pattern, subject), _unread(m, pattern.patterns)
    parts = pattern.patterns
    star = next((i for i, p in enumerate(parts) if p.kind == "star"), None)
    if len(items) != len(parts) and (star is None or len(items) < len(parts) - 1):
        return FALSE, {}
    answers: list[Answer] = []
    if star is not None:
        behind = len(parts) - star - 1
        name, middle = parts[star].name, items[star : len(items) - behind]
        answers.append((TRUE, {} if name is None else {name: m.new_list(middle)}))
        items = [*items[:star], *items[len(items) - behind :]]
        parts = [*parts[:star], *parts[star + 1 :]]
    answers += [matches(m, part, item) for part, item in zip(parts, items, strict=True)]
    return _together(m, pattern, subject, answers)


def _mapping(m: Machine, pattern: nodes.Pattern, subject: Value) -> Answer:
    if isinstance(subject, Tup) or _is_other(subject, frozenset({"dict"})):
        return FALSE, {}
    pairs = containers.dict_pairs(m, subject)
    keys = [m.see(expressions.evaluate(m, key)) for key in pattern.keys]
    if pairs is None or not all(isinstance(k, Const) for k in [*keys, *(k for k, _ in pairs)]):
        rest = {} if pattern.name is None else {pattern.name: m.unknown(pattern, "the rest of a matched value")}
        return _open(m, pattern, subject), {**_unread(m, pattern.patterns), **rest}
    answers: list[Answer] = []
    for key, part in zip(keys, pattern.patterns, strict=True):
        held = containers.lookup(m, subject, key)
        if held is None:
            answers.append((_open(m, part, subject), _unread(m, [part])))
        else:
            answers.append((FALSE, {}) if held is ABSENT else matches(m, part, held))
    if pattern.name is not None:
        left = [(k, v) for k, v in pairs if not any(containers.same(k, key) for key in keys)]
        answers.append((TRUE, {pattern.name: containers.new_dict(m, left)}))
    return _together(m, pattern, subject, answers)


def _class(m: Machine, pattern: nodes.Pattern, subject: Value) -> Answer:
    assert pattern.value is not None
    cls = m.see(expressions.evaluate(m, pattern.value))
    truth = hooks.is_instance(m, subject, cls)
    if isinstance(subject, Tup) and isinstance(cls, Class):
        truth = TRUE if subject.cls == cls else FALSE if subject.cls is None else truth
    count = len(pattern.patterns) - len(pattern.keywords)
    if truth == FALSE:
        return FALSE, {}
    if isinstance(cls, Ref) and cls.name in ITSELF and count == 1 and not pattern.keywords:
        inner, bound = matches(m, pattern.patterns[0], subject)
        return _together(m, pattern, subject, [(truth, {}), (inner, bound)])
    names = _positional(m, cls) if count else []
    if names is None or len(names) < count:
        return _open(m, pattern, subject), _unread(m, pattern.patterns)
    answers: list[Answer] = [(truth, {})]
    for name, part in zip([*names[:count], *pattern.keywords], pattern.patterns, strict=True):
        there = TRUE if isinstance(subject, Tup) and name in subject.fields else hooks.has_attribute(m, subject, name)
        if there != TRUE:
            answers.append((_open(m, part, subject), _unread(m, [part])))
        else:
            answers.append(matches(m, part, access.get_attr(m, part, subject, name)))
    return _together(m, pattern, subject, answers)


def _positional(m: Machine, cls: Value) -> list[str] | None:
    """The attributes that positional patterns of a class mean; None if they are not known."""
    if not isinstance(cls, Class):
        return None
    given = access.class_member(m, cls, "__match_args__")
    if given is not None:
        items = containers.items_of(m, given[0])
        listed = [i.value for i in items if isinstance(i, Const)] if items is not None else []
        return [str(n) for n in listed] if items is not None and len(listed) == len(items) else None
    if cls.traits & {"dataclass", "namedtuple"}:
        return hooks.positional_fields(m, cls)
    return None


KINDS = {
    "capture": _capture, "value": _value, "or": _or, "sequence": _sequence, "mapping": _mapping, "class": _class,
}  # fmt: skip
"""How each kind of pattern is matched."""
