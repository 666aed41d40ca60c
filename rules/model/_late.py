"""What is done to the attributes of a model after an export read them, and what still uses the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from aoti_lint.rule import Facts
from aoti_lint.rule.events import AttributeUse, CallEvent, CompileEvent, Event, ExportEvent, SaveEvent, WeightsGiven
from aoti_lint.rule.links import packages_of, programs_of, written_to
from aoti_lint.rule.values import Loaded, Obj, Package, Program, Tensor, Value, leaves

MODE = "training"
"""The attribute that `model.eval()` sets."""
DTYPE = "dtype"
"""What stands for the dtype of all weights of a model."""
HOOKS = "forward hooks"
"""What stands for the hooks of a module."""
_Use = CallEvent | CompileEvent | SaveEvent


class Late(NamedTuple):
    """An attribute is bound or changed after `export` read it, and `used` runs the program or writes it down then.

    `only`: for nothing else, as far as the script says. No method of the model reads it afterwards, or one does that is
    given the same input, to be compared, which says nothing of a hook. The model is not exported again. What is changed
    in place and read may be the state of the model alone, which a package has for itself.
    """

    event: AttributeUse
    export: ExportEvent
    used: Event
    only: bool


def late_uses(facts: Facts) -> Iterator[Late]:
    """All of them, in order."""
    for event in facts.of(AttributeUse):
        if event.used == "read" or not isinstance(event.of, Obj) or event.expected:
            continue
        made = facts.grouped(ExportEvent, _read).get((event.root, event.of.ident, event.name), ())
        if not made or any(one.order > event.order or _is_handed(one.program) for one in made):
            continue
        export = max(made, key=lambda one: one.order)
        used = _bound(facts, event, export) if event.used == "bound" else _changed(facts, event, export)
        if used is not None:
            others = facts.grouped(AttributeUse, _attribute)[event.root, event.of.ident, event.name]
            reads = [one for one in others if one.used == "read" and one.order > event.order]
            if not reads or event.used == "bound":
                only = all(_is_compared(one, used) and event.name != HOOKS for one in reads)
                yield Late(event, export, used, only)


def _bound(facts: Facts, event: AttributeUse, export: ExportEvent) -> Event | None:
    """What runs the program, or writes it down, after the attribute was bound: it has what was there before."""
    kinds: tuple[type[_Use], ...] = (CallEvent, CompileEvent, SaveEvent)
    used = (one for kind in kinds for one in facts.grouped(kind, root_of).get(event.root, ()))
    return next((one for one in used if one.order > event.order and _is_of(facts, one, export)), None)


def _changed(facts: Facts, event: AttributeUse, export: ExportEvent) -> Event | None:
    """The call of a package that was compiled before the tensor was changed, and is given no other weights."""
    compiled = {
        one.package.ident
        for one in facts.grouped(CompileEvent, root_of).get(event.root, ())
        if isinstance(one.package, Package) and one.order < event.order
    }
    if any(isinstance(one.taker, Loaded) for one in facts.grouped(WeightsGiven, root_of).get(event.root, ())):
        return None
    for call in facts.grouped(CallEvent, root_of).get(event.root, ()):
        if call.order > event.order and isinstance(call.target, Loaded) and _is_of(facts, call, export):
            made = [one.value for one in packages_of(facts, call.target, call)]
            if all(isinstance(one, Package) and one.ident in compiled for one in made):
                return call
    return None


def _is_of(facts: Facts, used: _Use, export: ExportEvent) -> bool:
    """Whether what is used is surely the program of this export, or was made of it."""
    target = used.target if isinstance(used, CallEvent) else written_to(used)[1]
    made = [one.value for one in programs_of(facts, target, used)]
    return bool(made) and all(isinstance(one, Program) and one.span == export.span for one in made)


def _is_compared(read: AttributeUse, used: Event) -> bool:
    """Whether the model that reads the attribute is given what the program is given."""
    given = [one for value in used.args for _, one in leaves(value)] if isinstance(used, CallEvent) else []
    return any(isinstance(one, Tensor) and one.key in read.given for one in given)


def _is_handed(made: Value) -> bool:
    return any(isinstance(one, Program) and one.handed for _, one in leaves(made))


def root_of(event: Event) -> tuple[str]:
    """The root of an event, to group by."""
    return (event.root,)


def _attribute(event: AttributeUse) -> list[tuple[str, int, str]]:
    return [(event.root, event.of.ident, event.name)] if isinstance(event.of, Obj) else []


def _read(event: ExportEvent) -> list[tuple[str, int, str]]:
    programs = (one for _, one in leaves(event.program, event.path) if isinstance(one, Program))
    return [(event.root, ident, name) for one in programs for ident, name in sorted(one.read)]
