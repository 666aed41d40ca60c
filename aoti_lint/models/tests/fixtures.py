"""What a test is given: fixtures of its class, module and folders, those they use, and pytest's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aoti_lint.ir import nodes
from aoti_lint.language import access, functions, imports, statements
from aoti_lint.language.data import containers
from aoti_lint.language.flow import with_statements
from aoti_lint.language.tools import opaque, slot
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import Machine, sequence
from aoti_lint.machine.tables import method
from aoti_lint.models.tests import patching
from aoti_lint.models.tests.marks import fixture_keywords
from aoti_lint.models.tests.testcases import Axis
from aoti_lint.values.call import Call
from aoti_lint.values.flow import FALL, Flow, endings
from aoti_lint.values.values import TRUE, Class, Const, Func, Namespace, Obj, Value

REQUEST = "pytest.FixtureRequest()"
MAX_FIXTURES = 40
"""Fixtures one test may use."""

Then = Callable[[Value], None]


def conftests(m: Machine, path: str) -> Iterator[str]:
    """The files with fixtures for all tests of a folder, the nearest first."""
    seen = set()
    for level in range(1, path.count("/") + 2):
        found = m.project.resolve("conftest", level, path)
        if found is not None and found not in seen:
            seen.add(found)
            yield found


def visible(m: Machine, cls: Class | None, module: Namespace) -> list[dict[str, Func]]:
    """The fixtures a test can ask for by name, the nearest first."""
    owners: list[Class | Namespace] = [c for c in access.ancestors(m, cls) if isinstance(c, Class)] if cls else []
    owners.append(module)
    for path in conftests(m, module.path):
        found = imports.run_module(m, path)
        if found is None or found in owners:
            continue
        owners.append(found)
        named = m.read(found.ident, "pytest_plugins")
        items = ([named] if isinstance(named, Const) else containers.items_of(m, named)) if named is not None else []
        for item in items or ():
            plugin = m.project.resolve(str(item.value), 0, path) if isinstance(item, Const) else None
            ran = imports.run_module(m, plugin) if plugin is not None else None
            owners += [] if ran is None else [ran]
    levels = []
    for owner in owners:
        level: dict[str, Func] = {}
        for name, value in list(m.store.slots(owner.ident)):
            value = m.see(value)
            keywords = fixture_keywords(m, value)
            if isinstance(value, Func) and keywords is not None:
                given = m.see(keywords.get("name", Const(name)))
                level[str(given.value) if isinstance(given, Const) else name] = value
        levels.append(level)
    return levels


@dataclass(slots=True, eq=False)
class Giver(Value):
    """Makes the fixtures of one run of a test, each once. A value, so that `request` can hold it."""

    m: Machine
    node: nodes.Node
    levels: list[dict[str, Func]]
    receiver: Value | None
    params: dict[str, Value]
    values: dict[str, Value] = field(default_factory=dict)

    def find(self, name: str, users: tuple[Func, ...] = ()) -> Func | None:
        """The fixture as these fixtures, one using the other, see it: of their own name, the one further out."""
        found = (level[name] for level in self.levels if name in level)
        return next((func for func in found if func not in users), None)

    def automatic(self) -> list[str]:
        """The fixtures that every test gets unasked, the outermost first."""
        return [
            name
            for level in reversed(self.levels)
            for name, func in level.items()
            if self.m.see((fixture_keywords(self.m, func) or {}).get("autouse", Const(False))) == TRUE
        ]

    def axes(self, names: list[str]) -> list[Axis]:
        """The cases that the fixtures behind these names multiply a test by."""
        found: dict[str, Axis] = {}
        seen: set[int] = set()
        todo = list(names)
        while todo and len(seen) < MAX_FIXTURES:
            name = todo.pop(0)
            func = self.find(name)
            if func is None or func.ident in seen:
                continue
            seen.add(func.ident)
            params = (fixture_keywords(self.m, func) or {}).get("params")
            if params is not None and self.m.see(params) != Const(None):
                found.setdefault(name, Axis((name,), True, params, frozenset({name})))
            todo += wanted(func)
        return list(found.values())

    def asks(self, name: str) -> bool:
        """Whether what a fixture of this name gives may hang on the case: it, or one behind it, is handed `request`."""
        seen: set[int] = set()
        todo = [name]
        while todo:
            one = todo.pop()
            func = self.find(one)
            if one == "request":
                return True
            if func is not None and func.ident not in seen:
                seen.add(func.ident)
                todo += wanted(func)
        return False

    @contextmanager
    def giving(self, params: dict[str, Value]) -> Iterator[None]:
        """Make fixtures with these parameters; what is made in here is not there afterwards."""
        before = self.params, self.values
        self.params, self.values = params, {**self.values}
        try:
            yield
        finally:
            self.params, self.values = before

    def give_all(
        self, names: list[str], then: Callable[[dict[str, Value]], None], users: tuple[Func, ...] = ()
    ) -> None:
        """Make the fixtures of these names, as far as there are any, and go on with them."""
        given: dict[str, Value] = {}

        def step(index: int) -> None:
            if index == len(names):
                then(given)
                return

            def take(value: Value) -> None:
                given[names[index]] = value
                step(index + 1)

            if not self.give(names[index], take, users):
                step(index + 1)

        step(0)

    def give(self, name: str, then: Then, users: tuple[Func, ...] = ()) -> bool:
        """Make the fixture `name` and go on with it, inside of it if it yields; whether there is one."""
        m, func = self.m, self.find(name, users)
        if func is None or len(users) > MAX_FIXTURES:
            made = self._built_in(name)
            if made is None:
                return False
            then(made)
            return True
        key = f"#{func.ident}"
        if key in self.values:
            then(self.values[key])
            return True

        def ready(value: Value) -> None:
            self.values[key] = value
            after_calls(m, lambda: then(value))

        def make(given: dict[str, Value]) -> None:
            site = Call(self.node, [], self._arguments(func, given, name))
            receiver = self.receiver if func.owner is not None and func.role != "static" else None
            if not (isinstance(func.node, nodes.FunctionDef) and func.node.is_generator):
                value, _ = functions.run(m, site, func, receiver, functions.bind_arguments(m, site, func, receiver))
                ready(value)
                return
            inner: list[Flow] = []

            def inside(value: Value) -> None:
                ready(value)
                inner.append(FALL)

            with_statements.through_generator(m, func, receiver, site, inside, inner)

        self.give_all([n for n in wanted(func) if n != "request"], make, (*users, func))
        return True

    def _arguments(self, func: Func, given: dict[str, Value], name: str) -> dict[str, Value]:
        found = dict(given)
        if "request" in wanted(func):
            made = opaque(self.m, REQUEST)
            lost = self.m.unknown(None, "the parameter of a fixture that has none")
            self.m.store.write(made.ident, "param", self.params.get(name, lost))
            self.m.store.write(made.ident, "#giver", self)
            found["request"] = made
        return found

    def _built_in(self, name: str) -> Value | None:
        if name == "request":
            made = opaque(self.m, REQUEST)
            self.m.store.write(made.ident, "#giver", self)
            return made
        if name not in self.values and name in patching.BUILT_IN:
            self.values[name] = patching.BUILT_IN[name](self.m)
        return self.values.get(name)


def wanted(func: Func) -> list[str]:
    """The parameters of a fixture or test that are asked for by name."""
    skip = 1 if func.owner is not None and func.role != "static" else 0
    return [p.name for p in func.node.params[skip:] if p.default is None and p.kind in ("any", "kw")]


def after_calls(m: Machine, rest: Callable[[], None]) -> None:
    """Go on behind calls that may have raised, such as `pytest.skip()`, on the paths on which they did not."""
    pending, m.root.pending = m.root.pending, []
    flow = sequence(m, pending)
    if flow == FALL:
        rest()
    elif "fall" in endings(flow):

        def fall() -> Flow:
            rest()
            return FALL

        statements.go_on(m, flow, fall)


@method(REQUEST, "getfixturevalue")
def _by_name(m: Machine, site: Call, receiver: Value) -> Value:
    """A fixture by a name that is computed: made now, and not left before the test ends."""
    giver = slot(m, receiver, "#giver") if isinstance(receiver, Obj) else None
    name = m.see(site.args[0]) if site.args else None
    if not (isinstance(giver, Giver) and isinstance(name, Const) and isinstance(name.value, str)):
        return m.unknown(site.node, "a fixture of an unknown name")
    found: list[Value] = []

    def take(value: Value) -> None:
        found.append(value)

    giver.give(name.value, take)
    return found[0] if found else m.unknown(site.node, f"the fixture {name.value} was not found")
