"""In the child: which operators there are, and the inputs that the user or a program has for them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

import torch

from aoti_lint.isolated.serving import says
from aoti_lint.probe.arguments import Example
from aoti_lint.probe.made import data
from aoti_lint.probe.operator import overload
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.exported.calls import OWN_NAMESPACES
from aoti_lint.program.verify.child.loading import load_ops, load_program, load_script

MOST_EXAMPLES = 4
"""Of one operator: calls that differ in nothing that matters are left out before."""


class Found:
    """What was asked for: `ops`, `examples` for them, and what went wrong with a target, by its name."""

    def __init__(self, asked: Mapping[str, Any], stage: Callable[[str], None]) -> None:
        self.errors: dict[str, str] = {}
        self.examples: dict[str, list[Example]] = {}
        self._stage = stage
        self._load(asked["imports"])
        before = registered()
        self._load(asked["targets"])
        names = registered()
        patterns = asked["ops"]
        self.ops = [name for name in names if any(matches(name, pattern) for pattern in patterns)] \
            if patterns else [name for name in names if name not in before and not _internal(name)]  # fmt: skip
        called: list[str] = []
        for path, model in asked["programs"]:
            stage(f"loading {path}")
            for name, example in calls(load_program(path, model)):
                self._example(name, example)
                called.append(name)
        if not patterns:
            self.ops = list(dict.fromkeys([*self.ops, *called]))
        self._given(asked)

    def _load(self, targets: Iterable[str]) -> None:
        """Import each target. What it registers before it raises is there all the same."""
        for target in targets:
            self._stage(f"importing {target}")
            try:
                load(target)
            except (Exception, SystemExit) as error:
                self.errors[target] = says(error)

    def _given(self, asked: Mapping[str, Any]) -> None:
        given: list[Any] = []
        if asked["inputs"]:
            self._stage(f"running {asked['inputs']}")
            place, _, function = asked["inputs"].rpartition(":")
            made = getattr(load(place), function, None)
            if made is None:
                raise Unreadable(f"{place} has no function {function}")
            given += made()
        if asked["examples"]:
            given += torch.load(asked["examples"], weights_only=True)
        for item in given:
            if not isinstance(item, tuple | list) or len(item) not in (2, 3):
                raise Unreadable("inputs are (operator, args) or (operator, args, kwargs), with args a tuple")
            op = overload(item[0])
            self._example(name_of(op), Example.bind(op, tuple(item[1]), item[2] if len(item) == 3 else {}), first=True)

    def _example(self, name: str, example: Example, first: bool = False) -> None:
        known = self.examples.setdefault(name, [])
        if first:
            known[:] = [other for other in known if not other.made]
        if all(other.words() != example.words() for other in known) and len(known) < MOST_EXAMPLES:
            known.append(example)


def registered() -> list[str]:
    """The names of all operators, in the order of the alphabet."""
    return sorted(torch._C._dispatch_get_all_op_names())


def matches(name: str, pattern: str) -> bool:
    """Whether `--op` means this operator; an overload need not be named."""
    return fnmatchcase(name, pattern) or fnmatchcase(name.partition(".")[0], pattern)


def _internal(name: str) -> bool:
    """Whether it comes with torch, which registers some late: `triton::_triton_bsr…` with CUDA (`torch/cuda`)."""
    return name.partition("::")[0] in OWN_NAMESPACES or name.startswith("triton::_triton_")


def load(target: str) -> Any:
    """A file or a module, as on the command line."""
    if target.endswith(".py"):
        return load_script(target)
    if target.endswith((".so", ".dylib", ".dll", ".pyd")):
        return load_ops(target)
    return importlib.import_module(target)


def name_of(op: Any) -> str:
    """As the dispatcher lists it."""
    name: str = op._schema.name
    return f"{name}.{op._schema.overload_name}" if op._schema.overload_name else name


def calls(program: Any) -> Iterator[tuple[str, Example]]:
    """The calls of custom operators in a program, with inputs of the shapes and types they had there."""
    graphs = (part.graph for part in program.graph_module.modules() if isinstance(part, torch.fx.GraphModule))
    for node in (node for graph in graphs for node in graph.nodes):
        op = node.target
        if node.op == "call_function" and isinstance(op, torch._ops.OpOverload) and op.namespace not in OWN_NAMESPACES:
            args, kwargs = torch.fx.map_arg((node.args, dict(node.kwargs)), _concrete)
            bound = Example.bind(op, args, kwargs)
            yield name_of(op), Example(bound.values, made=True)


def _concrete(node: Any) -> Any:
    """What a node of a graph is in the example that was exported."""
    value = node.meta.get("val")
    if isinstance(value, torch.Tensor):
        shape = tuple(_size(size) for size in value.shape)
        made = data(shape, value.dtype, 0)
        if value.device.type == "cuda" and torch.cuda.is_available():
            made = made.to(value.device)
        order = sorted(range(made.dim()), key=lambda dim: _size(value.stride(dim)), reverse=True)
        return made.permute(order).contiguous().permute([order.index(dim) for dim in range(made.dim())])
    return _size(value) if isinstance(value, torch.SymInt) else value


def _size(size: Any) -> int:
    hint = size if type(size) is int else size.node.hint
    # A size that is only known from data: any will do.
    return 8 if hint is None else int(hint)
