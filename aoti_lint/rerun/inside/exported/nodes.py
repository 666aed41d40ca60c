"""Runs an exported program node by node: which node, input or weight made the first NaN or infinity, or which raised.

Where a kernel of the package does the work of many nodes, this tells them apart: each knows its operator and its line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NoReturn

BUILT_IN = frozenset({"aten", "prim", "prims", "inductor", "debugprims", "_quantized", "c10d", "_c10d_functional"})
"""Namespaces of operators whose fakes are torch's own."""
_FRESH = frozenset({
    "empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "new_empty_strided",
})  # fmt: skip
"""Operators that give memory that nothing has written yet: what is in it is no fault of theirs."""
_MASKS = frozenset({
    "masked_fill", "masked_fill_", "where", "full", "full_like", "new_full", "fill", "fill_", "scalar_tensor",
    "lift_fresh_copy",
})  # fmt: skip
"""Operators that write -inf where the user says so, as masks of attention have it."""
_MOVES = frozenset({
    "_to_copy", "alias", "cat", "clone", "contiguous", "detach", "expand", "flatten", "flip", "gather", "index",
    "index_select", "permute", "repeat", "reshape", "select", "slice", "sort", "split", "squeeze", "stack", "t", "to",
    "transpose", "unbind", "unflatten", "unsqueeze", "view",
})  # fmt: skip
"""Operators that hand numbers on as they are."""
_NAN, _HIGH, _LOW = "NaN", "inf", "-inf"


def run(
    program: Any, module: Any, args: Sequence[Any], kwargs: Mapping[str, Any], kept: Collection[str] = ()
) -> dict[str, Any] | None:
    """The fields of an event about the first fault of a call of `module`, which `program.module()` gave.

    None if the outputs are good, or if nobody can tell where they come from. Where the outputs only have -inf that is
    meant so, it is a `mask`. `kept` are buffers that the call leaves bad numbers in: without any in the outputs, who
    put them there is told. The arguments may be changed.
    """
    import torch
    from torch.utils._pytree import tree_leaves

    given = _in_order(program, kwargs)

    class Nodes(torch.fx.Interpreter):  # type: ignore[misc]
        def run_node(self, node: Any) -> Any:
            return watched.run(node, self.env, super().run_node)

    watched = Watched()
    try:
        with torch.no_grad():
            Nodes(module, garbage_collect_values=False).run(
                *tree_leaves((tuple(args), given)), enable_io_processing=False
            )
    except Raised as raised:
        return raised.fields
    return watched.fault(kept)


class Raised(Exception):
    """A node raised `error`. `fields` say which."""

    def __init__(self, fields: dict[str, Any], error: Exception) -> None:
        super().__init__()
        self.fields, self.error = fields, error


