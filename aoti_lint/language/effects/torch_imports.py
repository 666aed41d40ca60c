"""Which modules of torch that read variables on import were imported by now, and by what.

`torch._inductor.config` is not imported by `import torch` (only torch 2.5 does that), but by the first export, by
making an optimizer, or by just reading `torch._inductor`: a variable set later is never looked at again.
"""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.torch_api import moments
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.choices import choose
from aoti_lint.values.values import ABSENT, Begun, Choice, Value

TABLE = "begun"
"""Owner of the cells, one for each module that was imported."""
_ALL, _NOTHING = ~VersionSet(), VersionSet()


def begin(m: Machine, node: nodes.Node, action: str) -> None:
    """Note what `action` (a call's qualified name, an attribute's, or `import name`) imports."""
    here = None
    for module, versions in moments.loaded_by(action).items():
        before = m.store.read(TABLE, module)
        if type(before) is Begun:
            continue
        if before is not None:
            seen = m.see(before)
            missing = _missing(seen)
            here = m.versions() if here is None else here
            if not missing & versions & here:
                # Asked all the same, with the answer no.
                m.world.version_questions += bool(missing)
                if seen is not before:
                    m.store.write(TABLE, module, seen)
                continue
        made = Begun(action, m.span(node), tuple(m.root.chain))

        def filled(value: Value, made: Begun = made, versions: VersionSet = versions, module: str = module) -> Value:
            if value is not ABSENT:
                return value
            # Asked here, where the releases in which it had begun already are ruled out.
            cond = m.version_cond(versions, f"{action} imports {module}")
            if isinstance(cond, bool):
                return made if cond else ABSENT
            return choose(cond, made, ABSENT)

        after = filled(ABSENT) if before is None else lift(m, before, filled)
        if after is not ABSENT:
            m.store.write(TABLE, module, after)


def _missing(value: Value, among: VersionSet = _ALL) -> VersionSet:
    """The releases in which a module may not have been imported, as far as the value of its cell tells."""
    if type(value) is not Choice:
        return among if value is ABSENT else _NOTHING
    holds = value.cond.key[1] if value.cond.key[0] == "version" else None
    if not isinstance(holds, VersionSet):
        return _missing(value.then, among) | _missing(value.other, among)
    return _missing(value.then, among & holds) | _missing(value.other, among - holds)


def state(m: Machine) -> dict[str, Value]:
    """What was imported by now."""
    return {module: value for module, value in m.store.slots(TABLE) if value is not ABSENT}


def forget(m: Machine) -> None:
    """A new process has imported nothing."""
    for module, _ in list(m.store.slots(TABLE)):
        m.store.write(TABLE, module, ABSENT)
