"""Variables that come from or go elsewhere: what a start script sets, copies, what other programs are given."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import ANY_VARIABLE, ENVIRONMENT, Machine
from aoti_lint.machine.state import Budget, Root
from aoti_lint.machine.tables import method, operator
from aoti_lint.models.process.process import (
    ENVIRON,
    ONLY,
    TABLE,
    is_environment,
    name_of,
    table_of,
    update,
    variable,
    write,
)
from aoti_lint.values.call import Call
from aoti_lint.values.events.event import Turn
from aoti_lint.values.events.process import EnvWrite, FileWrite, ShellWrite
from aoti_lint.values.values import ABSENT, NONE, TRUE, Const, Obj, Unknown, Value

if TYPE_CHECKING:  # few projects have any
    from aoti_lint.source.settings.model import Assignment

BEFORE = -1
"""The phase of what happens before any code runs."""


@hooks.begin_root.answers
def begin(m: Machine, script: str, tells: bool) -> None:
    """Before a script, or one of its functions, is run for itself: it finds what files outside Python set for it."""
    for name, made in m.modules.outside.get(script, {}).items():
        value = value_of(made, script)
        m.store.write(TABLE, name, value)
        if tells:
            m.tell(EnvWrite, made.span, "", name=name, value=value, begun={}, target="outside")


def tell_outside(m: Machine, script: str) -> None:
    """Tell what files outside Python set for a script, before anything of it is run, as a script or as a module."""
    if script in m.modules.outside:
        with m.running(Root(script, Budget(0))), m.facts.in_turn(Turn(BEFORE, script)):
            begin(m, script, True)


def tell_assignments(m: Machine, assignments: Iterable[Assignment]) -> None:
    """Tell what files outside Python set, whatever they start with that."""
    for path, those in groupby(assignments, lambda made: made.span.path):
        with m.running(Root(path, Budget(0))), m.facts.in_turn(Turn(BEFORE, path)):
            for made in those:
                m.tell(FileWrite, made.span, "", name=made.name, value=value_of(made, path))


def tell_unheard(m: Machine, unheard: Iterable[Assignment]) -> None:
    """Tell what shells set and do not hand to what they start."""
    for path, those in groupby(unheard, lambda made: made.span.path):
        with m.running(Root(path, Budget(0))), m.facts.in_turn(Turn(BEFORE, path)):
            for made in those:
                m.tell(ShellWrite, made.span, "", name=made.name, command=made.command or "")


def value_of(made: Assignment, whose: str) -> Value:
    """What a variable is set to for the script, or the file, of this path."""
    if made.value is not None:
        return Const(made.value)
    return Unknown(f"outside:{whose}:{made.name}", f"{made.span.path} sets {made.name} to what is not known")


# ---------------------------------------------------------------- copies


@method("os.environ", "copy", "__copy__")
def _copy(m: Machine, site: Call, receiver: Value) -> Value:
    return copy_of(m, receiver)


def copy_of(m: Machine, environ: Value) -> Obj:
    """A dict with the variables there are now; changing it changes the process no more."""
    made = m.new("object", ENVIRONMENT)
    for slot, held in m.store.slots(table_of(environ)):
        m.store.write(made.ident, slot, held)
        if isinstance(environ, Obj) and (place := m.entries_of(environ.ident).get(slot)) is not None:
            m.write_entry(made.ident, slot, place)
    return made


@hooks.merged_environment.answers
def merged(m: Machine, entries: list[tuple[nodes.Node, Value | None, Value]]) -> Value:
    """What a dict display makes of an environment and other entries; those without a key are mappings (`**`)."""
    first = next(i for i, (_, key, value) in enumerate(entries) if key is None and is_environment(value))
    made = copy_of(m, entries[first][2])
    for node, key, value in entries[:first]:
        # The environment stands after these and wins.
        pairs = [(key, value)] if key is not None else containers.dict_pairs(m, value)
        if pairs is None:
            m.store.write(made.ident, ANY_VARIABLE, TRUE)
        for name, held in pairs or ():
            known = name_of(m, name)
            write(m, node, name, held if known is None else variable(m, known, held, made), made)
    for node, key, value in entries[first + 1 :]:
        pairs = [(key, value)] if key is not None else containers.dict_pairs(m, value)
        if pairs is None:
            lose(m, made)
        update(m, node, pairs, made)
    return made


def lose(m: Machine, environ: Value = ENVIRON) -> None:
    """Nothing is known of the variables any more."""
    table = table_of(environ)
    for slot, _ in list(m.store.slots(table)):
        m.store.write(table, slot, Unknown(f"u{m.fresh()}", "variables of unknown names were set"))
    m.store.write(table, ANY_VARIABLE, TRUE)


# ---------------------------------------------------------------- other programs


def tell_child(m: Machine, node: nodes.Node, given: Value) -> None:
    """Tell what a program is given beside, or instead of, the variables of this process: `env=` of `subprocess`."""
    if is_environment(given):
        told = [(name, m.read(given.ident, name), place) for name, place in m.entries_of(given.ident).items()]
    else:
        pairs = [(name_of(m, key), value) for key, value in containers.dict_pairs(m, given) or ()]
        written, here = m.entries_of(given.ident) if isinstance(given, Obj) else {}, m.span(node)
        told = [(name, value, written.get(name, here)) for name, value in pairs if name is not None]
    for name, value, span in told:
        if value is not None:
            m.tell(
                EnvWrite,
                span,
                m.frame.qualname,
                name=name,
                value=value,
                begun={},
                target="child",
                program=m.span(node),
            )


def hand_on(m: Machine, given: Value) -> None:
    """Within the run of a program that is started: it has the variables it was given."""
    given = m.see(given)
    if given in (NONE, ENVIRON):
        return
    pairs = containers.dict_pairs(m, given)
    if pairs is None and not is_environment(given):
        lose(m)
        return
    for slot, _ in list(m.store.slots(TABLE)):
        m.store.write(TABLE, slot, ABSENT)
    if is_environment(given):
        for slot, held in m.store.slots(given.ident):
            m.store.write(TABLE, slot, held)
        return
    m.store.write(TABLE, ONLY, TRUE)
    for key, value in pairs or ():
        name = name_of(m, key)
        m.store.write(TABLE, ANY_VARIABLE if name is None else name, value)


@operator("os.environ")
def _merged(m: Machine, node: nodes.Node, op: str, a: Value, b: Value | None) -> Value | None:
    return merged(m, [(node, None, a), (node, None, b)]) if op == "|" and b is not None and is_environment(a) else None
