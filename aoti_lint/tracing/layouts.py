"""How the elements of a tensor that a kernel returns lie in memory, as far as the functions that made it say.

Run on torch 2.13: functions element by element and `empty_like` keep the order of the dimensions of their one tensor,
products of matrices and `new_empty` give contiguous tensors, and most others give contiguous ones where what they are
given is contiguous. `nonzero` gives the indices of a dimension one after the other: strides `(1, count)`
(`torch/_subclasses/fake_impls.py`, `nonzero`, release 2.13.0). `torch.linalg` and `einsum` may give any strides.
"""

from __future__ import annotations

from typing import Literal

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.tracing import strides
from aoti_lint.tracing.operations import VIEWS
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.identity import expr_of
from aoti_lint.values.torch_values import Tensor

CONTIGUOUS = (strides.NEW | strides.PRODUCTS) | {
    "mv", "outer", "arange", "eye", "linspace", "tensor", "new_tensor", "one_hot", "embedding", "repeat",
}  # fmt: skip
KEEPING = (strides.ELEMENTWISE | strides.SETTINGS) - {"where"}
"""Functions and methods that keep the order of the dimensions of their one tensor."""
RESHAPING = strides.RESHAPING | {"unsqueeze", "squeeze", "alias"}
PLAIN = (strides.IN_ROWS - RESHAPING) | frozenset({
    "nansum", "nanmean", "median", "count_nonzero", "cummax", "cummin", "logcumsumexp", "renorm", "where",
    "gumbel_softmax", "local_response_norm", "prelu", "index", "hstack", "vstack", "from_numpy", "as_tensor",
    "interpolate",
})  # fmt: skip
TURNING = VIEWS - RESHAPING - {"narrow", "select", "chunk", "split", "split_with_sizes", "tensor_split", "detach"}
BY_ROWS = frozenset({"nonzero", "argwhere"})


@dataclass(frozen=True, slots=True)
class Layout:
    """`like`: as the one of `arguments`. `contiguous`. `plain`: contiguous where all `arguments` are. `rows`: as
    `nonzero` gives it. `part`: a view of a part of something plain. `unknown`."""

    kind: Literal["like", "contiguous", "plain", "rows", "part", "unknown"]
    arguments: frozenset[str] = frozenset()


UNKNOWN, FLAT = Layout("unknown"), Layout("contiguous")


def layout_of(watch: Watch, tensor: Tensor) -> Layout:
    """How the elements of a tensor lie that a trial gave."""
    made = _of_key(watch, tensor.key, 0)
    if made.kind == "like":
        if _shaped_like(watch, tensor, next(iter(made.arguments))):
            return made
        # Element by element with something larger, or without one of its dimensions.
        made = Layout("plain", made.arguments)
    if made.kind == "plain" and watch.makers.get(tensor.key) == "from_numpy" and _turned(tensor):
        return UNKNOWN
    return FLAT if tensor.shape is not None and len(tensor.shape) < 2 and _is_own(watch, tensor.key) else made


def common(layouts: list[Layout]) -> Layout:
    """What holds of the layouts of one output for arguments of several ranks."""
    kinds = {one.kind for one in layouts}
    if len(kinds) == 1:
        return Layout(layouts[0].kind, frozenset().union(*(one.arguments for one in layouts)))
    if kinds <= {"contiguous", "plain"}:
        return Layout("plain", frozenset().union(*(one.arguments for one in layouts)))
    return UNKNOWN


def _is_own(watch: Watch, key: str) -> bool:
    """Whether a tensor is surely no view of another one, of which it may leave elements out."""
    while key in watch.views and not watch.views[key][1]:
        key = watch.views[key][0]
    return key not in watch.views and not key.startswith("arg")


def _of_key(watch: Watch, key: str, depth: int) -> Layout:
    if depth > 100:
        return UNKNOWN
    if key.startswith("arg"):
        return Layout("like", frozenset({key.removesuffix("[]")}))
    parents = [_of_key(watch, one, depth + 1) for one in watch.sources.get(key, ())]
    given = frozenset().union(*(p.arguments for p in parents))
    maker = watch.makers.get(key)
    lost = any(p.kind == "unknown" for p in parents)
    if maker in CONTIGUOUS:
        return FLAT
    if maker in BY_ROWS:
        return Layout("rows")
    if maker in TURNING or lost or (maker is None and not parents):
        return UNKNOWN
    if maker in RESHAPING:
        kinds = {p.kind for p in parents}
        return UNKNOWN if kinds & {"part", "rows"} else Layout("plain", given) if given else FLAT
    if maker is None and key in watch.views:
        return Layout("part", given)
    if maker is None or maker in KEEPING:
        kinds = {p.kind for p in parents}
        if len(parents) == 1 and kinds <= {"like", "contiguous", "plain"}:
            return parents[0]
        if kinds == {"like"} and len(given) == 1:
            return parents[0]
        return UNKNOWN if "rows" in kinds else Layout("plain", given) if given else FLAT
    if maker in PLAIN:
        if maker in ("from_numpy", "as_tensor"):
            given = frozenset(watch.shapes)
        return Layout("plain", given) if given else FLAT
    return Layout("part", given) if maker in VIEWS else UNKNOWN


def _shaped_like(watch: Watch, tensor: Tensor, key: str) -> bool:
    mine, its = tensor.shape, watch.shapes.get(key)
    return mine is not None and its is not None and [*map(expr_of, mine)] == [*map(expr_of, its)]


def _turned(tensor: Tensor) -> bool:
    """Whether dimensions of an argument stand in another order: an array that was turned around."""
    seen: dict[str, int] = {}
    for expr in map(expr_of, tensor.shape or ()):
        if expr[0] == "dim":
            if seen.get(expr[1], -1) > expr[2]:
                return True
            seen[expr[1]] = expr[2]
    return False
