"""The parameters that a model takes its inputs by."""

from __future__ import annotations

from dataclasses import fields

from aoti_lint.ir import nodes
from aoti_lint.language import access
from aoti_lint.language.data import containers
from aoti_lint.language.flow.lasting import every_node
from aoti_lint.machine.machine import Machine
from aoti_lint.models.modules.layers.layers import layer_of
from aoti_lint.models.python.decorators import DECORATED
from aoti_lint.values.values import NONE, Bound, Class, Func, Obj, Ref, Value

BASES = ("torch.nn.Module", "torch.nn.modules.module.Module", "object", "abc.ABC", "typing.Generic")
"""Base classes that say nothing of the parameters of `forward`."""

OF_ONE_INPUT = frozenset({
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AvgPool1d", "AvgPool2d", "BatchNorm1d", "BatchNorm2d", "Conv1d",
    "Conv2d", "Conv3d", "Dropout", "ELU", "Embedding", "Flatten", "GELU", "GroupNorm", "Hardswish", "Identity",
    "LayerNorm", "LeakyReLU", "Linear", "MaxPool1d", "MaxPool2d", "Mish", "ReLU", "ReLU6", "Sequential", "SiLU",
    "Sigmoid", "Softmax", "Softplus", "Tanh",
})  # fmt: skip
"""Modules of `torch.nn` whose forward takes `input` and no more (run on torch 2.13: `inspect.signature`)."""


def parameters(m: Machine, model: Value) -> tuple[tuple[str, str], ...] | None:
    """The parameters of what is exported, with their kinds, in order; None if they are not known."""
    if isinstance(model, Obj) and isinstance(model.cls, Ref):
        owner, _, name = model.cls.name.rpartition(".")
        return (("input", "any"),) if name in OF_ONE_INPUT and owner.startswith("torch.nn") else None
    func = _function(m, model)
    if func is None:
        return None
    known = tuple((p.name, p.kind) for p in func.node.params)
    return known if isinstance(model, Func) or func.role == "static" else known[1:]


def defaults(m: Machine, model: Value) -> tuple[tuple[str, Value], ...]:
    """The parameters of what is exported that have a default, with what it is."""
    func = _function(m, model)
    return () if func is None else tuple((name, m.see(value)) for name, value in func.defaults.items())


PASSING = frozenset({"Identity", "Dropout"})
"""Layers that hand on what they are given when the model is exported for inference."""
MAX_DEPTH = 4
"""Modules in modules that are looked into for the layer which an input comes to."""
ABOUT = frozenset({"size", "dim", "numel", "stride", "is_contiguous", "contiguous", "ndimension", "nelement"})
"""Methods that say something about a tensor, or bring it into rows, and calculate nothing."""


def operands(m: Machine, model: Value) -> tuple[tuple[str, bool], ...]:
    """The parameters that the forward mentions, and whether it calculates with them: `x * k`, `x.add(k)`, `k.exp()`.

    What only decides a branch, or is handed on to other code of the project, is mentioned.
    """
    func = _function(m, model)
    found: dict[str, bool] = {}
    todo: list[tuple[object, bool]] = [] if func is None else [(func.node.body, False)]
    while todo:
        one, calculated = todo.pop()
        match one:
            case nodes.Name(id=name):
                found[name] = found.get(name, False) or calculated
            case nodes.Bin(left=left, right=right):
                todo += [(left, True), (right, True)]
            case nodes.AugAssign(target=target, value=value):
                todo += [(target, False), (value, True)]
            case nodes.Call(func=nodes.Attr(base=base) as method, args=args):
                of_torch = not (isinstance(base, nodes.Name) and base.id == "self")
                todo += [(base, of_torch and method.name not in ABOUT), *((arg.value, of_torch) for arg in args)]
            case nodes.Unary(value=value):
                todo.append((value, calculated))
            case nodes.FunctionDef():
                todo += [(one.body, False), (one.params, False)]
            case list() | tuple():
                todo += [(item, False) for item in one]
            case nodes.Node():
                todo += [(getattr(one, field.name), False) for field in fields(one)]
    return tuple(found.items())


def layers(m: Machine, model: Value, depth: int = 0) -> tuple[tuple[str, str], ...]:
    """The parameters that the forward hands to built-in layers, and the classes of these layers."""
    if layer := layer_of(m, model):
        items = containers.items_of(m, model) if layer == "Sequential" else None
        first = next((i for i in map(m.see, items or ()) if layer_of(m, i) not in PASSING), None)
        return (("input", layer),) if first is None or depth > MAX_DEPTH else layers(m, first, depth + 1)
    func = _function(m, model)
    if func is None or not isinstance(model, Obj) or depth > MAX_DEPTH:
        return ()
    found: list[tuple[str, str]] = []
    for one in every_node(func.node.body):
        match one:
            case nodes.Call(
                func=nodes.Attr(base=nodes.Name(id="self"), name=part), args=[nodes.Arg(value=nodes.Name(id=given)), *_]
            ):
                inner = layers(m, m.see(m.read(model.ident, part) or NONE), depth + 1)
                found += [(given, layer) for _, layer in inner[:1]]
    return tuple(found)


def _function(m: Machine, model: Value) -> Func | None:
    """The function whose parameters count: behind a wrapper that says what it wraps, that one."""
    func = _called(m, model)
    while func is not None and isinstance(wrapped := m.read(func.ident, "__wrapped__"), Func):
        func = wrapped
    return func


def _called(m: Machine, model: Value) -> Func | None:
    """The function that runs."""
    func: Value | None = None
    if isinstance(model, Obj) and isinstance(model.cls, Class):
        found = access.class_member(m, model.cls, "forward")
        func = found[0] if found is not None else None
    elif isinstance(model, Func):
        func = model
    elif isinstance(model, Bound):
        func = model.func
    return func if isinstance(func, Func) else None


def is_wrapped(m: Machine, model: Value) -> bool:
    """Whether what runs is a wrapper that says what it wraps."""
    return _called(m, model) is not _function(m, model)


def is_settled(m: Machine, model: Value) -> bool:
    """Whether the `forward` that was found is the one that runs: no other is given to the instance or comes before.

    Nor may its defaults have been replaced.
    """
    func = _function(m, model)
    if func is not None and any(m.read(func.ident, slot) for slot in (DECORATED, "__defaults__", "__kwdefaults__")):
        return False
    if not isinstance(model, Obj):
        return True
    if m.read(model.ident, "forward") is not None:
        return False
    if not isinstance(model.cls, Class):
        return True
    for one in access.ancestors(m, model.cls):
        if isinstance(one, Class) and m.read(one.ident, "forward") is not None:
            return True
        if not isinstance(one, Class) and not (isinstance(one, Ref) and one.name in BASES):
            return False
    return False