class Watched:
    """What is known of the nodes that were run: what is bad in each, in what it was given, and who made it so."""

    def __init__(self) -> None:
        self._bad: dict[Any, frozenset[str]] = {}
        self._given: dict[Any, dict[Any, frozenset[str]]] = {}
        self._words: dict[Any, tuple[str, ...]] = {}
        self._left: dict[Any, str] = {}
        self._maker: dict[Any, Any] = {}
        self._output: Any = None

    def run(self, node: Any, env: Mapping[Any, Any], call: Any) -> Any:
        """What `call(node)` gives. Raises `Raised` where that raises."""
        if node.op == "output":
            self._output = node
        before = {one: bad(env[one]) for one in node.all_input_nodes if one in env}
        words = tuple(described(env[one]) for one in before if next(tensors(env[one]), None) is not None)
        try:
            result = call(node)
        except Exception as error:
            self._raise(node, env, words, error)
        self._given[node], self._words[node] = before, words
        self._bad[node] = frozenset() if _name(node) in _FRESH else bad(result)
        if self._bad[node]:
            self._left[node] = next(described(one) for one in tensors(result) if bad(one))
        if getattr(getattr(node.target, "_schema", None), "is_mutable", False):
            for one, was in before.items():
                if bad(env[one]) - was:
                    # What operators write to, they give as well: one tensor has several nodes.
                    self._maker.update({other: node for other in env if env[other] is env[one] and other is not node})
                    self._bad[node] |= bad(env[one])
                    self._left.setdefault(node, described(env[one]))
        return result

    def _raise(self, node: Any, env: Mapping[Any, Any], words: tuple[str, ...], error: Exception) -> NoReturn:
        message = str(error).strip().partition("\n")[0][:1000]
        fields = {**_fields(node), "type": type(error).__name__, "message": message, "given": words, "raised": True}
        index = next((one for one in node.all_input_nodes if one in env and _whole(env[one])), None)
        if index is not None and (isinstance(error, IndexError) or "index" in message):
            made = _computed(index, env)
            fields["index"] = {**_fields(made), "given": (described(env[index]),)}
        raise Raised(fields, error) from None

    def fault(self, kept: Collection[str] = ()) -> dict[str, Any] | None:
        """The node that made the first bad value of those that the outputs have, or else the buffers `kept`; None if
        nobody knows."""
        given = self._given.get(self._output, {})
        shown = next((one for kind in (_NAN, _HIGH, _LOW) for one, what in given.items() if kind in what), None)
        buffer = next((one for one in self._given if one.op == "get_attr" and one.target in kept), None)
        keeps = str(buffer.target) if shown is None and buffer is not None else ""
        shown = buffer if shown is None else shown
        made, used = self._origin(shown) if shown is not None else (None, None)
        if made is None:
            return None
        if self._masks(made):
            return {**_fields(made), "kind": "mask"} if not keeps else None
        fields = {**_fields(made), "given": self._words[made], "bad": self._left[made]}
        if used is not None:
            fields["taker"] = _fields(used)
        if keeps:
            fields["kept"] = keeps
        masked = [self._writer(one) for one, what in self._given[made].items() if what]
        if masked:
            fields["masks"] = [_fields(one) for one in masked]
        return fields

    def _origin(self, node: Any) -> tuple[Any, Any]:
        """Who made what is bad in a node, and who took it from there; None if shared memory was changed."""
        seen, used = set(), None
        while node not in seen:
            seen.add(node)
            node = self._maker.get(node, node)
            if not self._bad.get(node):
                break
            given = {one: what for one, what in self._given[node].items() if what}
            bad = [one for one, what in given.items() if _NAN in what]
            if not bad:
                bad = [one for one, what in given.items() if what != {_LOW} or not self._is_masks(one)]
            if not bad:
                return node, used
            used, node = node, bad[0]
        return None, None

    def _is_masks(self, node: Any) -> bool:
        made, _ = self._origin(node)
        return made is not None and self._masks(made)

    def _writer(self, node: Any) -> Any:
        """Who wrote the -inf of a mask that others handed on."""
        while (made := self._origin(node)[0]) is not None:
            given = [one for one, what in self._given[made].items() if what]
            if _is_mask(made) or not given:
                return made
            node = given[0]
        return node

    def _masks(self, made: Any) -> bool:
        """Whether -inf in what an origin leaves may be meant so: it writes it itself, or has it of one that does."""
        return self._bad[made] == {_LOW} and (_is_mask(made) or any(self._given[made].values()))


def _is_mask(node: Any) -> bool:
    """Whether -inf in what it leaves may be meant so."""
    return node.op in ("placeholder", "get_attr") or _name(node) in _MASKS


