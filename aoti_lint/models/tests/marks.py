"""What pytest and its like attach to tests: fixtures, cases, and who provides what.

A decorator only notes what it says in the slots of the function or class; `models.tests` reads it when a test runs.
"""

from __future__ import annotations

from aoti_lint.language.data import containers
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.tests import skips
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Class, Const, Func, Obj, Pairs, Partial, Ref, Tup, Value

MARKS = "#marks"
"""The slot of a test or test class that holds its marks."""
FIXTURE = "#fixture"
"""The slot of a fixture that holds the keywords it was declared with."""
CASES = "pytest.mark.parametrize()"
USES = "pytest.mark.usefixtures()"
CASE = "pytest.param()"


# ---------------------------------------------------------------- fixtures


@function("pytest.fixture", "pytest.yield_fixture", "pytest_asyncio.fixture")
def _fixture(m: Machine, site: Call) -> Value:
    """`@fixture`, or `@fixture(...)`."""
    given = m.see(site.args[0]) if site.args else NONE
    if isinstance(given, Func):
        return _as_fixture(m, given, dict(site.kwargs))
    return Partial(Ref("pytest.fixture()"), (), tuple(site.kwargs.items()))


@function("pytest.fixture()")
def _decorated(m: Machine, site: Call) -> Value:
    given = m.see(site.args[0]) if site.args else NONE
    return _as_fixture(m, given, dict(site.kwargs)) if isinstance(given, Func) else given


def _as_fixture(m: Machine, func: Func, keywords: dict[str, Value]) -> Value:
    m.store.write(func.ident, FIXTURE, Pairs(tuple((Const(k), v) for k, v in keywords.items())))
    return func


def fixture_keywords(m: Machine, value: Value) -> dict[str, Value] | None:
    """The keywords a fixture was declared with; None if the value is no fixture."""
    held = m.read(value.ident, FIXTURE) if isinstance(value, Func) else None
    return {str(k.value): v for k, v in held.pairs if isinstance(k, Const)} if isinstance(held, Pairs) else None


# ---------------------------------------------------------------- marks


def marks_of(m: Machine, owner: Func | Class) -> list[Value]:
    """What decorators noted for a test or a class of tests."""
    held = m.read(owner.ident, MARKS)
    return list(held.items) if isinstance(held, Tup) else []


@method(CASES, "__call__")
@method(USES, "__call__")
def _mark(m: Machine, site: Call, receiver: Value) -> Value:
    """The decorator: the test as it is, with one more mark."""
    test = m.see(site.args[0]) if site.args else NONE
    if isinstance(test, Func | Class):
        m.store.write(test.ident, MARKS, Tup((*marks_of(m, test), receiver)))
    return test


def _cases(m: Machine, names: Value, values: Value, indirect: Value) -> Value:
    made = opaque(m, CASES)
    m.store.write(made.ident, "names", names)
    m.store.write(made.ident, "values", values)
    m.store.write(made.ident, "indirect", indirect)
    return made


@function("pytest.mark.parametrize", "torch.testing._internal.common_utils.parametrize")
def _parametrize(m: Machine, site: Call) -> Value:
    lost = m.unknown(site.node, "the cases of a test") if site.open else NONE
    names = m.see(site.arg(0, "argnames") or site.arg(None, "arg_str") or lost)
    values = site.arg(1, "argvalues") or site.arg(None, "arg_values") or lost
    return _cases(m, names, values, m.see(site.arg(2, "indirect") or FALSE))


@function("parameterized.parameterized.expand", "parameterized.parameterized", "parameterized.expand")
def _expand(m: Machine, site: Call) -> Value:
    """Cases by position: they have no names."""
    return _cases(m, NONE, site.arg(0, "input") or m.unknown(site.node, "the cases of a test"), FALSE)


@function("parameterized.parameterized_class")
def _parameterized_class(m: Machine, site: Call) -> Value:
    return Partial(Ref("parameterized.parameterized_class()"), (Tup(tuple(site.args[:2])),), ())


@function("parameterized.parameterized_class()")
def _several_classes(m: Machine, site: Call) -> Value:
    """A class of which there are several with other attributes: what they are is not followed."""
    given, cls = site.args[0], m.see(site.arg(1) or NONE)
    names, *values = given.items if isinstance(given, Tup) and given.items else (NONE,)
    listed = argument_names(m, m.see(names)) if values else None
    if listed is None:
        rows = containers.items_of(m, names) or []
        pairs = [containers.dict_pairs(m, row) or [] for row in rows]
        listed = [str(k.value) for row in pairs for k, _ in row if isinstance(k, Const)]
    if isinstance(cls, Class):
        for name in listed:
            m.store.write(cls.ident, name, m.unknown(site.node, "an attribute that each class made of this sets anew"))
    return cls


def argument_names(m: Machine, given: Value) -> list[str] | None:
    """The names `parametrize` is given, as a text or a sequence; None if they are not known."""
    if isinstance(given, Const) and isinstance(given.value, str):
        return [n.strip() for n in given.value.split(",") if n.strip()]
    items = containers.items_of(m, given)
    if items is None or not all(isinstance(i, Const) for i in items):
        return None
    return [str(i.value) for i in items if isinstance(i, Const)]


@function("pytest.param", "parameterized.param")
def _param(m: Machine, site: Call) -> Value:
    made = opaque(m, CASE)
    m.store.write(made.ident, "values", Tup(tuple(site.args)))
    m.store.write(made.ident, "marks", site.kwargs.get("marks", NONE))
    named = tuple((Const(k), v) for k, v in site.kwargs.items() if k not in ("marks", "id"))
    m.store.write(made.ident, "named", Pairs(named))
    return made


@function("torch.testing._internal.common_utils.subtest")
def _subtest(m: Machine, site: Call) -> Value:
    made = opaque(m, CASE)
    values = m.see(site.arg(0, "arg_values") or NONE)
    m.store.write(made.ident, "values", Tup(values.items if isinstance(values, Tup) else (values,)))
    m.store.write(made.ident, "marks", site.kwargs.get("decorators", NONE))
    return made


@function("pytest.mark.usefixtures")
def _uses(m: Machine, site: Call) -> Value:
    made = opaque(m, USES)
    m.store.write(made.ident, "names", Tup(tuple(site.args)))
    return made


def used_fixtures(m: Machine, marks: list[Value]) -> list[str]:
    """The fixtures that marks name."""
    found = [slot(m, one, "names") for one in marks if isinstance(one, Obj) and one.cls == Ref(USES)]
    return [str(i.value) for names in found for i in containers.items_of(m, names) or () if isinstance(i, Const)]


# ---------------------------------------------------------------- skipped and expected failures


def verdict(m: Machine, mark: Value) -> tuple[Value, bool]:
    """The truth under which a test with this mark runs, and whether it is expected to fail."""
    mark = m.see(mark)
    if isinstance(mark, Obj) and mark.cls == skips.SKIP:
        return slot(m, mark, "runs_if", TRUE), False
    if mark == Ref("pytest.mark.skip"):
        return FALSE, False
    return TRUE, mark == Ref("pytest.mark.xfail") or (isinstance(mark, Obj) and mark.cls == skips.FAILS)
