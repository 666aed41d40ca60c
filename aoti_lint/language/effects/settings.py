"""Writes to torch's modules of settings: `torch._inductor.config` and its like."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.data import frozen
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.process import ConfigWrite
from aoti_lint.values.values import Const, Pairs, Value

INDUCTOR = "torch._inductor.config"
"""The module with the settings of Inductor."""
MODULES = (
    INDUCTOR, "torch._dynamo.config", "torch._functorch.config", "torch.fx.experimental._config",
    "torch.compiler.config", "torch._export.config", "torch._inductor.config_comms", "torch.distributed.config",
    "torch.utils.serialization.config",
)  # fmt: skip


def key_of(qualified: str) -> tuple[str, str] | None:
    """The module of settings and the dotted key that a qualified name means."""
    module = next((one for one in MODULES if qualified.startswith(f"{one}.")), None)
    return None if module is None else (module, qualified[len(module) + 1 :])


def set_key(m: Machine, node: nodes.Node, qualified: str, value: Value) -> None:
    """`torch._inductor.config.key = value`."""
    found = key_of(qualified)
    if found is not None:
        m.emit(ConfigWrite, node, module=found[0], key=found[1], value=frozen.freeze(m, value), how="attribute")


def tell_patch(m: Machine, call: Call, module: str, key: str, value: Value) -> None:
    """`config.patch(key=value)`."""
    held = frozen.freeze(m, value)
    m.emit(ConfigWrite, call.node, module=module, key=key, value=held, how="patch", discarded=call.discarded)


def tell_options(m: Machine, call: Call, api: str, name: str) -> None:
    """The settings in the dict that the function `api` takes as `name`."""
    given = call.kwargs.get(name)
    if given is None:
        return
    argument = next((a for a in call.node.args if a.name == name), None) if isinstance(call.node, nodes.Call) else None
    for answers, leaf in leaves(frozen.freeze(m, given), m.root.path):
        with m.alternative(answers):
            for key, value in leaf.pairs if isinstance(leaf, Pairs) else ():
                if isinstance(key, Const) and isinstance(key.value, str):
                    place = _entry(argument, key.value) or argument or call.node
                    m.emit(ConfigWrite, place, module=INDUCTOR, key=key.value, value=value, how=name, api=api)


def _entry(argument: nodes.Arg | None, key: str) -> nodes.Node | None:
    """The value of a key in a dict that is written where it is given."""
    display = argument.value if argument is not None else None
    if isinstance(display, nodes.DictDisplay):
        for one in display.keys:
            if isinstance(one, nodes.Const) and one.value == key:
                return one
    return None
