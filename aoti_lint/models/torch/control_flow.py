"""What `torch.cond` and its like take, and `while_loop`, `map`, `scan` and `associative_scan`.

Run on torch 2.13, with and without `strict=True`, outside of an export, and in what is compiled. A strict export, and
what is compiled, take numbers and texts among the operands; a strict export takes a condition of many elements, too.
"""

from __future__ import annotations

from collections.abc import Collection
from math import prod

from aoti_lint.ir import nodes
from aoti_lint.language import calls
from aoti_lint.language.classes.modules import is_module
from aoti_lint.language.data import containers, frozen
from aoti_lint.language.effects import gradients
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.modules import forwards
from aoti_lint.models.tensors.sizes import number, some
from aoti_lint.values.call import Call
from aoti_lint.values.events.compiled import ControlCall
from aoti_lint.values.events.forwards import CondBranch, ControlFault
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, Const, Obj, Partial, Tup, Value

_MODES = frozenset({"pointwise", "generic"})
_NO_OPERANDS = {"dict": "a dict", "set": "a set", "iterator": "an iterator"}


def is_judged(m: Machine) -> bool:
    """Whether it is looked at what such functions are given: once, and once more for whose memory that lies in."""
    return m.root.watch is None or m.root.watch.memory_of("") is not None


def refuse(m: Machine, node: nodes.Node, api: str, kind: str, what: str = "", late: bool = False) -> None:
    """Tell that a call is given what `api` does not take (see `ControlFault`)."""
    if (m.root.watch is not None) != (kind == "views") or (kind == "literal" and m.root.compiling):
        return
    fault = ControlFault(m.span(node), api, kind, what, dict(m.root.path), late)
    if m.root.trace is None:
        m.emit(ControlCall, node, fault=fault, within=tuple(m.root.compiling))
    else:
        m.root.trace.control.append(fault)


def is_followed(m: Machine) -> bool:
    """Whether autograd is on; a function that is run for itself may be called where it is off."""
    return m.read(*gradients.CELL) != FALSE and (m.root.trace is not None or "::" not in m.root.name)


def note(m: Machine, node: nodes.Node, api: str) -> None:
    """The functions that `api` is given become graphs of their own."""
    if m.root.trace is not None:
        m.root.trace.graphs[m.span(node)] = api


def check_test(m: Machine, node: nodes.Node, api: str, test: Value, scalar: bool = False) -> None:
    """A condition is one bool, or a tensor of one element; of no dimension if it has to be `scalar`."""
    sizes = [number(size) for size in test.shape or ()] if isinstance(test, Tensor) else []
    known = [size for size in sizes if size is not None]
    if sizes and (scalar or (len(known) == len(sizes) and prod(known) != 1)):
        refuse(m, node, api, "test", f"({', '.join(map(str, known))}{',' if len(known) == 1 else ''})")


def operands_of(m: Machine, node: nodes.Node, api: str, given: Value) -> list[Value] | None:
    """The operands of a call; None where they are not known, or are none that it takes."""
    seen = m.see(given)
    match seen:
        case Tensor():
            wrong = "a tensor"
        case Const():
            wrong = repr(seen.value)
        case Obj():
            wrong = _NO_OPERANDS.get(seen.kind, "")
        case _:
            wrong = ""
    if wrong:
        refuse(m, node, api, "operands", wrong)
        return None
    return containers.items_of(m, given)


def is_no_function(m: Machine, node: nodes.Node, api: str, given: Value) -> bool:
    """Whether something else stands in the place of a function."""
    wrong = isinstance(given, Tensor | Const | Tup)
    if wrong:
        refuse(m, node, api, "function", "a tensor" if isinstance(given, Tensor) else "no function")
    return wrong


def is_called_otherwise(m: Machine, node: nodes.Node, api: str, function: Value, given: int) -> bool:
    """Whether a function cannot be called with so many operands."""
    named = set[str]()
    while isinstance(function, Partial):
        given, named, function = given + len(function.args), named | dict(function.kwargs).keys(), m.see(function.func)
    known = None if forwards.is_wrapped(m, function) else forwards.parameters(m, function)
    if known is None or not forwards.is_settled(m, function):
        return False
    if isinstance(function, Obj) and not is_module(m, function):
        return False
    optional = named | {name for name, _ in forwards.defaults(m, function)}
    placed = [name for name, kind in known if kind not in ("kw", "var", "kwvar")]
    needed = {name for name, kind in known if kind not in ("var", "kwvar")} - {*placed[:given]} - optional
    if not needed and (given <= len(placed) or any(kind == "var" for _, kind in known)):
        return False
    takes = "no argument" if not placed else f"{len(placed)} argument{'s' * (len(placed) > 1)}"
    refuse(m, node, api, "arguments", f"takes {takes}, and is given {given or 'none'}")
    return True


