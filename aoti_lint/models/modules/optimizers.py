"""Optimizers: making one, or its step, imports the settings of torch's compilers."""

from __future__ import annotations

from aoti_lint.language import calls
from aoti_lint.language.effects import torch_imports
from aoti_lint.language.tools import opaque
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.values.call import Call
from aoti_lint.values.values import Value

OPTIMIZER = "torch.optim.Optimizer"
NAMES = (
    "ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam", "RAdam",
    "RMSprop", "Rprop", "SGD", "SparseAdam",
)  # fmt: skip


def _optimizer(name: str) -> None:
    @function(f"torch.optim.{name}", f"torch.optim.{name.lower()}.{name}")
    def make(m: Machine, call: Call) -> Value:
        # All are made by the same base class; that of SGD was measured.
        torch_imports.begin(m, call.node, "torch.optim.SGD")
        calls.give_away(m, call, name)
        return opaque(m, OPTIMIZER)


for _name in NAMES:
    _optimizer(_name)


@method(OPTIMIZER, "step")
def _step(m: Machine, call: Call, receiver: Value) -> Value:
    torch_imports.begin(m, call.node, f"{OPTIMIZER}.step")
    calls.give_away(m, call, "an optimizer")
    return m.unknown(call.node, "what the step of an optimizer gives")


@method(OPTIMIZER, "zero_grad", "state_dict", "load_state_dict", "add_param_group", "train", "eval")
def _quiet(m: Machine, call: Call, receiver: Value) -> Value:
    return m.unknown(call.node, "a method of an optimizer")
