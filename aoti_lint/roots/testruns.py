"""Running a test as its test runner does: every case, on a new instance, with its fixtures and what sets it up."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

from aoti_lint.ir import nodes
from aoti_lint.language import access, functions, truths
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.shared import MAX_STEPS
from aoti_lint.models.tests.fixtures import Giver, after_calls, conftests, visible, wanted
from aoti_lint.models.tests.marks import used_fixtures
from aoti_lint.models.tests.testcases import Case, all_marks, axes_of, collected, conditions, each_case, is_test_case
from aoti_lint.values.call import Call
from aoti_lint.values.frames import MAY_FAIL
from aoti_lint.values.values import FALSE, TRUE, Class, Func, Namespace, Value

CLASS_SET_UP = ("setUpClass", "setup_class")
SET_UP = ("setUp", "asyncSetUp", "setup_method")


def is_test(node: nodes.FunctionDef) -> bool:
    return node.name.startswith("test")


def leads(m: Machine, path: str, node: nodes.FunctionDef) -> bool:
    """Whether a fixture of a test leads to what rules speak of, as far as the names in it tell."""
    if not is_test(node):
        return False
    files = [path, *conftests(m, path)]
    defined: dict[str, list[tuple[str, nodes.FunctionDef]]] = {}
    for file in files:
        tree = m.project.module(file)
        for statement in tree.body if tree is not None else ():
            if isinstance(statement, nodes.FunctionDef) and statement.decorators:
                defined.setdefault(statement.name, []).append((file, statement))
    todo, seen = [p.name for p in node.params], set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for file, fixture in defined.get(name, ()):
            if m.project.leads(file, name):
                return True
            todo += [p.name for p in fixture.params]
    return False


def run_test(
    m: Machine,
    func: Func,
    owner: Class | Namespace,
    other: Callable[[nodes.Param], Value],
    instance: Callable[[Class], Value],
) -> None:
    """Run a test that nobody calls; `other` gives parameters that no fixture does, `instance` what methods run on."""
    spent = 0

    def case(run: Callable[[], None]) -> None:
        nonlocal spent
        if spent > MAX_STEPS:
            return
        try:
            run()
        finally:
            spent += m.root.budget.steps

    def together(cls: Class | None, cases: list[Case]) -> None:
        # A case begins with what the module left, whatever ran before it.
        with m.running(m.root.within(budget=replace(m.root.budget, steps=0, aside=0))):
            _apart(m, cases, lambda one: one.marks, lambda few: _run_cases(m, func, cls, few, case, other, instance))

    for cls in collected(m, func, owner) if isinstance(owner, Class) else [None]:
        marks = all_marks(m, func, cls, func.module)
        giver = Giver(m, func.node, visible(m, cls, func.module), None, {})
        bound = 1 if cls is not None and func.role != "static" else 0
        axes = axes_of(m, func, marks, bound)
        own = {n for axis in axes for n in axis.names or ()}
        axes += [a for a in giver.axes([*giver.automatic(), *wanted(func)]) if not own & set(a.names or ())]
        each_case(m, axes, partial(together, cls))


def _apart(m: Machine, cases: list[Case], by: Callable[[Case], object], run: Callable[[list[Case]], None]) -> None:
    """Run the cases that `by` gives the same together, and each lot as if it were the only one from here on."""
    lots: list[tuple[object, list[Case]]] = []
    for case in cases:
        told = by(case)
        lot = next((lot for other, lot in lots if other == told), None)
        if lot is None:
            lots.append((told, [case]))
        else:
            lot.append(case)
    for _, lot in lots:
        with nullcontext() if len(lots) == 1 else m.running(m.root.within(budget=replace(m.root.budget))):
            run(lot)


def _run_cases(
    m: Machine,
    func: Func,
    cls: Class | None,
    cases: list[Case],
    each: Callable[[Callable[[], None]], None],
    other: Callable[[nodes.Param], Value],
    instance: Callable[[Class], Value],
) -> None:
    """Run cases with the same marks; fixtures that do not depend on the case are made once, before they part."""
    marks = [*all_marks(m, func, cls, func.module), *cases[0].marks]
    truths, fails = conditions(m, marks)
    line = [c for c in access.ancestors(m, cls) if isinstance(c, Class)] if cls is not None else []
    truths += [c.runs_if for c in line] + [func.runs_if]
    if fails or func.may_fail:
        m.root.guards.append(MAY_FAIL)

    def test() -> None:
        receiver = None if cls is None else cls if func.role == "class" else instance(cls)
        if func.role == "static":
            receiver = None
        giver = Giver(m, func.node, visible(m, cls, func.module), receiver, {})
        values = {name for case in cases for name in case.values}
        names = [*giver.automatic(), *used_fixtures(m, marks), *(n for n in wanted(func) if n not in values)]

        def give(index: int, given: dict[str, Value], cases: list[Case]) -> None:
            if index == len(names):
                _set_up(m, func, cls, receiver, partial(_apart, m, cases, id, partial(call, given)))
                return
            name = names[index]

            def made(cases: list[Case]) -> None:
                with giver.giving(cases[0].params):
                    if not giver.give(name, lambda value: give(index + 1, {**given, name: value}, cases)):
                        give(index + 1, given, cases)

            if giver.asks(name):
                _apart(m, cases, lambda one: one.params, made)
            else:
                made(cases)

        def call(given: dict[str, Value], cases: list[Case]) -> None:
            each(lambda: _call(m, func, receiver, {**given, **cases[0].values}, other))

        give(0, {}, cases)

    run = test
    for truth in truths:
        run = _only_if(m, truth, run)
    run()


def _only_if(m: Machine, truth: Value, run: Callable[[], None]) -> Callable[[], None]:
    if truth in (TRUE, FALSE):
        return run if truth == TRUE else lambda: None
    return lambda: truths.branch(m, truth, run, lambda: None) and None


def _set_up(m: Machine, func: Func, cls: Class | None, receiver: Value | None, rest: Callable[[], None]) -> None:
    """Run what the class has to set up, then `rest` where it did not skip the test."""
    todo: list[tuple[Func, Value]] = []
    for name in (*CLASS_SET_UP, *SET_UP) if cls is not None and receiver is not None else ():
        found = access.class_member(m, cls, name) if cls is not None else None
        unit = name in ("setUpClass", "setUp", "asyncSetUp")
        if found is not None and isinstance(found[0], Func) and receiver is not None and cls is not None:
            if unit and not is_test_case(m, cls) and not _foreign(m, cls):
                continue
            todo.append((found[0], cls if name in CLASS_SET_UP else receiver))

    def step(index: int) -> None:
        if index == len(todo):
            rest()
            return
        one, on = todo[index]
        site = Call(func.node, [])
        functions.run(m, site, one, on, functions.bind_arguments(m, site, one, on))
        after_calls(m, lambda: step(index + 1))

    step(0)


def _foreign(m: Machine, cls: Class) -> bool:
    """Whether a class has a base that we cannot see."""
    return any(not isinstance(c, Class) for c in access.ancestors(m, cls))


def _call(
    m: Machine,
    func: Func,
    receiver: Value | None,
    given: dict[str, Value],
    other: Callable[[nodes.Param], Value],
) -> None:
    arguments: dict[str, Value] = {}
    for i, param in enumerate(func.node.params):
        if i == 0 and receiver is not None:
            arguments[param.name] = receiver
        elif param.name in given:
            arguments[param.name] = given[param.name]
        elif param.default is not None and param.name in func.defaults:
            # A runner of tests gives nothing for a parameter that has a default.
            arguments[param.name] = func.defaults[param.name]
        else:
            arguments[param.name] = other(param)
    functions.run(m, Call(func.node, []), func, receiver, arguments)