def is_taken_apart(m: Machine, node: nodes.Node, api: str, found: CondBranch) -> bool:
    """Whether a function unpacks a tensor into another number of names than it has rows."""
    if found.unpacked:
        refuse(m, node, api, "unpacked", found.unpacked)
    return bool(found.unpacked)


def either(m: Machine, first: Value, second: Value) -> Value:
    """What is known of an output that is one of two."""
    match first, second:
        case Tup(), Tup() if (len(first.items), first.cls, first.fields) == (
            len(second.items), second.cls, second.fields,
        ):  # fmt: skip
            items = tuple(either(m, one, other) for one, other in zip(first.items, second.items, strict=True))
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


@function(
    "torch.while_loop", "torch.ops.higher_order.while_loop", "torch._higher_order_ops.while_loop",
    "torch._higher_order_ops.while_loop.while_loop",
)  # fmt: skip
def _while_loop(m: Machine, call: Call) -> Value:
    api, node = "torch.while_loop", call.node
    test, body = (m.see(call.arg(i, name) or NONE) for i, name in enumerate(("cond_fn", "body_fn")))
    carried = operands_of(m, node, api, call.arg(2, "carried_inputs") or NONE)
    if call.open or carried is None or any(is_no_function(m, node, api, one) for one in (test, body)):
        return m.unknown(node, "what torch.while_loop gives")
    note(m, node, api)
    more = containers.items_of(m, call.arg(3, "additional_inputs") or Tup(()))
    given = Call(node, [*carried, *(more or ())], open=more is None)
    apart = replace(given, args=[_apart(m, one) for one in given.args])
    otherwise = (is_called_otherwise(m, node, api, one, len(given.args)) for one in (test, body))
    if is_judged(m) and (more is None or not any(otherwise)):
        asked, found = (hooks.read_branch(m, apart, one) for one in (test, body))
        check_test(m, node, api, asked.given, scalar=True)
        if not is_taken_apart(m, node, api, found) and not _not_its_own(m, node, api, found, always=False):
            _check_carried(m, node, api, [m.see(one) for one in carried], found)
            _check_shared(m, node, api, given.args, apart.args, asked.read | found.read)
    calls.call(m, given, test)
    made = frozen.freeze(m, calls.call(m, given, body))
    return either(
        m, Tup(tuple(frozen.freeze(m, one) for one in carried)), made if isinstance(made, Tup) else Tup((made,))
    )


@function(
    "torch._higher_order_ops.map", "torch._higher_order_ops.map.map", "functorch.experimental.control_flow.map",
)  # fmt: skip
def _map(m: Machine, call: Call) -> Value:
    api, body, over = "map", m.see(call.arg(0, "f") or NONE), m.see(call.arg(1, "xs") or NONE)
    if isinstance(over, Const) and over != NONE:
        refuse(m, call.node, api, "operands", "no tensor")
    refused = not call.open and is_no_function(m, call.node, api, body)
    if call.open or refused or not isinstance(over, Tensor) or not over.shape:
        return m.unknown(call.node, "what map gives")
    note(m, call.node, api)
    one = Tensor(f"t{m.fresh()}", over.device, over.shape[1:], over.dtype)
    given = Call(call.node, [one, *call.args[2:]])
    if is_judged(m) and not is_called_otherwise(m, call.node, api, body, len(given.args)):
        apart = [_apart(m, one) for one in given.args]
        found = hooks.read_branch(m, replace(given, args=apart), body)
        if not _not_its_own(m, call.node, api, found, always=True):
            _check_shared(m, call.node, api, [over, *call.args[2:]], apart, found.read)
    calls.call(m, given, body)
    return m.unknown(call.node, "what map gives")


