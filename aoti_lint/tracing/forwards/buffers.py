"""What looks on while the forward of an exported model runs, for what AOTInductor makes of buffers that it changes.

In a package, buffers are constants of the graph. What is computed from a buffer of one element, numbers, and other such
constants alone is computed once, at the compile (`torch/_inductor/fx_passes/joint_graph.py`,
`constant_fold_uniform_value`, release 2.13.0), also where the forward changes the buffer. And a copy of a buffer that
is returned is the buffer itself, with what it holds at the end of the call. Run on torch 2.13, see the rules AOTI705
and AOTI706.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.data import frozen
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import Machine
from aoti_lint.models.export.tracing import flat_tensors
from aoti_lint.tracing.forwards.forward import ForwardWatch
from aoti_lint.tracing.strides import ELEMENTWISE
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Path
from aoti_lint.values.events.forwards import BufferCopy, BufferFold
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import NONE, TRUE, Const, Obj, Ref, SliceValue, Tup, Value

Of = frozenset[str] | None
"""The buffers whose first values are all that something is computed from; None where it is computed from more."""

BY_ELEMENT = ELEMENTWISE - {"flip", "dropout", "clone", "isclose"}
OPERATORS = frozenset({"+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "~", "<", "<=", ">", ">=", "==", "!="})
FILLED = frozenset({"zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "scalar_tensor"})
CONVERSIONS = frozenset({"to", "type", "float", "half", "double", "int", "long", "short", "bool", "bfloat16"})
SEEN_THROUGH = frozenset({"view", "reshape", "flatten", "squeeze", "unsqueeze", "permute", "t", "expand", "detach"})
"""Views that the compiler looks through for a value that all elements have."""
SAME_BYTES = frozenset({
    "view", "reshape", "flatten", "squeeze", "unsqueeze", "permute", "transpose", "t", "detach", "select", "narrow",
})  # fmt: skip
"""Views whose copy is returned as a part of the buffer."""
UNSIGNED = frozenset({"torch.uint8", "torch.uint16", "torch.uint32", "torch.uint64"})
"""Dtypes whose values are never computed at the compile."""


def is_computed(tensor: Tensor) -> bool:
    """Whether the compiler surely takes a constant for its value: one of one element."""
    return tensor.dtype not in UNSIGNED and tensor.shape is not None and all(size == Const(1) for size in tensor.shape)


@dataclass(slots=True)
class BufferWatch(ForwardWatch):
    """`names` are those of the buffers by the keys of their tensors, `slots` are the keys of those of the exported
    module itself by module and attribute, which it may assign.

    `now` is what each buffer of one element is computed from at this moment, `constants` are the keys of other tensors
    of one element that the program holds. `keeps_assigned`: an assigned buffer is kept, as by exports that are not
    strict.
    """

    names: dict[str, str] = field(default_factory=dict)
    slots: dict[tuple[int, str], str] = field(default_factory=dict)
    now: dict[str, Of] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()
    keeps_assigned: bool = False
    known: dict[str, Of] = field(default_factory=dict)
    """What tensors that the forward makes are computed from."""
    changes: dict[str, tuple[Span, bool, Path]] = field(default_factory=dict)
    """Where each buffer was changed first, whether in place, and on what way."""
    folded: list[tuple[str, frozenset[str], Span, Path]] = field(default_factory=list)
    copies: dict[str, tuple[str, bool, Span]] = field(default_factory=dict)
    """Of which buffer tensors have the first value, whether in memory of their own, and where they were made."""
    results: dict[str, Path] = field(default_factory=dict)
    """The keys of the tensors that are returned, and on what way."""

    # ------------------------------------------------------------ what things are computed from

    def _of(self, value: Value) -> Of:
        if isinstance(value, Tensor):
            if value.key in self.now:
                return self.now[value.key]
            return frozenset() if value.key in self.constants else self.known.get(value.key)
        return frozenset() if isinstance(value, Const | Ref | Device) else None

    def _of_all(self, values: Iterable[Value]) -> Of:
        found: frozenset[str] = frozenset()
        for value in values:
            of = self._of(value)
            if of is None:
                return None
            found |= of
        return found

    def _fold(self, m: Machine, node: nodes.Node, key: str, of: frozenset[str], dtype: str | None) -> None:
        if of and dtype not in UNSIGNED:
            self.folded.append((key, of, m.span(node), dict(m.root.path)))

    def _made(self, m: Machine, node: nodes.Node, name: str, given: Sequence[Value], made: Value) -> None:
        """The operation `name` on `given` gave `made`."""
        values = [m.see(value) for value in given]
        old = {value.key for value in values if isinstance(value, Tensor)}
        new = [leaf for leaf in self._tensors(m, made) if leaf.key not in old]
        of = self._of_all(values)
        first = values[0] if values else NONE
        for tensor in new:
            if name in FILLED:
                self.known[tensor.key] = frozenset()
            elif name in SEEN_THROUGH or name == "clone":
                self.known[tensor.key] = self._of(first)
            elif name in CONVERSIONS:
                self.known[tensor.key] = self._of(first)
                if isinstance(first, Tensor) and tensor.dtype != first.dtype and tensor.dtype and first.dtype:
                    self._fold(m, node, tensor.key, self._of(first) or frozenset(), tensor.dtype)
            elif (name in BY_ELEMENT or name in OPERATORS) and of is not None:
                self.known[tensor.key] = of
                self._fold(m, node, tensor.key, of, tensor.dtype)
            if isinstance(first, Tensor):
                self._copied(m, node, name, first, tensor)

    def _copied(self, m: Machine, node: nodes.Node, name: str, source: Tensor, made: Tensor) -> None:
        """A view or a copy of what holds the first value of a buffer holds it too."""
        held = self._first(m, source)
        if held is not None and (name in SAME_BYTES or name == "clone"):
            buffer, own, where = held
            copied = name == "clone"
            self.copies[made.key] = buffer, own or copied, m.span(node) if copied and not own else where

    def _first(self, m: Machine, tensor: Tensor) -> tuple[str, bool, Span] | None:
        """The buffer whose first value a tensor has, as far as this moment shows."""
        if tensor.key in self.copies:
            buffer, own, _ = self.copies[tensor.key]
            return self.copies[tensor.key] if own or buffer not in self.changes else None
        if tensor.key in self.names and tensor.key not in self.changes and m.frame.at is not None:
            return tensor.key, False, m.span(m.frame.at)
        return None

    # ------------------------------------------------------------ looking on

    def external(self, m: Machine, site: Call, name: str, run: Callable[[], Value]) -> Value:
        """A call of something outside the project."""
        made = super().external(m, site, name, run)
        space, _, tail = name.rpartition(".")
        if space in ("torch", "torch.special", "torch.nn.functional"):
            self._made(m, site.node, tail, site.values, made)
            if tail == "tensor" and isinstance(made, Tensor) and is_computed(made):
                self.known[made.key] = frozenset()
        return made

    def method(self, m: Machine, site: Call, receiver: Value, name: str, run: Callable[[], Value]) -> Value:
        """A call of a method that the project does not define."""
        made = super().method(m, site, receiver, name, run)
        if isinstance(receiver, Tensor):
            self._made(m, site.node, name, [receiver, *site.values], made)
            if name == "to" and m.see(site.kwargs.get("copy", NONE)) == TRUE and isinstance(made, Tensor):
                self._copied(m, site.node, "clone", receiver, made)
        return made

    def combined(self, m: Machine, node: nodes.Node, op: str, values: list[Value], made: Value) -> Value:
        """An operator on tensors gave `made`."""
        self._made(m, node, op, values, made)
        return super().combined(m, node, op, values, made)

    def item(self, m: Machine, node: nodes.Node, source: Value, key: Value, made: Value) -> Value:
        """`source[key]`."""
        made = super().item(m, node, source, key, made)
        keys = [m.see(one) for one in (key.items if isinstance(key, Tup) else (key,))]
        for tensor in self._tensors(m, made):
            indices = tuple(one.key for one in keys if isinstance(one, Tensor))
            self.sources[tensor.key] = (*self.sources.get(tensor.key, ()), *indices)
        if isinstance(source, Tensor) and all(isinstance(one, Const | SliceValue) for one in keys):
            for tensor in self._tensors(m, made):
                self._copied(m, node, "select", source, tensor)
        return made

    def changed(self, m: Machine, node: nodes.Node, tensor: Tensor, name: str = "", by: Sequence[Value] = ()) -> None:
        """The values of a tensor are changed."""
        super().changed(m, node, tensor, name, by)
        key, sure = self.base_of(tensor.key)
        values = [m.see(value) for value in by]
        self.sources[key] = (*self.sources.get(key, ()), *(v.key for v in values if isinstance(v, Tensor)))
        if not sure or key not in self.names:
            return
        self.changes.setdefault(key, (m.span(node), True, dict(m.root.path)))
        if key not in self.now:
            return
        of: Of = None
        plain = name.removesuffix("_")
        if tensor.key != key:
            pass  # a part of it
        elif plain in ("copy", "fill", "[]=") and values:
            of = self._of(values[-1 if plain == "[]=" else 0]) if plain != "[]=" or _is_all(values[0]) else None
        elif plain == "zero":
            of = frozenset()
        elif plain in BY_ELEMENT or plain in OPERATORS:
            of = self._of_all([tensor, *values])
            if of:
                made = f"{key}#{len(self.folded)}"
                self.sources[key] = (*self.sources[key], made)
                self._fold(m, node, made, of, tensor.dtype)
        self.now[key] = of

    def stored(self, m: Machine, node: nodes.Node, owner: Obj, name: str, value: Value) -> None:
        """An attribute is assigned."""
        key, new = self.slots.get((owner.ident, name)), m.see(value)
        if key is not None and isinstance(new, Tensor) and new.key != key and self.keeps_assigned:
            self.changes.setdefault(key, (m.span(node), False, dict(m.root.path)))
            self.sources[key] = (*self.sources.get(key, ()), new.key)
            if key not in self.copies:
                self.copies[key] = key, False, m.span(node)

    def returned(self, m: Machine, value: Value) -> None:
        """The call has ended."""
        for path, leaf in leaves(value, m.root.path):
            for one in flat_tensors(frozen.freeze(m, leaf)):
                if isinstance(one, Tensor):
                    self.results.setdefault(one.key, path)

    # ------------------------------------------------------------ what was found

    def folds(self) -> Iterator[BufferFold]:
        """What is computed from changed buffers at the compile."""
        said = set()
        for key, buffers, span, path in self.folded:
            for buffer in sorted(buffers & self.changes.keys()):
                if buffer not in said and self.made_of(self.results, {key}):
                    said.add(buffer)
                    change = self.changes[buffer][0]
                    yield BufferFold(self.names[buffer], span, change, tuple(path.items()))

    def old(self) -> Iterator[BufferCopy]:
        """The copies of buffers that are returned, and were made before the buffer was changed."""
        for key, path in self.results.items():
            buffer, own, span = self.copies.get(key, ("", False, None))
            if span is not None and buffer in self.changes:
                change, in_place, way = self.changes[buffer]
                if own or not in_place:
                    yield BufferCopy(self.names[buffer], span, change, tuple({**path, **way}.items()))


def _is_all(key: Value) -> bool:
    """Whether `tensor[key]` is all of it."""
    return key == Const(...) or (isinstance(key, SliceValue) and key == SliceValue(NONE, NONE, NONE))
