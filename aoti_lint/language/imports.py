"""Imports: modules of the project are run, everything else is a name."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from aoti_lint.ir import nodes
from aoti_lint.ir.names import asks_for_main
from aoti_lint.language import assignments, given_functions, statements
from aoti_lint.language.data import containers, paths
from aoti_lint.language.effects import torch_imports
from aoti_lint.machine import hooks, tables
from aoti_lint.machine.changes import change
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.recorded.unit import BITS, IMPORT
from aoti_lint.machine.shared import MAX_STEPS, first_of
from aoti_lint.machine.state import Budget, Root
from aoti_lint.torch_api import api, config_keys
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.events.api import ApiUse
from aoti_lint.values.events.event import Turn
from aoti_lint.values.events.process import EnvWrite
from aoti_lint.values.flow import FALL, Fork, Leaf
from aoti_lint.values.frames import Frame
from aoti_lint.values.meter import METER, WORK
from aoti_lint.values.store import Cell, Layer
from aoti_lint.values.values import Begun, Const, Namespace, Ref, Text, Tup, Unknown, Value

EXTERNAL = frozenset({"torch", "pytest", "contextlib", "os", "sys", "argparse", "pathlib", "functools", "typing"})
"""Top-level modules that mean the installed one, whatever files of that name the project has."""
MISSING = ("AttributeError", "ImportError", "ModuleNotFoundError", "Exception", "BaseException")
MAX_MODULES = 4_000
"""Modules that are run besides those that were asked for."""


@cache
def presence(name: str) -> VersionSet | None:
    there = api.presence(name)
    return config_keys.presence(name) if there is None and name.startswith("torch.") else there


def note_use(m: Machine, node: nodes.Node, name: str, how: str) -> None:
    """Tell the rules about a torch name that some target version lacks.

    Under a handler for the missing name the code goes on only in the versions that have it.
    """
    if not name.startswith("torch."):
        return
    there = presence(name)
    if there is None or not m.facts.versions_for(m.root.name) - there:
        return
    answer = m.version_cond(there, f"torch has {name}")
    if answer is True:
        return
    guarded = m.catches(*MISSING)
    m.emit(ApiUse, node, name=name, how=how, guarded=guarded or bool(m.root.fallbacks))
    if guarded:
        failed = Leaf("raise", Ref("ImportError" if how == "import" else "AttributeError"))
        m.root.pending.append(failed if answer is False else Fork(answer, FALL, failed))


def succeeds(m: Machine, node: nodes.Node) -> bool:
    """Whether a statement cannot fail: it imports what torch has in all versions in question, or names a constant."""
    match node:
        case nodes.Import(names=names):
            return all(_has(m, one.dotted) for one in names)
        case nodes.ImportFrom(module=module, level=0, names=names, is_star=False):
            return all(_has(m, f"{module}.{one.dotted}") for one in names)
        case nodes.Assign(targets=targets, value=nodes.Const()):
            return all(isinstance(one, nodes.Name) for one in targets)
        case _:
            return False


def _has(m: Machine, name: str) -> bool:
    there = presence(name)
    return name == "torch" or (name.startswith("torch.") and there is not None and not m.versions() - there)


def run_module(m: Machine, path: str) -> Namespace | None:
    """The module at `path`, run once for all importers; None if it cannot be read.

    What its top level binds stays; what it does to the process (environment, files, defaults of torch) happens to
    everyone who imports it.
    """
    known = imported(m, path)
    if known is None:
        return None
    if m.read("imported", path) is None:
        state = torch_imports.state(m)
        m.store.write("imported", path, known)
        m.want(("effects", path))
        for (owner, slot), value in m.modules.effects.get(path, {}).items():
            if owner != torch_imports.TABLE or not isinstance(m.store.read(owner, slot), Begun):
                m.store.write(owner, slot, value)
        _tell_variables(m, path, state)
    return known


def imported(m: Machine, path: str) -> Namespace | None:
    """The module at `path`, run if it was not yet."""
    if path not in m.modules.namespaces and path not in m.modules.unread:
        if _is_too_much(m, path):
            m.do(_unread, path)
        else:
            m.unit(("import", path, IMPORT), partial(_run_unit, m, path), partial(imported, m))
    m.reaches(path)
    return m.modules.namespaces.get(path)


def _run_unit(m: Machine, path: str) -> None:
    """Run a module for the first time, and keep what it binds."""
    if m.recording is not None:
        m.recording.begin_module(path, first_of(path) >> BITS)
    tree = m.project.top_level(path)
    if tree is None:
        m.do(_unread, path)
        return
    with m.running(Root(path, Budget(MAX_STEPS)), m.whole_demand), m.facts.in_turn(Turn(IMPORT, path)):
        known = m.modules.namespaces[path] = Namespace(path, m.fresh())
        events = len(m.facts.events)
        bound, changes = _run_once(m, known, tree)
    effects = {cell: value for cell, value in changes.items() if isinstance(cell[0], str)}
    lasting = {cell: value for cell, value in changes.items() if not isinstance(cell[0], str)}
    for cell in [cell for cell in bound if cell in lasting]:
        m.store.write(*cell, lasting.pop(cell))
    m.keep(lasting)
    own = [e for e in m.facts.events[events:] if isinstance(e, EnvWrite) and e.order.turn == Turn(IMPORT, path)]
    m.do(_imported_to_end, known)
    m.do(_has_effects, path, effects, [e for e in own if e.target == "process"])


@change()
def _unread(m: Machine, path: str) -> None:
    m.modules.unread.add(path)


@change()
def _imported_to_end(m: Machine, module: Namespace) -> None:
    m.modules.namespaces[module.path] = module


@change(waits=lambda path, *_: ("effects", path))
def _has_effects(m: Machine, path: str, effects: dict[Cell, Value], variables: list[EnvWrite]) -> None:
    m.modules.effects[path] = effects
    m.modules.variables[path] = variables


def _is_too_much(m: Machine, path: str) -> bool:
    """Whether a module is not run because many others were; those that were asked for are run in any case."""
    if len(m.modules.namespaces) <= MAX_MODULES:
        return False
    asked = m.project.analysed
    if path in asked or len(m.modules.namespaces) <= MAX_MODULES + len(asked):
        return False
    if m.recording is not None:
        # What imports it depends on how many others were imported before.
        m.recording.spoil()
    note = f"more than {MAX_MODULES} modules are imported: not all of them were checked"
    if note not in m.facts.notes:
        m.note(note)
    return True


def _run_once(m: Machine, module: Namespace, tree: nodes.Module) -> tuple[Layer, Layer]:
    """Run a module apart from the current path; gives what those that import it have bound so far, and what it does."""
    bound = _bound_so_far(m)
    m.store.stand_on(bound)
    # A script that does not ask for its name is run here, too; what it finds set is no work of its own.
    hooks.begin_root(m, module.path, not m.project.is_root(module.path) and not asks_for_main(tree))
    changes = m.store.push()
    m.modules.importing.append(changes)
    try:
        with METER.allotted(WORK, m.give_up):
            execute(m, module, tree, m.project.module_name(module.path))
        with METER.allotted(WORK, m.give_up):
            m.follow(module.path, partial(hooks.end_module, m))
    finally:
        m.modules.importing.pop()
    return bound, changes


def _tell_variables(m: Machine, path: str, state: dict[str, Value]) -> None:
    """A module that sets variables is imported when more of torch (`state`) was imported than the module knows of."""
    for event in m.modules.variables.get(path, ()) if state and not m.root.muted else ():
        if not state.keys() <= event.begun.keys():
            order, chain = m.facts.next_order, (*m.root.chain, *event.chain)
            answers, known = {**m.root.path, **event.path}, {**state, **event.begun}
            m.add(replace(event, root=m.root.name, order=order, path=answers, chain=chain, begun=known))


def _bound_so_far(m: Machine) -> Layer:
    """What modules that are not run to their end have bound: one they import may import them in turn."""
    found = Layer()
    cells = (cell for layer in m.modules.importing for cell in layer.items())
    found.update((cell, value) for cell, value in cells if not isinstance(cell[0], str))
    return found


def execute(m: Machine, module: Namespace, tree: nodes.Module, name: str) -> None:
    """Run the top level of a module in its namespace."""
    m.store.write(module.ident, "__name__", Const(name))
    # The project may lie anywhere below or above the current folder.
    m.store.write(module.ident, "__file__", Text((paths.PROJECT_ROOT, Const(f"/{module.path}"))))
    m.root.frames.append(Frame(module.ident, module, ""))

    def run() -> None:
        statements.exec_block(m, tree.body)
        m.do(_followed, module.path)
        given_functions.run_handed(m)

    try:
        m.follow(module.path, run, " its top level")
    finally:
        m.root.frames.pop()


@change(waits=lambda path: ("demand", path), once=lambda path: path, ordered=False)
def _followed(m: Machine, path: str) -> None:
    m.whole_demand.followed.add(path)


def find(m: Machine, dotted: str, level: int) -> str | None:
    """The project file that an import in the current module means."""
    if level == 0 and dotted.split(".", 1)[0] in EXTERNAL:
        return None
    return m.project.resolve(dotted, level, m.frame.module.path)


def import_module(m: Machine, node: nodes.Node, dotted: str, level: int = 0) -> Value:
    """The module `dotted`, of the project or from outside."""
    path = find(m, dotted, level)
    if path is not None:
        _run_packages(m, dotted, level)
        found = run_module(m, path)
        return found if found is not None else m.unknown(node, f"{path} could not be read")
    if level:
        return Unknown(f"import:{'.' * level}{dotted}", f"the module {'.' * level}{dotted} was not found")
    return _outside(m, node, dotted)


def _outside(m: Machine, node: nodes.Node, dotted: str) -> Value:
    """The module `dotted` that is none of the project."""
    put = m.read("external", dotted)
    if put is not None:
        return put
    note_use(m, node, dotted, "import")
    _begin(m, node, dotted)
    return Ref(dotted)


def _run_packages(m: Machine, dotted: str, level: int) -> None:
    """The packages around a module are imported before it: those that have something to do with what rules speak of."""
    parts = dotted.split(".")
    for count in range(1, len(parts)):
        path = find(m, ".".join(parts[:count]), level)
        if path is not None and m.project.may_matter(path):
            run_module(m, path)


def _begin(m: Machine, node: nodes.Node, dotted: str) -> None:
    """A module outside the project is imported, and with it those around it."""
    top = dotted.partition(".")[0]
    torch_imports.begin(m, node, f"import {top}")
    if dotted != top:
        torch_imports.begin(m, node, f"import {dotted}")


def exec_import(m: Machine, node: nodes.Import) -> None:
    for alias in node.names:
        parts = alias.dotted.split(".")
        if _is_namesake(m, parts):
            meant = _outside(m, alias, alias.dotted)
            assignments.bind_name(m, alias.name or parts[0], meant if alias.name else Ref(parts[0]))
            continue
        # What the program itself put into `sys.modules` is found before the packages around it.
        whole = m.read("external", alias.dotted)
        for i in range(1, len(parts) + 1) if whole is None else ():
            whole = import_module(m, alias, ".".join(parts[:i]))
        if alias.name is not None and whole is not None:
            assignments.bind_name(m, alias.name, whole)
        else:
            assignments.bind_name(m, parts[0], import_module(m, alias, parts[0]))


def _is_namesake(m: Machine, parts: list[str]) -> bool:
    """Whether a package inside of another one of the project only has the name of the one that is meant.

    It has no such module then: `import onnx.helper` in `tests/onnx`, where `tests` is a package.
    """
    path, dotted = find(m, parts[0], 0) if len(parts) > 1 else None, ".".join(parts)
    if path is None or m.project.module_name(path) == parts[0] or path.rpartition("/")[0] == parts[0]:
        return False
    return find(m, dotted, 0) is None and not m.project.is_package(dotted, 0, m.frame.module.path)


def exec_import_from(m: Machine, node: nodes.ImportFrom) -> None:
    path = find(m, node.module, node.level)
    source = import_module(m, node, node.module, node.level) if path is not None or not node.level else None
    if node.is_star:
        _star(m, node, source)
        return
    for alias in node.names:
        bound = alias.name or alias.dotted
        assignments.bind_name(m, bound, _imported(m, alias, node, source))


def _imported(m: Machine, alias: nodes.Alias, node: nodes.ImportFrom, source: Value | None) -> Value:
    name = alias.dotted
    if isinstance(source, Ref):
        qualified = f"{source.name}.{name}"
        sub = find(m, f"{node.module}.{name}", node.level)  # a module in a folder without __init__
        if sub is not None:
            found = run_module(m, sub)
            return found if found is not None else m.unknown(alias, f"{sub} could not be read")
        put = m.read("external", qualified)
        if put is not None:
            return put
        note_use(m, alias, qualified, "import")
        _begin(m, alias, qualified)
        made = tables.VALUES.get(qualified)
        return made(m) if made is not None else Ref(qualified)
    if isinstance(source, Namespace):
        return member(m, alias, source, name)
    dotted = f"{node.module}.{name}" if node.module else name
    sub = find(m, dotted, node.level)
    if sub is not None:
        found = run_module(m, sub)
        if found is not None:
            return found
    return Unknown(f"import:{'.' * node.level}{dotted}", f"{dotted} was not found")


def _star(m: Machine, node: nodes.ImportFrom, source: Value | None) -> None:
    if isinstance(source, Namespace):
        listed = m.read(source.ident, "__all__")
        names = containers.items_of(m, listed) if listed is not None else None
        wanted = {i.value for i in names if isinstance(i, Const)} if names is not None else None
        for slot, value in list(m.store.slots(source.ident)):
            if slot.startswith("#") or (slot.startswith("_") if wanted is None else slot not in wanted):
                continue
            assignments.bind_name(m, slot, value)
    elif isinstance(source, Ref):
        held = m.read(m.frame.module.ident, "#stars")
        before = held.items if isinstance(held, Tup) else ()
        m.store.write(m.frame.module.ident, "#stars", Tup((*before, source)))


def starred(m: Machine, module: Namespace, name: str) -> Value | None:
    """`name` out of the modules from outside that `module` imported with a star, where torch is known to have it."""
    held = m.read(module.ident, "#stars")
    for source in held.items if isinstance(held, Tup) else ():
        if isinstance(source, Ref):
            qualified = f"{source.name}.{name}"
            if qualified in tables.FUNCTIONS or presence(qualified):
                return Ref(qualified)
    return None


def member(m: Machine, node: nodes.Node, module: Namespace, name: str) -> Value:
    """`module.name`: what its top level bound, or a submodule."""
    found = m.read(module.ident, name)
    if found is not None:
        return found
    sub = m.project.resolve(f"{m.project.module_name(module.path)}.{name}", 0, module.path)
    if sub is not None and sub != module.path:
        ran = run_module(m, sub)
        if ran is not None:
            return ran
    from_star = starred(m, module, name)
    if from_star is not None:
        return from_star
    return Unknown(f"{module.path}:{name}", f"{name} was not found in {module.path}")
