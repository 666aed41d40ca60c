"""What a graph writes to in place. A program that was not decomposed does not say it in its signature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aoti_lint.program.exported.calls import names_in
from aoti_lint.program.exported.unions import only

_VIEWS = frozenset({
    "_conj", "_neg_view", "_reshape_alias", "alias", "as_strided", "chunk", "detach", "diagonal", "expand",
    "expand_as", "hsplit", "imag", "movedim", "moveaxis", "narrow", "numpy_T", "permute", "real", "select", "slice",
    "split", "split_with_sizes", "squeeze", "swapaxes", "swapdims", "t", "tensor_split", "transpose", "unbind",
    "unfold", "unsqueeze", "view", "view_as", "view_as_complex", "view_as_real", "vsplit", "dsplit",
})  # fmt: skip
"""Operators of `aten` whose result is the memory of their first argument."""

_NOT_WRITTEN = frozenset({"detach_", "requires_grad_", "squeeze_", "unsqueeze_", "t_", "transpose_", "swapaxes_",
                          "swapdims_", "as_strided_"})  # fmt: skip
"""Operators that change a tensor in place, but not its elements."""


def written(graph: Mapping[str, Any], given: Mapping[str, str]) -> set[str]:
    """Which of the tensors behind `given`, names in the graph, an operator of it writes to; views are followed.

    Source: the annotations of the schemas (`Tensor(a!)`); those of `batch_norm` and `instance_norm` leave out that they
    write the running statistics in training.
    """
    found: set[str] = set()
    behind = dict[str | None, str](given.items())
    for node in graph["nodes"]:
        inputs = [(item["name"], item["arg"]) for item in node["inputs"]]
        namespace, _, rest = node["target"].removeprefix("torch.ops.").partition(".")
        op = rest.partition(".")[0]
        first = _tensor_name(inputs[0][1]) if inputs else None
        if namespace == "higher_order":
            found |= _written_inside(inputs, behind)
        elif namespace != "aten" and not op.endswith("_"):
            continue
        elif op in ("batch_norm", "instance_norm"):
            if any(arg.get("as_bool") for name, arg in inputs if name in ("training", "use_input_stats")):
                found |= {behind[name] for name in _given(inputs, "running_mean", "running_var") if name in behind}
        elif op in _VIEWS and first in behind:
            behind.update((name, behind[first]) for output in node["outputs"] for name in names_in(output))
        elif op.endswith("_") and not op.startswith("_") and first in behind:
            behind.update((name, behind[first]) for output in node["outputs"] for name in names_in(output))
            if op not in _NOT_WRITTEN:
                found.add(behind[first])
        else:
            found |= {behind[name] for name in _given(inputs, "out") if name in behind}
    return found


def _given(inputs: Sequence[tuple[str, Mapping[str, Any]]], *keys: str) -> list[str | None]:
    """The tensors that are passed as these arguments."""
    return [_tensor_name(arg) for key, arg in inputs if key in keys]


def _written_inside(inputs: Sequence[tuple[str, Mapping[str, Any]]], behind: Mapping[str | None, str]) -> set[str]:
    """The same for the graphs that an operator is given, such as the body of `with torch.no_grad()`."""
    graphs = [arg["as_graph"]["graph"] for _, arg in inputs if "as_graph" in arg]
    if not graphs:
        return set()
    last = max(index for index, (_, arg) in enumerate(inputs) if "as_graph" in arg)
    operands = [name for _, arg in inputs[last + 1 :] for name in _operands(arg)]
    found: set[str] = set()
    for graph in graphs:
        names = [_tensor_name(arg) for arg in graph["inputs"]]
        if len(names) == len(operands):
            inner = zip(names, operands, strict=True)
            found |= written(graph, {name: behind[outer] for name, outer in inner if name and outer in behind})
    return found


def _operands(arg: Mapping[str, Any]) -> Iterator[str | None]:
    """The names in what an operator passes on to a graph; None for what is no tensor."""
    if "as_tensors" in arg:
        yield from (item["name"] for item in arg["as_tensors"])
    else:
        yield _tensor_name(arg)


def _tensor_name(arg: Mapping[str, Any]) -> str | None:
    key, value = only(arg)
    if key == "as_optional_tensor":
        value = value.get("as_tensor")
    return value["name"] if key in ("as_tensor", "as_optional_tensor") and value else None
