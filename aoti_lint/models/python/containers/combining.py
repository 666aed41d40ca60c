"""`itertools`: iterators made of others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

from aoti_lint.language import calls, operators, truths
from aoti_lint.language.data import containers, iterators, subscripts
from aoti_lint.language.tools import plain
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.python.containers.iterating import MAX_CALLS, gone_over, in_step
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Many, Obj, Tup, Value

MAX_COMBINATIONS = 256


def _rows(m: Machine, rows: Iterable[tuple[Value, ...]]) -> Value:
    found = list(itertools.islice(rows, MAX_COMBINATIONS + 1))
    return iterators.over(m, [Tup(r) for r in found] if len(found) <= MAX_COMBINATIONS else None)


def _columns(m: Machine, values: list[Value]) -> list[list[Value]] | None:
    found = [subscripts.iterate(m, a) for a in values]
    known = [c for c in found if isinstance(c, list)]
    return known if len(known) == len(found) else None


def _lost(m: Machine) -> Value:
    return iterators.over(m, None)


@function("itertools.product")
def _product(m: Machine, site: Call) -> Value:
    columns, repeat = _columns(m, site.args), m.see(site.kwargs.get("repeat", Const(1)))
    if columns is None or site.open or not (isinstance(repeat, Const) and isinstance(repeat.value, int)):
        return _lost(m)
    return _rows(m, itertools.product(*columns, repeat=repeat.value)) if repeat.value <= 8 else _lost(m)


def _choosing(name: str, choose: Callable[..., Iterable[tuple[Value, ...]]]) -> None:
    @function(f"itertools.{name}")
    def model(m: Machine, site: Call) -> Value:
        columns, size = _columns(m, site.args[:1]), m.see(site.arg(1, "r") or NONE)
        if not columns or site.open or not isinstance(size, Const) or len(columns[0]) > MAX_CALLS:
            return _lost(m)
        if size == NONE and name != "permutations":
            return _lost(m)
        return _rows(m, choose(columns[0], *([] if size == NONE else [size.value])))


for _name in ("combinations", "permutations", "combinations_with_replacement"):
    _choosing(_name, getattr(itertools, _name))


@function("itertools.zip_longest")
def _zip_longest(m: Machine, site: Call) -> Value:
    columns = None if site.open else _columns(m, site.args)
    if columns is None:
        return _lost(m)
    return _rows(m, itertools.zip_longest(*columns, fillvalue=site.kwargs.get("fillvalue", NONE)))


@function("itertools.pairwise")
def _pairwise(m: Machine, site: Call) -> Value:
    columns = _columns(m, site.args)
    return _rows(m, zip(columns[0], columns[0][1:], strict=False)) if columns else _lost(m)


def _chained(m: Machine, values: list[Value], whole: bool) -> Value:
    found: list[Value] = []
    for value in values:
        more = gone_over(m, value, whole)
        if not isinstance(more, list):
            return iterators.held(m, None)
        found += more
    return Tup(tuple(found))


@function("itertools.chain")
def _chain(m: Machine, site: Call) -> Value:
    return _lost(m) if site.open else iterators.new(m, lambda whole: _chained(m, site.args, whole))


@function("itertools.chain.from_iterable")
def _chain_of(m: Machine, site: Call) -> Value:
    def make(whole: bool) -> Value:
        parts = gone_over(m, site.arg(0) or NONE, whole)
        return _chained(m, parts, whole) if isinstance(parts, list) else iterators.held(m, None)

    return iterators.new(m, make)


@function("itertools.repeat")
def _repeat(m: Machine, site: Call) -> Value:
    value, times = site.arg(0, "object") or NONE, m.see(site.arg(1, "times") or NONE)
    if isinstance(times, Const) and isinstance(times.value, int) and times.value <= containers.MAX_ITEMS:
        return iterators.over(m, [value] * times.value)
    return iterators.over(m, None, value)


@function("itertools.islice")
def _islice(m: Machine, site: Call) -> Value:
    source, bounds = m.see(site.arg(0) or NONE), plain([m.see(a) for a in site.args[1:]])

    def make(whole: bool) -> Value:
        # Of what changes things on the way, only some are asked for.
        whole = whole and not iterators.has_effects(m, source)
        found = gone_over(m, source, whole)
        if not isinstance(found, list) or bounds is None:
            return iterators.held(m, found if isinstance(found, Many) else None)
        try:
            taken = list(itertools.islice(found, *bounds))
        except (TypeError, ValueError):
            return iterators.held(m, None)
        if whole and iterators.is_iterator(source):
            rest = iter(found)
            for _ in itertools.islice(rest, *bounds):
                pass
            iterators.advance(m, source, list(rest))
        return Tup(tuple(taken))

    return iterators.new(m, make)


@function("itertools.cycle")
def _cycle(m: Machine, site: Call) -> Value:
    columns = _columns(m, site.args)
    items = columns[0] if columns else []
    return iterators.over(m, None, items[0] if items and all(i == items[0] for i in items) else None)


@function("itertools.accumulate")
def _accumulate(m: Machine, site: Call) -> Value:
    apply, start = m.see(site.arg(1, "func") or NONE), site.kwargs.get("initial", NONE)

    def step(before: Value, item: Value) -> Value:
        if apply == NONE:
            return operators.binary(m, site.node, "+", before, item)
        return calls.call(m, Call(site.node, [before, item]), apply)

    def make(whole: bool) -> Value:
        found = gone_over(m, site.arg(0, "iterable") or NONE, whole)
        if not isinstance(found, list) or len(found) > MAX_CALLS:
            return iterators.held(m, None)
        items = found if m.see(start) == NONE else [start, *found]
        made = items[:1]
        for item in items[1:]:
            made.append(step(made[-1], item))
        return Tup(tuple(made))

    return iterators.new(m, lambda whole: iterators.apart(m, whole, lambda: make(whole)))


@function("itertools.starmap")
def _starmap(m: Machine, site: Call) -> Value:
    def make(whole: bool) -> Value:
        found = gone_over(m, site.arg(1) or NONE, whole)
        rows = [containers.items_of(m, row) for row in found] if isinstance(found, list) else [None]
        known = [row for row in rows if row is not None]
        if len(known) < len(rows) or len(rows) > MAX_CALLS:
            return iterators.held(m, None)
        return Tup(tuple(calls.call(m, Call(site.node, row), site.args[0]) for row in known))

    return iterators.new(m, lambda whole: iterators.apart(m, whole, lambda: make(whole)))


def _while(name: str) -> None:
    @function(f"itertools.{name}")
    def model(m: Machine, site: Call) -> Value:
        def make(whole: bool) -> Value:
            # How much of an iterator is read is not said: one item more than is given.
            found = gone_over(m, site.arg(1) or NONE, False)
            if not isinstance(found, list) or len(found) > MAX_CALLS:
                return iterators.held(m, None)
            for i, item in enumerate(found):
                answer = truths.truth(m, calls.call(m, Call(site.node, [item]), site.args[0]))
                if answer not in (TRUE, FALSE):
                    return iterators.held(m, None)
                if answer == FALSE:
                    return Tup(tuple(found[:i] if name == "takewhile" else found[i:]))
            return Tup(tuple(found if name == "takewhile" else ()))

        return iterators.new(m, lambda whole: iterators.apart(m, whole, lambda: make(whole)))


for _name in ("takewhile", "dropwhile"):
    _while(_name)


@function("itertools.compress")
def _compress(m: Machine, site: Call) -> Value:
    def make(whole: bool) -> Value:
        rows = in_step(m, site.args, whole)
        answers = [truths.truth(m, row[1]) for row in rows] if isinstance(rows, list) else [NONE]
        if not isinstance(rows, list) or not all(isinstance(a, Const) for a in answers):
            return iterators.held(m, None)
        return Tup(tuple(row[0] for row, a in zip(rows, answers, strict=True) if a == TRUE))

    return iterators.new(m, make)


@function("itertools.tee")
def _tee(m: Machine, site: Call) -> Value:
    found, count = gone_over(m, site.arg(0) or NONE, True), m.see(site.arg(1, "n") or Const(2))
    if not (isinstance(count, Const) and isinstance(count.value, int) and count.value <= containers.MAX_ITEMS):
        return m.unknown(site.node, "the number of iterators is not known")
    made: list[Obj] = []
    for _ in range(count.value):
        made.append(iterators.over(m, None))
        m.store.write(made[-1].ident, "#items", iterators.held(m, found))
    return Tup(tuple(made))


def _endless(*names: str) -> None:
    @function(*names)
    def model(m: Machine, site: Call) -> Value:
        for value in site.args[:1]:
            iterators.exhaust(m, value)
        return _lost(m)


_endless("itertools.count", "itertools.groupby", "itertools.batched")
