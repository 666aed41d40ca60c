"""`torch.cond`: both of its functions are traced, with the same operands, and must give the same kind of output.

Run on torch 2.13, with and without `strict=True`: sizes may differ; dtypes, numbers of dimensions and containers not.
"""

from __future__ import annotations

from aoti_lint.language import calls
from aoti_lint.language.data import frozen
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.torch import control_flow
from aoti_lint.values.call import Call
from aoti_lint.values.events.compiled import CondCall
from aoti_lint.values.events.forwards import CondBranches
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Tup, Value

_API = "torch.cond"


@function(
    "torch.cond", "torch.ops.higher_order.cond", "torch._higher_order_ops.cond", "torch._higher_order_ops.cond.cond",
    "functorch.experimental.control_flow.cond",
)  # fmt: skip
def _cond(m: Machine, call: Call) -> Value:
    asked, *branches = (call.arg(i, name) for i, name in enumerate(("pred", "true_fn", "false_fn")))
    if asked is None or None in branches or call.open or isinstance(m.see(asked), Const):
        return m.unknown(call.node, "what torch.cond gives")
    functions, test = [m.see(one or NONE) for one in branches], m.see(asked)
    operands = control_flow.operands_of(m, call.node, _API, call.arg(3, "operands") or Tup(()))
    wrong = any(control_flow.is_no_function(m, call.node, _API, one) for one in functions)
    if operands is None or wrong:
        return m.unknown(call.node, "what torch.cond gives")
    control_flow.note(m, call.node, _API)
    control_flow.check_test(m, call.node, _API, test)
    given_values = [m.see(one) for one in operands]
    plain = next((one for one in given_values if isinstance(one, Const) and type(one.value) is not int), None)
    if plain is not None and isinstance(test, Tensor):
        control_flow.refuse(m, call.node, _API, "literal", repr(plain.value))
    if control_flow.is_judged(m) and (m.root.trace is not None or isinstance(test, Tensor)):
        _read(m, Call(call.node, list(operands)), functions)
    given = [frozen.freeze(m, calls.call(m, Call(call.node, list(operands)), one)) for one in functions]
    return control_flow.either(m, given[0], given[1])


def _read(m: Machine, given: Call, functions: list[Value]) -> None:
    """Tell what the functions give and change, or why they cannot be called."""
    if any(control_flow.is_called_otherwise(m, given.node, _API, one, len(given.args)) for one in functions):
        return
    first, second = (hooks.read_branch(m, given, one) for one in functions)
    if any(control_flow.is_taken_apart(m, given.node, _API, one) for one in (first, second)):
        return
    for together, late in ((first.read, False), (second.read, False), (first.read | second.read, True)):
        if control_flow.are_views(m, together):
            late = late or not control_flow.is_followed(m)
            control_flow.refuse(m, given.node, _API, "views", late=late)
            break
    met = CondBranches(m.span(given.node), (first, second), control_flow.is_followed(m), dict(m.root.path))
    if m.root.trace is None:
        m.emit(CondCall, given.node, branches=met)
    else:
        m.root.trace.conds.append(met)