def _in_order(program: Any, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The named arguments in the order in which the program takes them."""
    spec = program.call_spec.in_spec
    names = (spec.child(1) if hasattr(spec, "child") else spec.children_specs[1]).context
    return {name: kwargs[name] for name in names if name in kwargs}


def _name(node: Any) -> str:
    """The name of the operator that a node calls, without its namespace; empty for another node."""
    packet = getattr(node.target, "overloadpacket", None)
    return str(packet.__name__) if packet is not None else ""


def _fields(node: Any) -> dict[str, Any]:
    """What a node is, in the words of events."""
    kind = {"placeholder": "input", "get_attr": "weight"}.get(node.op, "node")
    space = getattr(node.target, "namespace", "")
    if kind == "node" and _name(node) and space not in BUILT_IN:
        return {"kind": "op", "name": f"{space}::{_name(node)}", "stacks": _stacks(node)}
    name = str(node.target) if kind != "node" else _name(node) or getattr(node.target, "__name__", str(node.target))
    return {"kind": kind, "name": name, "stacks": _stacks(node)}


def _stacks(node: Any) -> list[str]:
    stack = node.meta.get("stack_trace")
    return [stack] if stack else []


def _computed(index: Any, env: Mapping[Any, Any]) -> Any:
    """The node that computed whole numbers, which later nodes only moved; or the input that they came in."""
    import operator

    wanted, node = env[index], index
    while node.target is operator.getitem or _name(node) in _MOVES:
        # Only what has all of the numbers itself can have handed them on.
        before = (one for one in node.all_input_nodes if one in env)
        handed = next((one for one in before if any(_all_in(wanted, each) for each in _whole(env[one]))), None)
        if handed is None:
            break
        node = handed
    return node


def _all_in(one: Any, other: Any) -> bool:
    import torch

    return bool(torch.isin(one.to(torch.int64), other.to(torch.int64)).all())


def _whole(value: Any) -> list[Any]:
    """The tensors of whole numbers in a value."""
    import torch

    kinds = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)
    return [one for one in tensors(value) if one.dtype in kinds and one.layout == torch.strided and not one.is_meta]


def bad(value: Any) -> frozenset[str]:
    """The kinds of bad numbers in the tensors of a value."""
    import torch

    found: set[str] = set()
    for one in tensors(value):
        if not (one.is_floating_point() or one.is_complex()) or one.is_meta or one.layout != torch.strided:
            continue
        plain = torch.view_as_real(one.detach().resolve_conj()) if one.is_complex() else one.detach()
        if plain.dtype.itemsize < 2 or bool(torch.isfinite(plain).all()):
            continue
        found |= {
            name for name, there in (
                (_NAN, torch.isnan(plain).any()), (_HIGH, torch.isposinf(plain).any()),
                (_LOW, torch.isneginf(plain).any()),
            ) if bool(there)
        }  # fmt: skip
    return frozenset(found)


def described(value: Any) -> str:
    """A value in words, such as `float32[4, 18] from 0 to 1.5, 2 NaN`."""
    import torch

    if not isinstance(value, torch.Tensor):
        return repr(value)[:80] if isinstance(value, (int, float, bool)) else type(value).__name__
    kind = str(value.dtype).replace("torch.", "", 1)
    said = f"{kind}{list(value.shape)}"
    plain = value.detach()
    if not value.numel() or value.is_complex() or value.is_meta or value.layout != torch.strided:
        return said
    if not value.is_floating_point():
        whole = plain.to(torch.int64)
        return f"{said} from {int(whole.min())} to {int(whole.max())}"
    wide = plain.to(torch.float64)
    good = wide[torch.isfinite(wide)]
    if good.numel():
        said += f" from {float(good.min()):.4g} to {float(good.max()):.4g}"
    counts = ((_NAN, torch.isnan(wide)), (_HIGH, torch.isposinf(wide)), (_LOW, torch.isneginf(wide)))
    for name, there in counts:
        if bool(there.any()):
            said += f", {int(there.sum())} {name}"
    return said


def tensors(value: Any) -> Iterator[Any]:
    """The tensors in nested arguments or results, in their order."""
    import torch
    from torch.utils._pytree import tree_leaves

    return (leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor))
