"""How the elements of tensors lie in memory, while a fake or a kernel is tried.

A layout is the order of the dimensions from the widest stride to the narrowest, without those of size 1, whose strides
say nothing. Arguments lie in rows, as most do. What an operation does to the order is written down here only where
torch does the same on the CPU and for meta tensors (run on torch 2.13). Everything else has no layout.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import ATTRIBUTES, METHODS
from aoti_lint.models.tensors import memory
from aoti_lint.models.tensors.sizes import Shape, number, size_arguments, sizes_of
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.identity import expr_of
from aoti_lint.values.sizes.symbols import Expr, equal
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Obj, Ref, Size, SliceValue, Sym, Tup, Value

_ELEMENTWISE = """
    abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh ceil cos cosh
    deg2rad digamma erf erfc erfinv exp exp2 expm1 fix floor frac i0 lgamma log log10 log1p log2 logit nan_to_num
    rad2deg reciprocal round rsqrt sgn sign sin sinc sinh sqrt square tan trunc relu sigmoid tanh dropout celu selu elu
    gelu hardsigmoid hardswish hardtanh leaky_relu mish relu6 silu softplus softshrink softsign tanhshrink threshold
    neg negative flip bitwise_not isnan isinf isfinite isposinf isneginf logical_not signbit
    add addcdiv addcmul arctan2 atan2 bitwise_and bitwise_or bitwise_xor clamp clamp_max clamp_min clip copysign div
    divide floor_divide fmax fmin fmod gcd heaviside hypot lcm ldexp lerp logaddexp logaddexp2 maximum minimum mul
    multiply nextafter pow remainder rsub sub subtract true_divide xlogy where
    eq ge greater greater_equal gt isclose le less less_equal logical_and logical_or logical_xor lt ne not_equal
    clone
"""
ELEMENTWISE = frozenset(_ELEMENTWISE.split())
"""Operations whose result lies as their operands do, if these agree."""
_SETTINGS = """
    float half double int long short bool bfloat16 byte char to type type_as cpu cuda detach
    randn_like rand_like zeros_like ones_like empty_like full_like randint_like
"""
SETTINGS = frozenset(_SETTINGS.split())
"""Operations whose result lies as the first operand does; the others only say what it is to be."""
_IN_ROWS = """
    softmax log_softmax softmin layer_norm rms_norm cumsum cumprod tril triu roll masked_fill
    sum mean amax amin prod any all argmax argmin std var logsumexp norm max min topk sort argsort
    view reshape flatten unflatten ravel view_as reshape_as
    cat concat concatenate stack index_select gather repeat tile repeat_interleave
    scatter scatter_add index_add index_copy index_fill pad embedding
    normalize batch_norm group_norm conv1d conv2d conv3d max_pool1d max_pool2d avg_pool1d avg_pool2d
"""
IN_ROWS = frozenset(_IN_ROWS.split())
"""Operations whose result lies in rows where all their operands do."""
RESHAPING = frozenset({"view", "reshape", "flatten", "unflatten", "ravel", "view_as", "reshape_as"})
"""Those of them that may give the same memory."""
PRODUCTS = frozenset({"mm", "matmul", "linear", "addmm", "bmm"})
_NEW = """
    empty zeros ones rand randn full randint new_empty new_zeros new_ones new_full contiguous