@function("torch._higher_order_ops.scan", "torch._higher_order_ops.scan.scan")
def _scan(m: Machine, call: Call) -> Value:
    """A loop over one dimension, whose function gives what it is given next, and a row of the output."""
    api, node = "scan", call.node
    body, begin, over = (m.see(call.arg(i, name) or NONE) for i, name in enumerate(("combine_fn", "init", "xs")))
    if call.open or is_no_function(m, node, api, body):
        return m.unknown(node, "what scan gives")
    carried: list[Value] | None = [begin] if isinstance(begin, Tensor) else containers.items_of(m, begin)
    dim = number(m.see(call.kwargs.get("dim", Const(0))))
    if carried is None or dim is None or not isinstance(over, Tensor) or not over.shape:
        return m.unknown(node, "what scan gives")
    if not -len(over.shape) <= dim < len(over.shape):
        return m.unknown(node, "what scan gives")
    note(m, node, api)
    dim %= len(over.shape)
    row = Tensor(f"t{m.fresh()}", over.device, over.shape[:dim] + over.shape[dim + 1 :], over.dtype)
    given, apart = Call(node, [begin, row]), [_apart(m, one) for one in carried]
    if is_judged(m) and not is_called_otherwise(m, node, api, body, len(given.args)):
        begun = apart[0] if isinstance(begin, Tensor) else Tup(tuple(apart))
        found = hooks.read_branch(m, Call(node, [begun, row]), body)
        if isinstance(found.given, Tup) and len(found.given.items) != 2:
            refuse(m, node, api, "pair", f"{len(found.given.items)} values")
        elif isinstance(found.given, Tensor) and found.given.shape and number(found.given.shape[0]) not in (None, 2):
            refuse(m, node, api, "pair", "a tensor")
        elif not _not_its_own(m, node, api, found, always=True) and isinstance(found.given, Tup):
            _check_carried(m, node, api, [m.see(one) for one in carried], replace(found, given=found.given.items[0]))
            _check_shared(m, node, api, carried, apart, found.read)
    made = frozen.freeze(m, calls.call(m, given, body))
    if not isinstance(made, Tup) or len(made.items) != 2:
        return m.unknown(node, "what scan gives")
    last, each = made.items
    rows: Value = m.unknown(node, "the output of scan")
    if isinstance(each, Tensor):
        shape = None if each.shape is None else (over.shape[dim], *each.shape)
        rows = Tensor(f"t{m.fresh()}", each.device, shape, each.dtype)
    return Tup((either(m, frozen.freeze(m, begin), last), rows))


@function("torch._higher_order_ops.associative_scan", "torch._higher_order_ops.associative_scan.associative_scan")
def _associative_scan(m: Machine, call: Call) -> Value:
    mode, over = m.see(call.arg(4, "combine_mode") or Const("pointwise")), m.see(call.arg(1, "xs") or NONE)
    if isinstance(mode, Const) and mode.value not in _MODES:
        refuse(m, call.node, "associative_scan", "mode", repr(mode.value))
    elif mode == Const("pointwise") and isinstance(over, Tensor) and over.device in (Device("cpu"), Device("cpu", 0)):
        refuse(m, call.node, "associative_scan", "cpu")
    return m.unknown(call.node, "what associative_scan gives")


def _not_its_own(m: Machine, node: nodes.Node, api: str, found: CondBranch, always: bool) -> bool:
    """Whether a function gives back or changes what was there before; `always`: no change goes without autograd."""
    if found.shared:
        refuse(m, node, api, "shared", found.shared)
    elif found.changed is not None and (always or is_followed(m)):
        refuse(m, node, api, "changed")
    else:
        return False
    return True


def _apart(m: Machine, given: Value) -> Value:
    """What a function is given, told apart from what it may read around itself."""
    seen = m.see(given)
    return replace(seen, key=f"t{m.fresh()}") if isinstance(seen, Tensor) else given


def _check_shared(
    m: Machine, node: nodes.Node, api: str, given: list[Value], apart: list[Value], read: frozenset[str]
) -> None:  # fmt: skip
    """No tensor may be given twice, nor be given and read by the functions from around them, too.

    `read` is what they read, `apart` what stands there for what they are given.
    """
    keys, inside = ([one.key for one in map(m.see, values) if isinstance(one, Tensor)] for values in (given, apart))
    around, late = read.difference(inside), api != "map"  # a map is traced anew where it is called
    if len({*keys}) < len(keys):
        refuse(m, node, api, "twice", late=late)
    elif not around.isdisjoint(keys):
        refuse(m, node, api, "around", late=late)
    elif are_views(m, {*keys, *around}):
        refuse(m, node, api, "views", late=late)


def are_views(m: Machine, keys: Collection[str]) -> bool:
    """Whether two of several tensors surely lie in one memory, where somebody looks at that."""
    return m.root.watch is not None and len({m.root.watch.memory_of(key) for key in keys}) < len(keys)


def _check_carried(m: Machine, node: nodes.Node, api: str, carried: list[Value], found: CondBranch) -> None:
    """The function of a loop has to give what it is given: as many, of the same dtypes and sizes."""
    given = found.given.items if isinstance(found.given, Tup) else (found.given,)
    if isinstance(found.given, Tup | Tensor) and len(given) != len(carried):
        refuse(m, node, api, "carried", f"{len(given)} in the place of {len(carried)}")
        return
    for before, after in zip(carried, given, strict=False):
        if not isinstance(before, Tensor) or not isinstance(after, Tensor):
            continue
        if before.dtype and after.dtype and before.dtype != after.dtype:
            said = f"{after.dtype.removeprefix('torch.')} in the place of {before.dtype.removeprefix('torch.')}"
            refuse(m, node, api, "carried", said)
            return
        sizes = [[number(size) for size in one.shape] for one in (before, after) if one.shape is not None]
        if len(sizes) == 2 and sizes[0] != sizes[1] and None not in (*sizes[0], *sizes[1]):
            refuse(m, node, api, "carried", f"a tensor of {tuple(sizes[1])} in the place of {tuple(sizes[0])}")
            return
