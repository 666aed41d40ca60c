"""Which inputs are indices, and what they have to stay below.

Sources: the schemas of these operators in `aten/src/ATen/native/native_functions.yaml`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from aoti_lint.program import facts

_SAME = {
    "view", "reshape", "_unsafe_view", "unsqueeze", "squeeze", "to", "_to_copy", "clone", "contiguous", "flatten",
    "transpose", "t", "permute", "slice", "select", "expand", "alias", "detach", "detach_", "clamp", "clamp_min", "add",
    "remainder", "where", "masked_fill", "repeat", "roll", "flip", "lift_fresh_copy", "_assert_tensor_metadata",
}  # fmt: skip
"""Operators whose result has the numbers of what they are given, or nearly."""

_ALONG_DIM = {"gather", "index_select", "take_along_dim", "scatter", "scatter_add", "scatter_reduce", "index_add",
              "index_copy", "index_fill", "scatter_", "scatter_add_", "index_add_", "index_copy_"}  # fmt: skip
_ANY_DIM = {"index", "index_put", "index_put_", "_index_put_impl", "_unsafe_index", "_unsafe_index_put"}
_CLASSES = {"cross_entropy_loss", "nll_loss", "nll_loss_nd", "nll_loss_forward", "nll_loss2d_forward"}


def limits(program: facts.Program) -> dict[str, tuple[facts.Size, ...]]:
    """For the inputs of a program that index something: by name, the sizes their numbers must stay below."""
    users = {item.name for item in program.inputs if item.kind == "tensor"}
    origins: dict[str, set[str]] = {name: {name} for name in users}
    found: dict[str, set[facts.Size]] = defaultdict(set)
    for call in program.calls:
        op = call.target.split(".")[1] if call.target.count(".") else call.target
        for read, sizes in _bounds(op, call, program.tensors):
            for user in origins.get(read, ()):
                found[user].update(sizes)
        if op in _SAME:
            came = set().union(*(origins.get(name, set()) for name in call.inputs))
            for name in call.outputs if came else ():
                origins[name] = came
    return {name: tuple(sorted(sizes, key=str)) for name, sizes in found.items()}


def _bounds(
    op: str, call: facts.OpUse, tensors: Mapping[str, facts.Tensor]
) -> Iterator[tuple[str, tuple[facts.Size, ...]]]:
    """What one call reads as indices, and the sizes those index."""
    if op == "one_hot" and call.inputs:
        classes = call.args.get("num_classes", "-1")
        if classes.isdecimal():
            yield call.inputs[0], (int(classes),)
    if len(call.inputs) < 2 or call.inputs[0] not in tensors:
        return
    shape = tensors[call.inputs[0]].shape
    if op in ("embedding", "embedding_bag", "_embedding_bag", "_embedding_bag_forward_only"):
        yield call.inputs[1], shape[:1]
        if len(call.inputs) > 2:
            # Offsets of bags: all zero is always right.
            yield call.inputs[2], (1,)
    elif op in _ALONG_DIM:
        dim = int(call.args.get("dim", "0"))
        if -len(shape) <= dim < len(shape):
            yield call.inputs[1], (shape[dim],)
    elif op in _ANY_DIM:
        for name in call.inputs[1:]:
            yield name, shape
    elif op in _CLASSES and shape:
        yield call.inputs[1], (shape[1 if len(shape) > 1 else 0],)