"""
NEW = frozenset(_NEW.split())
"""Functions whose result lies in rows if nothing else is asked for."""
TURNING = frozenset({"transpose", "t", "permute", "swapaxes", "swapdims", "movedim", "moveaxis", "adjoint", "unsqueeze",
                     "squeeze"})  # fmt: skip
"""Methods that give a view with its dimensions in other places."""
TURNED = frozenset({"T", "mT", "H", "mH"})
"""Attributes that are such a view."""
SAME_MEMORY = frozenset({"data"})
CHANGING = frozenset({"resize_", "resize_as_", "set_", "as_strided_", *(f"{name}_" for name in TURNING)})
"""Methods after which the tensor itself lies in another way."""
SPACES = frozenset({"torch", "torch.nn.functional", "torch.special", "torch.linalg"})
"""Where the functions are that the names above mean."""
CHANNELS_LAST = {"torch.channels_last": (0, 2, 3, 1), "torch.channels_last_3d": (0, 2, 3, 4, 1)}
WHOLE = frozenset({"permute", "contiguous", "clone", "to", "empty_like"})
"""Operations that may be told of every dimension."""
MAX_RANK = 5
_LABEL = 1000003
_WHOLE = SliceValue(NONE, NONE, NONE)


@dataclass(frozen=True, slots=True)
class Layout:
    """The dimensions from the widest stride to the narrowest, and whether there are no gaps."""

    order: tuple[int, ...]
    dense: bool = True


def in_rows(shape: Shape) -> Layout:
    """The layout of a contiguous tensor."""
    return Layout(tuple(i for i, one in enumerate(shape) if one != Const(1)))


def strides(layout: Layout, shape: Shape) -> tuple[Expr, ...]:
    """The strides of a dense tensor; 1 for dimensions of size 1."""
    found = [Expr("const", 1)] * len(shape)
    step = Expr("const", 1)
    for dim in reversed(layout.order):
        found[dim] = step
        step = _times(expr_of(shape[dim]), step)
    return tuple(found)


def _times(a: Expr, b: Expr) -> Expr:
    if a[0] == b[0] == "const":
        return Expr("const", a[1] * b[1])
    return a if b == Expr("const", 1) else Expr("*", a, b)


@dataclass(slots=True)
class Layouts:
    """The layouts of tensors, by their keys; None for a tensor that was changed in a way that is not followed."""

    known: dict[str, Layout | None] = field(default_factory=dict)

    def of(self, tensor: Tensor) -> Layout | None:
        """The layout of a tensor, if it is known."""
        if tensor.key not in self.known and memory.in_rows(tensor):
            return in_rows(tensor.shape or ())
        return self.known.get(tensor.key)

    def give(self, tensor: Tensor, layout: Layout | None) -> None:
        """A tensor that was just made lies so."""
        if layout is not None and tensor.shape is not None:
            order = tuple(d for d in layout.order if tensor.shape[d] != Const(1))
            self.known.setdefault(tensor.key, replace(layout, order=order))

    def changed(self, tensor: Tensor) -> None:
        """The tensor itself lies in another way from now on, on this path at least."""
        self.known[tensor.key] = None

    # ------------------------------------------------------------ what was called

    def called(self, m: Machine, name: str, first: Value, rest: Call, made: list[Tensor]) -> None:
        """`made` came out of the function or method `name` of torch; `rest` is the call without its first operand."""
        if rest.open:
            return
        for one in made:
            if one.shape is not None and len(one.shape) <= MAX_RANK:
                self.give(one, self._result(m, name, first, rest, one.shape))

    def layer(self, given: Tensor, made: Tensor, *, flat: bool) -> None:
        """`made` came out of a layer that keeps what lies in rows; `flat`: it gives a matrix in rows for any matrix."""
        shape = made.shape
        if shape is None or len(shape) > MAX_RANK:
            return
        if self.lies_in_rows(given) or (flat and len(shape) == 2 and self.of(given) is not None):
            self.give(made, in_rows(shape))

    def combined(self, op: str, values: Sequence[Value], made: Value) -> Value:
        """`made` is what an operator gave."""
        for _, leaf in leaves(made):
            if isinstance(leaf, Tensor) and leaf.shape is not None:
                follow = self._product if op == "@" else self._elementwise
                self.give(leaf, follow(values, leaf.shape))
        return made

    def attribute(self, m: Machine, node: nodes.Node, name: str, source: Tensor, made: Value) -> None:
        """`made` is an attribute of a tensor."""
        if isinstance(made, Tensor) and name in SAME_MEMORY:
            self.give(made, self.of(source))
        elif isinstance(made, Tensor) and name in TURNED:
            self.give(made, self._turned(source, lambda probe: ATTRIBUTES["Tensor", name](m, node, probe)))

    def item(self, m: Machine, node: nodes.Node, source: Tensor, key: Value, made: Value) -> None:
        """`made` is `source[key]`, a view of it."""
        keys = [m.see(k) for k in key.items] if isinstance(key, Tup) else [m.see(key)]
        before = self.of(source)
        if before is None or not isinstance(made, Tensor) or made.shape is None:
            return
        plain = all(isinstance(k, SliceValue) or (isinstance(k, Const) and type(k.value) is not bool) for k in keys)
        if plain:
            whole = Tup(tuple(_WHOLE if isinstance(k, SliceValue) else k for k in keys))
            layout = self._turned(source, lambda probe: METHODS["Tensor", "__getitem__"](m, Call(node, [whole]), probe))
            kept = all(k in (_WHOLE, NONE, Const(...)) for k in keys)
            self.give(made, layout if layout is None or kept else replace(layout, dense=False))

    # ------------------------------------------------------------ results

    def _result(self, m: Machine, name: str, first: Value, rest: Call, shape: Shape) -> Layout | None:
        values = [first, *rest.values]
        asked = _memory_format(m, name, rest)
        if asked not in (NONE, Ref("torch.preserve_format")):
            return _by_format(asked, shape) if name in NEW | SETTINGS | ELEMENTWISE else None
        if name in NEW:
            return in_rows(shape)
        if name in PRODUCTS:
            return self._product(self._operands(m, values), shape)
        if name in SETTINGS and isinstance(first, Tensor):
            before, made = self.of(first), self._elementwise([first], shape)
            copied = name.endswith("_like") or (before is not None and before.dense)
            return made if copied else None
        if name in ELEMENTWISE:
            return self._elementwise(values, shape)
        if name in IN_ROWS:
            made = self._all_in_rows(self._operands(m, values), shape)
            return in_rows(shape) if name not in RESHAPING and len(in_rows(shape).order) < 2 else made
        if name in TURNING and isinstance(first, Tensor):
            return self._turned(first, lambda probe: METHODS["Tensor", name](m, rest, probe))
        if name in ("empty_strided", "new_empty_strided", "as_strided"):
            given = rest.arg(1 if isinstance(first, Tensor) else 0, "stride")
            return _by_strides(sizes_of(m, given), shape)
        if name == "empty_permuted":
            return _by_order(sizes_of(m, rest.arg(0, "physical_layout")), shape)
        return None

    def _operands(self, m: Machine, values: Sequence[Value]) -> list[Value]:
        """The values, with the items of sequences in their place."""
        found: list[Value] = []
        for value in values:
            items = containers.items_of(m, value) if isinstance(value, Tup | Obj) else None
            found += [value] if items is None else items
        return [v for one in found for _, v in leaves(m.see(one)) if not _is_setting(v)]

    def lies_in_rows(self, value: Value) -> bool:
        """Whether it is a tensor that is surely contiguous."""
        layout = self.of(value) if isinstance(value, Tensor) and value.shape is not None else None
        return layout is not None and isinstance(value, Tensor) and layout == in_rows(value.shape or ())

    def _all_in_rows(self, values: Sequence[Value], shape: Shape) -> Layout | None:
        return in_rows(shape) if values and all(map(self.lies_in_rows, values)) else None

    def _product(self, values: Sequence[Value], shape: Shape) -> Layout | None:
        """In rows: a product of matrices, one or many, that lie in any way, or of what lies in rows by one matrix."""
        ranks = [len(v.shape) if isinstance(v, Tensor) and v.shape is not None else 0 for v in values]
        if len(ranks) == 2 and min(ranks) > 2:
            return in_rows(shape)
        known = all(isinstance(v, Tensor) and self.of(v) is not None for v in values)
        if known and set(ranks[1:]) == {2} and (ranks[0] == 2 or self.lies_in_rows(values[0])):
            return in_rows(shape)
        return self._all_in_rows(values, shape)

    def _elementwise(self, values: Sequence[Value], shape: Shape) -> Layout | None:
        """Operands that broadcast to `shape`: the order in which those of full size lie, and no other in another."""
        whole = set(in_rows(shape).order)
        orders, parts = set(), []
        for _, value in (pair for v in values for pair in leaves(v)):
            if _is_setting(value):
                continue
            layout = self.of(value) if isinstance(value, Tensor) else None
            if layout is None or not isinstance(value, Tensor) or value.shape is None:
                return None
            shift = len(shape) - len(value.shape)
            order = tuple(d + shift for d in layout.order)
            if set(order) == whole:
                orders.add(order)
            else:
                parts.append(order)
        order = orders.pop() if orders else in_rows(shape).order
        agreed = not orders and all(part == tuple(d for d in order if d in part) for part in parts)
        return Layout(order) if agreed else None

    def _turned(self, source: Tensor, turn: Callable[[Tensor], Value]) -> Layout | None:
        """The layout of a view in which dimensions are in other places: `turn` does it to a tensor of marked sizes."""
        before = self.of(source)
        if before is None or source.shape is None:
            return None
        marked = tuple(s if s == Const(1) else Const(_LABEL + i) for i, s in enumerate(source.shape))
        made = turn(replace(source, shape=marked))
        if not isinstance(made, Tensor) or made.shape is None:
            return None
        places = {s.value - _LABEL: i for i, s in enumerate(made.shape)
                  if isinstance(s, Const) and isinstance(s.value, int) and s.value >= _LABEL}  # fmt: skip
        return replace(before, order=tuple(places[d] for d in before.order if d in places))


def needed_rank(m: Machine, name: str, rest: Call) -> int | None:
    """The number of dimensions an operation needs its tensor to have, exactly if it is of `WHOLE`, or at least."""
    if name == "permute":
        order = size_arguments(m, rest, 0, "dims")
        return None if order is None else len(order)
    if name in WHOLE:
        asked = _memory_format(m, name, rest)
        return len(CHANNELS_LAST.get(asked.name, ())) or None if isinstance(asked, Ref) else None
    if name in ("transpose", "swapaxes", "swapdims"):
        dims = [number(m.see(a)) for a in rest.values]
        return max((d + 1 if d >= 0 else -d for d in dims if d is not None), default=None)
    return None


def _is_setting(value: Value) -> bool:
    """Whether a value is surely no tensor that lies in memory: a number, a dtype, a flag."""
    return isinstance(value, Const | Size | Sym | Ref | Tup | SliceValue) or (
        isinstance(value, Tensor) and value.shape == ()
    )


def _memory_format(m: Machine, name: str, rest: Call) -> Value:
    """The memory format that a call asks for, `NONE` where it asks for none."""
    given = rest.arg(0 if name == "contiguous" else None, "memory_format")
    return NONE if given is None else m.see(given)


def _by_format(asked: Value, shape: Shape) -> Layout | None:
    """The layout of a memory format."""
    if asked == Ref("torch.contiguous_format"):
        return in_rows(shape)
    order = CHANNELS_LAST.get(asked.name, ()) if isinstance(asked, Ref) else ()
    return Layout(order) if order and len(order) == len(shape) else None


def _by_strides(given: Shape | None, shape: Shape) -> Layout | None:
    """The layout of which these are the strides, if they leave no gaps."""
    if given is None or len(given) != len(shape):
        return None
    for order in itertools.permutations(in_rows(shape).order):
        wanted = strides(Layout(order), shape)
        if all(equal(expr_of(given[d]), wanted[d]) for d in order):
            return Layout(order)
    return None


def _by_order(given: Shape | None, shape: Shape) -> Layout | None:
    """The layout of `empty_permuted`, which is told the dimensions in this order."""
    order = [v.value for v in given or () if isinstance(v, Const) and isinstance(v.value, int)]
    if sorted(order) != list(range(len(shape))):
        return None
    return Layout(tuple(order))
