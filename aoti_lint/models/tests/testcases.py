"""Which tests are run, with which cases: what `parametrize` and its like say, multiplied out."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import reduce
from operator import or_

from aoti_lint.language import access
from aoti_lint.language.data import containers, subscripts
from aoti_lint.language.tools import slot
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.models.tests.marks import CASE, CASES, argument_names, marks_of, verdict
from aoti_lint.values.values import NONE, TRUE, Class, Const, Func, Many, Namespace, Obj, Pairs, Ref, Tup, Value

MAX_CASES = 24
"""Cases of one test that are run; each of them is run by pytest, too, so those left out take nothing back."""


@dataclass(frozen=True, slots=True)
class Case:
    """One run of a test: arguments by name, what its fixtures get as `request.param`, and what its marks say."""

    values: dict[str, Value] = field(default_factory=dict)
    params: dict[str, Value] = field(default_factory=dict)
    marks: tuple[Value, ...] = ()

    def __or__(self, other: Case) -> Case:
        return Case(self.values | other.values, self.params | other.params, self.marks + other.marks)


@dataclass(frozen=True, slots=True)
class Axis:
    """One list of cases: the names that its rows set, and which of them are for fixtures of that name."""

    names: tuple[str, ...] | None
    single: bool
    values: Value
    indirect: frozenset[str] | None
    """None: which of them is not known."""


def all_marks(m: Machine, func: Func, cls: Class | None, module: Namespace) -> list[Value]:
    """The marks of a test: its own, those of its classes, and those of its module."""
    found = marks_of(m, func)
    owners: list[Class | Namespace] = [c for c in access.ancestors(m, cls) if isinstance(c, Class)] if cls else []
    for owner in (*owners, module):
        found += marks_of(m, owner) if isinstance(owner, Class) else []
        listed = m.read(owner.ident, "pytestmark")
        if listed is not None:
            items = containers.items_of(m, listed)
            found += [m.see(listed)] if items is None else [m.see(i) for i in items]
    return found


def axes_of(m: Machine, func: Func, marks: list[Value], bound: int) -> list[Axis]:
    """The lists of cases among the marks of a test whose first `bound` parameters are the instance."""
    positional = tuple(p.name for p in func.node.params[bound:])
    found = []
    for mark in marks:
        if not (isinstance(mark, Obj) and mark.cls == Ref(CASES)):
            continue
        given = slot(m, mark, "names")
        names = positional if given == NONE else argument_names(m, given)
        single = isinstance(given, Const) and given != NONE and names is not None and "," not in str(given.value)
        aside = slot(m, mark, "indirect")
        through: frozenset[str] | None
        if isinstance(aside, Const) and isinstance(aside.value, bool):
            through = frozenset(names or ()) if aside.value else frozenset()
        else:
            listed = argument_names(m, aside)
            through = None if listed is None else frozenset(listed)
        found.append(Axis(None if names is None else tuple(names), single, slot(m, mark, "values"), through))
    return found


def each_case(m: Machine, axes: list[Axis], run: Callable[[list[Case]], None]) -> None:
    """Run all cases; where a list depends on a question, those of each answer."""
    for axis in axes:
        cond = containers.deciding(m, axis.values)
        if cond is not None:
            m.fork(cond, lambda: each_case(m, axes, run), lambda: each_case(m, axes, run))
            return
    columns = [_rows(m, axis) for axis in axes]
    run([reduce(or_, row, Case()) for row in itertools.islice(itertools.product(*columns), MAX_CASES)])


def _rows(m: Machine, axis: Axis) -> list[Case]:
    """The cases of one list; one that knows nothing where the list is not known."""
    found = subscripts.iterate(m, axis.values)
    if isinstance(found, list):
        return [_row(m, axis, item) for item in found]
    return [_row(m, axis, found.element if isinstance(found, Many) else m.unknown(None, "a case of a test"))]


def _row(m: Machine, axis: Axis, item: Value) -> Case:
    item = m.see(item)
    marks: tuple[Value, ...] = ()
    named: dict[str, Value] = {}
    if isinstance(item, Obj) and item.cls == Ref(CASE):
        given = slot(m, item, "marks")
        listed = containers.items_of(m, given)
        marks = tuple([given] if listed is None else listed)
        held = slot(m, item, "named", Pairs(()))
        named = {str(k.value): v for k, v in held.pairs if isinstance(k, Const)} if isinstance(held, Pairs) else {}
        item = slot(m, item, "values")
        cells = list(item.items) if isinstance(item, Tup) else None
    elif axis.single:
        cells = [item]
    else:
        cells = containers.items_of(m, item)
    if axis.names is None:
        return Case(marks=marks)
    if cells is None or len(cells) > len(axis.names) or (not named and axis.indirect != frozenset() and len(cells) < 1):
        cells = [m.unknown(None, "a value of a case of a test") for _ in axis.names]
    values = {**dict(zip(axis.names, cells, strict=False)), **named}
    if axis.indirect is None:
        return Case({n: m.unknown(None, "a value that may go through a fixture") for n in axis.names}, {}, marks)
    return Case(
        {n: v for n, v in values.items() if n not in axis.indirect},
        {n: v for n, v in values.items() if n in axis.indirect},
        marks,
    )


def conditions(m: Machine, marks: list[Value]) -> tuple[list[Value], bool]:
    """The truths under which a test with these marks runs, and whether it is expected to fail."""
    verdicts = [verdict(m, mark) for mark in marks]
    return [runs for runs, _ in verdicts if runs != TRUE], any(fails for _, fails in verdicts)


@hooks.may_be_left_out.answers
def may_be_left_out(m: Machine, func: Func) -> bool:
    """Whether the marks of a test may skip it, or expect it to fail."""
    truths, fails = conditions(m, marks_of(m, func))
    return fails or func.may_fail or bool(truths) or func.runs_if != TRUE


# ---------------------------------------------------------------- which classes


def collected(m: Machine, func: Func, owner: Class) -> list[Class]:
    """The classes for which a test runner runs a method of `owner`: itself and those of its module that inherit it."""
    found = [owner] if _is_collected(m, owner) else []
    for _, value in list(m.store.slots(owner.module.ident)):
        value = m.see(value)
        if isinstance(value, Class) and value != owner and value not in found and _is_collected(m, value):
            member = access.class_member(m, value, func.name)
            if member is not None and isinstance(member[0], Func) and member[0].node is func.node:
                found.append(value)
    return found[:MAX_CASES]


def _is_collected(m: Machine, cls: Class) -> bool:
    switch = access.class_member(m, cls, "__test__")
    if switch is not None and m.see(switch[0]) == Const(False):
        return False
    line = access.ancestors(m, cls)
    return cls.name.startswith("Test") or any(not isinstance(c, Class) and c != Ref("object") for c in line)


def is_test_case(m: Machine, cls: Class) -> bool:
    """Whether a class derives from `unittest.TestCase`, as far as the names of its bases tell."""
    return any(isinstance(c, Ref) and c.name.endswith("TestCase") for c in access.ancestors(m, cls))
