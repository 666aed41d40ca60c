"""How the roots of a file are run: its top level as a script or module, and the functions nobody calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from aoti_lint.ir import nodes
from aoti_lint.ir.names import asks_for_main
from aoti_lint.language import access, functions, given_functions, imports, operators, statements, truths
from aoti_lint.language.classes import instances
from aoti_lint.machine import alternatives, hooks
from aoti_lint.machine.machine import FUNCTION_STEPS, Machine
from aoti_lint.machine.recorded.unit import FUNCTIONS, SCRIPTS
from aoti_lint.machine.shared import MAX_STEPS
from aoti_lint.machine.state import Budget, Root
from aoti_lint.models.process import commands, signatures
from aoti_lint.models.process.options import Option, symbol
from aoti_lint.roots import call_order, left_state, testruns
from aoti_lint.tracing import branches  # noqa: F401  # it answers what torch.cond asks of its functions
from aoti_lint.tracing.forwards import compiled, read_again  # noqa: F401  # they answer what an export or compile asks
from aoti_lint.tracing.trials import fake_results  # noqa: F401  # it answers what a custom op gives in an export
from aoti_lint.tracing.trials.ops import try_registered
from aoti_lint.values.call import Call
from aoti_lint.values.code import Code
from aoti_lint.values.events.event import Turn
from aoti_lint.values.frames import MAY_FAIL, Frame
from aoti_lint.values.meter import FILE_WORK, METER, TRIAL_WORK, WORK
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import (
    FALSE,
    TRUE,
    Bound,
    Class,
    Const,
    Func,
    Namespace,
    NodePlace,
    Obj,
    PathValue,
    Ref,
    Sym,
    Unknown,
    Value,
)


def run_script(m: Machine, path: str, phase: int = SCRIPTS) -> None:
    """The top level of a file, as Python runs it: as `__main__` if it asks, else as a module."""
    m.unit(("script", path, phase), partial(_run_script, m, path, phase), partial(imports.imported, m))


def _run_script(m: Machine, path: str, phase: int) -> None:
    tree = m.project.module(path)
    if tree is None:
        return
    maker = f"{path}::"
    if not asks_for_main(tree):
        with m.running(Root("", Budget(MAX_STEPS), maker)), m.facts.in_turn(Turn(phase, path)):
            imports.run_module(m, path)
            follow(m, path, partial(try_registered, m))
        return

    def run() -> None:
        before, script = m.last, Namespace(path, m.fresh())
        imports.execute(m, script, tree, "__main__")
        left_state.note_script(m, script, before, m.store.layers[-1])

    with_layer(m, Root(path, Budget(MAX_STEPS), maker), Turn(phase, path), run)


def with_layer(m: Machine, root: Root, turn: Turn, run: Callable[[], None]) -> bool:
    """Run a root, whose process (variables, files, what was imported) is not the next one's.

    Gives whether it was followed to its end.
    """
    with m.running(root), m.facts.in_turn(turn):
        hooks.begin_root(m, turn.path, root.name != turn.path or not m.project.is_root(turn.path))
        ended = follow(m, root.name, run)
        follow(m, root.name, partial(try_registered, m))
    return ended


def follow(m: Machine, root: str, run: Callable[[], None]) -> bool:
    """Do something for a root, which may cost as much as one; where it cannot be done to the end, that is noted."""
    with METER.allotted(TRIAL_WORK if m.root.budget.shallow else WORK, m.give_up):
        return m.follow(root, run)


def run_functions(m: Machine, path: str, phase: int = FUNCTIONS) -> None:
    """Every function of the file that leads to what rules speak of and that nobody has called."""
    m.unit(("functions", path, phase), partial(_run_functions, m, path, phase), partial(imports.imported, m))


def _run_functions(m: Machine, path: str, phase: int) -> None:
    tree = m.project.module(path)
    if tree is None:
        return
    with m.running(Root("", Budget(MAX_STEPS), f"{path}::()")):
        module = imports.run_module(m, path)
        if module is None:
            return
        left_state.as_module(m, module)
        before = METER.total
        for nth, (one, owners) in enumerate(call_order.uncalled(m, path, tree)):
            if METER.total - before > FILE_WORK:
                m.note(f"{path}: its functions take too long to check them all")
                break
            qualname = ".".join([*owners, one.name])
            # An entry point, a command or a test is a script of its own.
            steps = FUNCTION_STEPS if one.params and not one.decorators and not testruns.is_test(one) else MAX_STEPS
            name, run = f"{path}::{qualname}", partial(run_function, m, module, one, owners)
            if not with_layer(m, Root(name, Budget(steps)), Turn(phase, path, 2 * nth), run):
                # So that its own lines are seen, if not all that they call.
                lines = Root(name, Budget(FUNCTION_STEPS, shallow=True))
                with_layer(m, lines, Turn(phase, path, 2 * nth + 1), run)


def run_function(m: Machine, module: Namespace, node: nodes.FunctionDef, owners: tuple[str, ...]) -> None:
    """Run one function with symbols for its parameters; a method on an instance made the same way.

    What its definition depends on holds while it runs, and what every use of its name depends on.
    """
    if not testruns.is_test(node):
        left_state.restore(m)
    place = NodePlace(module.path, node.start)
    m.root.path = {**m.demand.defined.get(place, {}), **m.demand.used.get(place, {})}
    m.root.frames.append(Frame(module.ident, module, ""))
    owner: Value = module
    for name in owners:
        owner = m.read(owner.ident, name) or Unknown("?", "") if isinstance(owner, Class | Namespace) else owner
    if not isinstance(owner, Class | Namespace):
        return
    found = m.read(owner.ident, node.name)
    while isinstance(found, Obj) and found.cls == Ref("CustomOpDef"):
        found = m.read(found.ident, "function")
    if isinstance(found, Obj) and found.cls == Ref(commands.COMMAND):
        commands.run_command(m, Call(node, []), found)
        return
    if not (isinstance(found, Func) and found.node is node):
        # Decorated into something else, or bound again: run it as it is written, where those decorators let it run.
        qualname = ".".join([*owners, node.name])
        found = statements.make_function(m, node, qualname)
        if isinstance(owner, Class):
            found = Func(
                found.ident, Code.of(module.path, node), module, (), qualname, found.defaults, owner, private=owner.name
            )
        if (inner := m.demand.marked.get(place)) is not None:
            found = replace(found, runs_if=inner.runs_if, may_fail=inner.may_fail)
    if testruns.is_test(node):
        testruns.run_test(m, found, owner, partial(parameter, m, found), lambda cls: an_instance(m, cls, node.name))
        return
    receiver = None
    if isinstance(owner, Class) and found.role != "static":
        receiver = owner if found.role == "class" else an_instance(m, owner, node.name)
    m.store.push()
    before = m.last
    frame = functions.frame_for(m, found, receiver)
    frame.layer = len(m.store.layers) - 1 if node.is_generator else 0
    site = Call(node, [])
    skip = 1 if receiver is not None else 0
    arguments = {p.name: parameter(m, found, p) for p in node.params[skip:]}
    if receiver is not None and node.params:
        arguments[node.params[0].name] = receiver
    skipped = operators.unary(m, node, "not", owner.runs_if if isinstance(owner, Class) else TRUE)
    test = alternatives.lift(m, skipped, lambda v: FALSE if v == TRUE else found.runs_if)
    if found.may_fail:
        m.root.guards.append(MAY_FAIL)
    truths.branch(m, test, lambda: functions.run(m, site, found, receiver, arguments, frame), lambda: None)
    given_functions.run_handed(m)
    # A context manager leaves what there is when it yields: the server runs inside of it.
    left = {**m.store.layers[-1], **frame.at_yield}
    left_state.note_root(m, module.path, before, left)
    if isinstance(receiver, Obj) and node.name != "__init__":
        left_state.note_instance(m, receiver, left)


def an_instance(m: Machine, cls: Class, method: str) -> Value:
    """An instance whose constructor was given anything."""
    new = Obj(m.fresh(), "instance", cls)
    instances.prepare(m, new)
    init = access.class_member(m, cls, "__init__")
    if method != "__init__" and init is not None and isinstance(init[0], Func):
        # What the constructor does was or will be told by its own root.
        m.root.muted += 1
        try:
            arguments = {p.name: parameter(m, init[0], p) for p in init[0].node.params[1:]}
            arguments[init[0].node.params[0].name] = new
            functions.run(m, Call(cls.node, []), init[0], new, arguments)
        finally:
            m.root.muted -= 1
    if method != "__init__":
        left_state.restore_instance(m, new)
        left_state.doubt_instance(m, new, method)
    return new


def parameter(m: Machine, func: Func, param: nodes.Param) -> Value:
    """The value of a parameter nobody gave: a symbol with its default, a tensor where it is annotated so."""
    name = f"{func.module.path}::{func.qualname}"
    key = f"{name}({param.name})"
    if param.kind == "var":
        return Unknown(key, "the arguments of a function nobody calls here")
    if param.kind == "kwvar":
        return Unknown(key, "the arguments of a function nobody calls here")
    annotation = param.annotation
    annotated = (
        annotation.name
        if isinstance(annotation, nodes.Attr)
        else annotation.id
        if isinstance(annotation, nodes.Name)
        else ""
    )
    if annotated == "Tensor" and param.default is None:
        return Tensor(key, Unknown(f"{key}.device", "the device of a parameter"))
    default = func.defaults.get(param.name)
    if isinstance(default, Option):
        return symbol(m, param, signatures.of_parameter(m, func, param), f"{func.module.path}:{func.qualname}")
    if isinstance(default, Const | Sym) or (isinstance(default, Obj) and default.kind == "enum"):
        return Sym(key, f"the parameter {param.name} of {func.qualname}", default, function=name)
    if isinstance(default, PathValue):
        return PathValue(Sym(key, f"the parameter {param.name} of {func.qualname}", default.text, function=name))
    if default is not None:
        return default if not isinstance(default, Bound) else Unknown(key, "a parameter")
    return Unknown(key, f"the parameter {param.name} of {func.qualname}, which nobody calls here")
