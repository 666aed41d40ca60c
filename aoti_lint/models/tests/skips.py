"""Tests that are skipped or expected to fail: `unittest` and `pytest` decorators."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.operators import unary
from aoti_lint.language.truths import truth
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Class, Func, Obj, Ref, Value

SKIP = Ref("a skip decorator")
FAILS = Ref("an expected failure")


def _decorator(m: Machine, runs_if: Value) -> Value:
    made = Obj(m.fresh(), "object", SKIP)
    m.store.write(made.ident, "runs_if", runs_if)
    return made


@function("unittest.skipIf", "pytest.mark.skipif")
def _skip_if(m: Machine, call: Call) -> Value:
    return _decorator(m, unary(m, call.node, "not", call.arg(0, "condition") or TRUE))


@function("unittest.skipUnless")
def _skip_unless(m: Machine, call: Call) -> Value:
    return _decorator(m, truth(m, call.arg(0, "condition") or TRUE))


@function("unittest.skip", "pytest.mark.skip")
def _skip(m: Machine, call: Call) -> Value:
    given = m.see(call.args[0]) if call.args else NONE
    return _skipped(m, given, FALSE) if isinstance(given, Func | Class) else _decorator(m, FALSE)


@method(SKIP.name, "__call__")
def _apply(m: Machine, call: Call, receiver: Value) -> Value:
    condition = m.read(receiver.ident, "runs_if") if isinstance(receiver, Obj) else None
    return _skipped(m, m.see(call.arg(0) or NONE), condition or TRUE)


def _skipped(m: Machine, test: Value, runs_if: Value) -> Value:
    """The test with one more condition."""
    if not isinstance(test, Func | Class):
        return test
    before = test.runs_if
    return replace(test, runs_if=lift(m, before, lambda v: FALSE if v == FALSE else runs_if))


@function("unittest.expectedFailure")
def _expected_failure(m: Machine, call: Call) -> Value:
    test = m.see(call.arg(0) or NONE)
    return replace(test, may_fail=True) if isinstance(test, Func) else test


@function("pytest.mark.xfail")
def _xfail(m: Machine, call: Call) -> Value:
    given = m.see(call.args[0]) if call.args else NONE
    return replace(given, may_fail=True) if isinstance(given, Func) else Obj(m.fresh(), "object", FAILS)


@method(FAILS.name, "__call__")
def _fails(m: Machine, call: Call, receiver: Value) -> Value:
    test = m.see(call.arg(0) or NONE)
    return replace(test, may_fail=True) if isinstance(test, Func) else test
