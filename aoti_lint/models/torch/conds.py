"""`torch.cond`: both of its functions are traced, with the same operands, and must give the same kind of output.

Run on torch 2.13, with and without `strict=True`: sizes may differ; dtypes, numbers of dimensions and containers not.
"""

from __future__ import annotations

from aoti_lint.language import calls
from aoti_lint.language.data import containers, frozen
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.tensors.sizes import some
from aoti_lint.values.call import Call
from aoti_lint.values.events.compiled import CondCall
from aoti_lint.values.events.forwards import CondBranches
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Tup, Value


@function(
    "torch.cond", "torch.ops.higher_order.cond", "torch._higher_order_ops.cond", "torch._higher_order_ops.cond.cond",
    "functorch.experimental.control_flow.cond",
)  # fmt: skip
def _cond(m: Machine, call: Call) -> Value:
    asked, *branches = (call.arg(i, name) for i, name in enumerate(("pred", "true_fn", "false_fn")))
    operands = containers.items_of(m, call.arg(3, "operands") or Tup(()))
    if asked is None or None in branches or call.open or operands is None or isinstance(m.see(asked), Const):
        return m.unknown(call.node, "what torch.cond gives")
    given = [frozen.freeze(m, calls.call(m, Call(call.node, list(operands)), m.see(one or NONE))) for one in branches]
    tensors = tuple(one for one in map(m.see, operands) if isinstance(one, Tensor))
    branches_given = CondBranches(m.span(call.node), (given[0], given[1]), tensors, dict(m.root.path))
    if m.root.trace is not None and m.root.watch is None:
        m.root.trace.conds.append(branches_given)
    elif m.root.trace is None and isinstance(m.see(asked), Tensor):
        m.emit(CondCall, call.node, branches=branches_given)
    return _either(m, given[0], given[1])


def _either(m: Machine, first: Value, second: Value) -> Value:
    """What is known of an output that is one of two."""
    match first, second:
        case Tup(), Tup() if (len(first.items), first.cls, first.fields) == (
            len(second.items), second.cls, second.fields,
        ):  # fmt: skip
            items = tuple(_either(m, one, other) for one, other in zip(first.items, second.items, strict=True))
            return Tup(items, first.fields, first.cls)
        case Tensor(), Tensor() if first.device == second.device:
            shape = None
            if first.shape is not None and second.shape is not None and len(first.shape) == len(second.shape):
                pairs = zip(first.shape, second.shape, strict=True)
                shape = tuple(
                    one if one == other else some(m, "the size that torch.cond gives") for one, other in pairs
                )
            dtype = first.dtype if first.dtype == second.dtype else None
            return Tensor(f"t{m.fresh()}", first.device, shape, dtype)
    return some(m, "what torch.cond gives")
