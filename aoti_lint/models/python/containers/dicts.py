"""Methods of dicts."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language import calls
from aoti_lint.language.data import containers
from aoti_lint.language.effects import leftovers
from aoti_lint.language.flow import unfit
from aoti_lint.language.tools import slot
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import METHODS, function, method
from aoti_lint.models.python.containers.lists import copied, several
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose
from aoti_lint.values.conditions import Cond, option_kind
from aoti_lint.values.identity import ident
from aoti_lint.values.values import ABSENT, NONE, TRUE, Choice, Const, Obj, Pairs, Sym, Tup, Unknown, Value

Entries = list[tuple[Value, Value]]


def change_entries(m: Machine, owner: Value, apply: Callable[[Entries], Entries | None]) -> None:
    """Replace the entries of a dict on each alternative of what it holds; None: they are no longer known."""
    if not isinstance(owner, Obj):
        return

    def one(held: Value) -> Value:
        made = apply(list(held.pairs)) if isinstance(held, Pairs) else None
        if made is None or len(made) > containers.MAX_ITEMS * 4:
            return Unknown(f"u{m.fresh()}", "the entries of a dict are not all known")
        return Pairs(tuple(made))

    m.store.write(owner.ident, "#items", lift(m, slot(m, owner, "#items"), one))
    containers.write_through(m, owner)


def tell_apart(key: Value, pairs: Entries) -> bool:
    """Whether it is sure which entry `key` means, or that it means none."""
    return containers.settled(key) and all(containers.settled(k) for k, _ in pairs)


MAX_KEYS = 8


def by_option(m: Machine, receiver: Value, key: Value) -> Value | None:
    """The entry that an option chooses: an alternative for each key, absent otherwise; None where that is no help."""
    pairs = containers.dict_pairs(m, receiver)
    if not isinstance(key, Sym) or not pairs or len(pairs) > MAX_KEYS:
        return None
    if not all(isinstance(k, Const) for k, _ in pairs):
        return None
    result: Value = ABSENT
    rest = [k for k in key.known if all(k != p for p, _ in pairs)]
    if key.known and not rest:
        # One of the keys for sure: the last needs no question.
        result, pairs = pairs[-1][1], pairs[:-1]
    for known, value in reversed(pairs):
        kind = option_kind(key.default == known if isinstance(key.default, Const) else None)
        result = choose(Cond(("eq", key.key, known), kind, key.origin), value, result)
    return m.see(result)


def without_absent(value: Value) -> Value:
    """`value` as far as it is one."""
    if not isinstance(value, Choice):
        return value
    then, other = without_absent(value.then), without_absent(value.other)
    if then is ABSENT or other is ABSENT:
        return other if then is ABSENT else then
    return Choice(value.cond, then, other)


def entry(m: Machine, node: nodes.Node, receiver: Value, key: Value, absent: Callable[[], Value]) -> Value:
    """`receiver[key]`, or what `absent` gives on the alternatives where it surely is not there."""
    found = by_option(m, receiver, key) or containers.lookup(m, receiver, key)
    if found is None:
        held = slot(m, receiver, "#items") if isinstance(receiver, Obj) else receiver
        return Unknown(f"{ident(held)}[{ident(key)}]", "an entry of a dict whose entries are not known")
    if found is not ABSENT and not isinstance(found, Choice):
        leftovers.met(m, node, m.see(found))
        return found
    return lift(m, found, lambda v: absent() if v is ABSENT else v)


@method("dict", "__getitem__")
def _dict_item(m: Machine, site: Call, receiver: Value) -> Value:
    key = m.see(site.args[0])
    chosen = by_option(m, receiver, key)
    if chosen is not None and isinstance(receiver, Obj) and slot(m, receiver, "#factory") == NONE:
        # Where the key is not there the code does not go on.
        return without_absent(chosen)

    def missing() -> Value:
        factory = slot(m, receiver, "#factory") if isinstance(receiver, Obj) else NONE
        if factory == NONE:
            unfit.item(m, site.node, receiver, key, missing=True)
            return m.unknown(site.node, "the key is not there")
        made = calls.call(m, Call(site.node, []), factory)
        change_entries(m, receiver, lambda pairs: containers.put(pairs, [(key, made)]))
        return made

    return entry(m, site.node, receiver, key, missing)


@method("dict", "get")
def _get(m: Machine, site: Call, receiver: Value) -> Value:
    return entry(m, site.node, receiver, m.see(site.arg(0) or NONE), lambda: site.arg(1, None, NONE) or NONE)


@method("dict", "setdefault")
def _set_default(m: Machine, site: Call, receiver: Value) -> Value:
    key, default = m.see(site.arg(0) or NONE), site.arg(1, None, NONE) or NONE

    def apply(pairs: Entries) -> Entries | None:
        if any(k == key for k, _ in pairs):
            return pairs
        return [*pairs, (key, default)] if tell_apart(key, pairs) else None

    found = entry(m, site.node, receiver, key, lambda: default)
    change_entries(m, receiver, apply)
    return found


def entries_of(m: Machine, site: Call) -> Entries | None:
    """What `dict(...)` and `update(...)` are given, as entries; None if they are not all known."""
    if site.open or len(site.args) > 1:
        return None
    found: Entries | None = []
    for given in site.args:
        found = containers.dict_pairs(m, given)
        rows = several(m, given) if found is None and not _is_dict(m, given) else None
        if rows is not None:
            cells = [containers.items_of(m, r) for r in rows]
            known = [(c[0], c[1]) for c in cells if c is not None and len(c) == 2]
            found = known if len(known) == len(rows) else None
    named = [(Const(name), value) for name, value in site.kwargs.items()]
    return None if found is None else containers.put(found, named)


def _is_dict(m: Machine, value: Value) -> bool:
    value = m.see(value)
    return isinstance(value, Obj) and value.kind == "dict"


@method("dict", "update", "__ior__")
def _update(m: Machine, site: Call, receiver: Value) -> Value:
    given = m.see(site.args[0]) if len(site.args) == 1 else NONE
    if isinstance(given, Choice):
        then, other = (replace(site, args=[arm]) for arm in (given.then, given.other))
        return m.choose_value(given.cond, lambda: _update(m, then, receiver), lambda: _update(m, other, receiver))
    more = entries_of(m, site)

    def apply(pairs: Entries) -> Entries | None:
        return None if more is None else containers.put(pairs, [(m.see(key), value) for key, value in more])

    change_entries(m, receiver, apply)
    return NONE


@method("dict", "pop")
def _pop_entry(m: Machine, site: Call, receiver: Value) -> Value:
    key = m.see(site.arg(0) or NONE)
    default = site.arg(1)

    def apply(pairs: Entries) -> Entries | None:
        if any(k == key for k, _ in pairs):
            return [(k, v) for k, v in pairs if k != key]
        return pairs if tell_apart(key, pairs) else None

    def missing() -> Value:
        return m.unknown(site.node, "the key is not there") if default is None else default

    found = entry(m, site.node, receiver, key, missing)
    change_entries(m, receiver, apply)
    return found


@method("dict", "popitem")
def _pop_item(m: Machine, site: Call, receiver: Value) -> Value:
    pairs = containers.dict_pairs(m, receiver)
    last = m.see(site.arg(0, "last", TRUE) or TRUE)
    if not pairs or not isinstance(last, Const):
        change_entries(m, receiver, lambda _: None)
        return m.unknown(site.node, "an entry of a dict")
    taken = pairs.pop(-1 if last.value else 0)
    change_entries(m, receiver, lambda _: pairs)
    return Tup(taken)


@method("dict", "move_to_end")
def _move_to_end(m: Machine, site: Call, receiver: Value) -> Value:
    key, last = m.see(site.arg(0) or NONE), m.see(site.arg(1, "last", TRUE) or TRUE)

    def apply(pairs: Entries) -> Entries | None:
        moved, rest = [p for p in pairs if p[0] == key], [p for p in pairs if p[0] != key]
        return ([*rest, *moved] if last == TRUE else [*moved, *rest]) if moved and isinstance(last, Const) else None

    change_entries(m, receiver, apply)
    return NONE


@method("dict", "clear")
def _clear_dict(m: Machine, site: Call, receiver: Value) -> Value:
    if isinstance(receiver, Obj):
        m.store.write(receiver.ident, "#items", Pairs(()))
    return NONE


METHODS["dict", "copy"] = METHODS["dict", "__copy__"] = copied


def _view(part: str) -> Callable[[Machine, Call, Value], Value]:
    """`keys`, `values` and `items`: what they show follows the dict."""

    def model(m: Machine, site: Call, receiver: Value) -> Value:
        made = m.new("view")
        m.store.write(made.ident, containers.VIEWED, receiver)
        m.store.write(made.ident, "#part", Const(part))
        return made

    return model


for _part in ("keys", "values", "items"):
    METHODS["dict", _part] = _view(_part)


@function("dict.fromkeys", "collections.OrderedDict.fromkeys")
def _from_keys(m: Machine, site: Call) -> Value:
    keys = several(m, site.arg(0))
    value = site.arg(1, None, NONE) or NONE
    pairs = None if keys is None else containers.put((), [(m.see(key), value) for key in keys])
    return containers.new_dict(m, pairs)
