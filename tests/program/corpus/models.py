"""The models of the archives, each with the call it is exported with. For torch 2.4–2.15.

Names in the models are short: they become names in the archives.
"""

import collections
import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.export import Dim
from torch.utils import _pytree

RELEASE = tuple(int(part) for part in torch.__version__.partition("+")[0].split(".")[:2])


class Skip(Exception):
    """This release of torch does not have what the model needs."""


@dataclasses.dataclass
class Case:
    """A model, the call it is exported with, and what else `torch.export.export` is given."""

    module: nn.Module
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = dataclasses.field(default_factory=dict)
    shapes: Any = None
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    training: bool = False


@torch.library.custom_op(
    "corpus::scale",
    mutates_args=(),
    schema="(Tensor x, float k, SymInt[] sizes, str name, Tensor? bias=None) -> Tensor",
)
def scale(x, k, sizes, name, bias=None):
    return x * k if bias is None else x * k + bias


@scale.register_fake
def _(x, k, sizes, name, bias=None):
    return torch.empty_like(x)


@torch.library.custom_op("corpus::fixed", mutates_args=(), schema="(Tensor x) -> Tensor")
def fixed(x):
    return x.sum(0).expand(4, 8).contiguous()


@fixed.register_fake
def _(x):
    return x.new_empty((4, 8))


@torch.library.custom_op("corpus::add_inplace", mutates_args=("x",), schema="(Tensor(a!) x, float v) -> ()")
def add_inplace(x, v):
    x.add_(v)


@add_inplace.register_fake
def _(x, v):
    return None


Point = collections.namedtuple("Point", ["px", "py"])
_pytree._register_namedtuple(Point, serialized_type_name="corpus.Point")


@dataclasses.dataclass
class Pair:
    left: torch.Tensor
    right: torch.Tensor


torch.export.register_dataclass(Pair, serialized_type_name="corpus.Pair")


class Linear(nn.Module):
    def __init__(self, inputs=8, outputs=16):
        super().__init__()
        self.l = nn.Linear(inputs, outputs)

    def forward(self, x):
        return torch.relu(self.l(x))


class Two(nn.Module):
    """Two inputs whose batches depend on each other as `how` says."""

    def __init__(self, how="b"):
        super().__init__()
        self.how = how
        self.l = nn.Linear(8, 8)

    def forward(self, x, y):
        x = self.l(x)
        if self.how == "2*b":
            return torch.cat([x, x]) + y
        if self.how == "b+1":
            return torch.cat([x, x[:1]]) + y
        return x * y


class View(nn.Module):
    """Needs an even batch."""

    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)

    def forward(self, x):
        return self.l(x).view(x.shape[0] // 2, 2, 8).sum(1)


class Keywords(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)

    def forward(self, x, *, scale, flag=True, extra=None, k=3):
        y = self.l(x) * scale * k
        if flag:
            y = y + 1
        if extra is not None:
            y = y + extra
        return {"y": y, "s": y.sum()}


class Tree(nn.Module):
    def forward(self, x, pack, *, opts):
        a, (b, c) = pack
        d = opts["d"]
        e = opts["list"][0] * opts["n"]
        return {"out": x + a + b, "rest": (c - d, [e, e.sum()]), "none": None, "five": 5}


class NamedTuple(nn.Module):
    def forward(self, p):
        return Point(p.px + 1, p.py * 2)


class Dataclass(nn.Module):
    def forward(self, p):
        return Pair(p.left + 1, p.right * 2)


class Scalars(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)

    def forward(self, x, n: int, f: float, b: bool, s: str, z, t):
        y = self.l(x) * n + f
        if b:
            y = y + 1
        if s == "relu":
            y = y.relu()
        if z is None:
            y = y - t
        return y, n


class Buffers(nn.Module):
    """Tied weights, and buffers that are kept, not kept, read, and counted up."""

    def __init__(self, steps=(), acc=8):
        super().__init__()
        self.emb = nn.Embedding(10, 8)
        self.out = nn.Linear(8, 10, bias=False)
        self.out.weight = self.emb.weight
        self.bn = nn.BatchNorm1d(8)
        self.register_buffer("steps", torch.zeros(steps, dtype=torch.int64))
        self.register_buffer("acc", torch.zeros(acc))
        self.register_buffer("mask", torch.ones(8), persistent=False)
        self.register_buffer("table", torch.arange(8, dtype=torch.float32))
        self.frozen = nn.Parameter(torch.ones(8), requires_grad=False)

    def forward(self, ids, x):
        self.steps.add_(1)
        self.acc.add_(x.mean(0) if self.acc.numel() == 8 else x.mean())
        h = self.emb(ids) + self.bn(x) * self.mask + self.table * self.frozen
        return self.out(h) + self.acc.sum() + self.steps.sum()


class Operator(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)

    def forward(self, x):
        return torch.ops.corpus.scale(self.l(x), 2.5, [1, 2], "label", None).relu()


class FixedOperator(nn.Module):
    """Its operator claims four rows, whatever it is given."""

    def forward(self, x):
        return torch.ops.corpus.fixed(x) + 1


class WritingOperator(nn.Module):
    def forward(self, x):
        y = x * 2
        torch.ops.corpus.add_inplace(y, 1.5)
        return y


class WritesInput(nn.Module):
    def forward(self, x, y):
        x.add_(1)
        return x * y


class Nonzero(nn.Module):
    def forward(self, x):
        i = x.nonzero()
        torch._check(i.shape[0] >= 1)
        torch._check(i.shape[0] <= 100)
        return i.float() * 2


class Item(nn.Module):
    def forward(self, x, n):
        k = n.item()
        torch._check_is_size(k)
        torch._check(k <= 16)
        return torch.ones(k) * x.sum()


class Training(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)
        self.d = nn.Dropout(0.3)
        self.bn = nn.BatchNorm1d(8)

    def forward(self, x):
        return self.bn(self.d(self.l(x)))


class Autocast(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.l(x)
        return y.float()


class Cond(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)

    def forward(self, p, x):
        def yes(x):
            return self.l(x).sin()

        def no(x):
            return x.cos()

        return torch.cond(p, yes, no, (x,))


class Dtypes(nn.Module):
    def __init__(self):
        super().__init__()
        self.w_bf = nn.Parameter(torch.ones(8, dtype=torch.bfloat16))
        self.w_h = nn.Parameter(torch.ones(8, dtype=torch.float16))
        self.w_d = nn.Parameter(torch.ones(8, dtype=torch.float64))
        self.register_buffer("b_i64", torch.arange(8))
        self.register_buffer("b_u8", torch.ones(8, dtype=torch.uint8))
        self.register_buffer("b_b", torch.ones(8, dtype=torch.bool))
        self.register_buffer("b_i32", torch.ones(8, dtype=torch.int32))
        self.register_buffer("b_i8", torch.ones(8, dtype=torch.int8))
        self.register_buffer("b_i16", torch.ones(8, dtype=torch.int16))

    def forward(self, bf, h, i64, b, u8, d):
        return (
            bf * self.w_bf,
            h + self.w_h,
            i64 + self.b_i64 + self.b_i32,
            b & self.b_b,
            u8 + self.b_u8,
            d * self.w_d + self.b_i8 + self.b_i16,
        )


class Complex(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("c", torch.ones(8, dtype=torch.complex64))

    def forward(self, x):
        return x * self.c


class Float8(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("q", torch.ones(8).to(torch.float8_e4m3fn))
        self.register_buffer("r", torch.ones(8).to(torch.float8_e5m2))

    def forward(self, x):
        return x.to(torch.float32) * self.q.to(torch.float32) + self.r.to(torch.float32)


class Constants(nn.Module):
    """Tensors that are no buffers, and one that is made in forward."""

    def __init__(self):
        super().__init__()
        self.c = torch.arange(8.0)
        self.big = torch.ones(4, 8)

    def forward(self, x):
        return x + self.c + self.big.sum() + torch.tensor([1.0])


def closure():
    """A model that uses a tensor from around its class."""
    t = torch.full((8,), 3.0)

    class Closure(nn.Module):
        def forward(self, x):
            return x * t

    return Closure()


class Number(nn.Module):
    def forward(self, x, n):
        return x[:, :8] * n + torch.ones(n).sum()


class Convolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        return self.c(x)


class Folded(nn.Module):
    """Has parts that depend on weights only."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(8, 8))
        self.register_buffer("g", torch.ones(8))

    def forward(self, x):
        return x @ (self.w.t() * 2 + 1).relu() + (self.g * 3).sin()


class Checks(nn.Module):
    """Has every kind of input check: static, dynamic, transposed, shared and unbounded."""

    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)

    def forward(self, st, dy, t, sh, un):
        return self.l(st), self.l(dy) + sh, t * 2, un.sum(), dy.shape[0]


def hint(name):
    """`Dim.AUTO` or `Dim.DYNAMIC`."""
    found = getattr(Dim, name, None)
    if found is None:
        raise Skip(f"no Dim.{name}")
    return found


def bounded_hint(name, **bounds):
    found = hint(name)
    if not callable(found):
        raise Skip(f"Dim.{name} not callable")
    return found(**bounds)


def x(*sizes, dtype=None):
    """An input; of ones where it is not of float32."""
    return torch.randn(*(sizes or (4, 8))) if dtype is None else torch.ones(*sizes, dtype=dtype)


def b():
    return Dim("b", min=1, max=64)


def batch():
    return Dim("batch", min=1, max=64)


def two(how, rows, shape):
    size = b()
    return Case(Two(how), (x(4, 8), x(rows, 8)), shapes={"x": {0: size}, "y": {0: shape(size)}})


def linear(shape=None, **options):
    return Case(Linear(), (x(),), shapes=None if shape is None else {"x": {0: shape}}, options=options)


def keywords_all():
    size = b()
    return Case(
        Keywords(),
        (x(),),
        {"scale": x(8), "flag": False, "extra": x(), "k": 2},
        {"x": {0: size}, "scale": None, "flag": None, "extra": {0: size}, "k": None},
    )


def tree():
    opts = {"d": x(8), "list": [x()], "n": 2}
    return Case(Tree(), (x(), (x(), [x(), x()])), {"opts": opts})


def buffers(shape=None, **sizes):
    shapes = None if shape is None else {"ids": {0: shape}, "x": {0: shape}}
    return Case(Buffers(**sizes), (torch.tensor([1, 2, 3, 4]), x()), shapes=shapes)


def dtypes():
    names = ("bfloat16", "float16", "int64", "bool", "uint8", "float64")
    return Case(Dtypes(), tuple(x(4, 8, dtype=getattr(torch, name)) for name in names))


def checks():
    size = batch()
    shapes = {"st": None, "dy": {0: size}, "t": None, "sh": {0: size}, "un": {0: Dim("u", min=5)}}
    return Case(Checks(), (x(), x(), x(8, 4).t(), x(), x(6)), shapes=shapes)


def auto_both():
    auto = hint("AUTO")
    return Case(Two(), (x(), x()), shapes={"x": {0: auto, 1: auto}, "y": {0: auto, 1: auto}})


PROGRAMS: dict[str, Callable[[], Case]] = {
    "static": linear,
    "dim": lambda: linear(batch()),
    "dim_strict": lambda: linear(batch(), strict=True),
    "dim_nonstrict": lambda: linear(batch(), strict=False),
    "dim_min4": lambda: linear(Dim("batch", min=4)),
    "dim_nomax": lambda: linear(Dim("batch")),
    "two_dims": lambda: Case(Linear(), (x(3, 4, 8),), shapes={"x": {0: Dim("b", max=16), 1: Dim("t", min=2, max=128)}}),
    "derived_2b": lambda: two("2*b", 8, lambda size: 2 * size),
    "derived_b1": lambda: two("b+1", 5, lambda size: size + 1),
    "derived_only": lambda: linear(2 * b()),
    "shared_dim": lambda: two("b", 4, lambda size: size),
    "auto": lambda: linear(hint("AUTO")),
    "auto_both": auto_both,
    "auto_view": lambda: Case(View(), (x(),), shapes={"x": {0: hint("AUTO")}}),
    "dynamic": lambda: linear(hint("DYNAMIC")),
    "dynamic_view": lambda: Case(View(), (x(),), shapes={"x": {0: hint("DYNAMIC")}}),
    "auto_bounds": lambda: linear(bounded_hint("AUTO", min=2, max=32)),
    "kwargs": lambda: Case(Keywords(), (x(),), {"scale": x(8)}),
    "kwargs_all": keywords_all,
    "tree": tree,
    "namedtuple": lambda: Case(NamedTuple(), (Point(x(4), x(4)),)),
    "dataclass": lambda: Case(Dataclass(), (Pair(x(4), x(4)),)),
    "scalars": lambda: Case(Scalars(), (x(), 3, 0.5, True, "relu", None, x(8))),
    "buffers": buffers,
    "buffers_decomp": buffers,
    "buffers_dim": lambda: buffers(b()),
    "customop": lambda: Case(Operator(), (x(),), shapes={"x": {0: b()}}),
    "customop_fixed": lambda: Case(FixedOperator(), (x(),), shapes={"x": {0: b()}}),
    "customop_mut": lambda: Case(WritingOperator(), (x(),)),
    "input_mut": lambda: Case(WritesInput(), (x(), x())),
    "unbacked_nonzero": lambda: Case(Nonzero(), (torch.ones(4, 8),)),
    "unbacked_item": lambda: Case(Item(), (x(4), torch.tensor(3))),
    "dropout_train": lambda: Case(Training(), (x(),), training=True),
    "autocast": lambda: Case(Autocast(), (x(),)),
    "cond": lambda: Case(Cond(), (torch.tensor(True), x())),
    "dtypes": dtypes,
    "dtypes_complex": lambda: Case(Complex(), (x(4, 8, dtype=torch.complex64),)),
    "dtypes_float8": lambda: Case(Float8(), (torch.ones(4, 8).to(torch.float8_e4m3fn),)),
    "no_inputs": linear,
    "extra_files": linear,
    "const_attr": lambda: Case(Constants(), (x(),)),
    "const_closure": lambda: Case(closure(), (x(),)),
    "symint": lambda: Case(Number(), (x(4, 16), 5), shapes={"x": None, "n": hint("DYNAMIC")}),
    "channels_last": lambda: Case(
        Convolution(), (x(2, 3, 8, 8).to(memory_format=torch.channels_last),), shapes={"x": {0: b()}}
    ),
    "noncontig": lambda: Case(Linear(), (x(8, 4).t(),)),
    "folded": lambda: Case(Folded(), (x(),)),
    "checks": checks,
}
"""The exported programs."""

_ONLY_PACKAGED: dict[str, Callable[[], Case]] = {
    "buffers_one": lambda: buffers(steps=(1,), acc=16),
    "buffers_vec": lambda: buffers(steps=(9,), acc=16),
}

_PRINTER = "aot_inductor.debug_intermediate_value_printer"
_OUTSIDE = {"aot_inductor.package_constants_in_so": False}
_FORMAT = "aot_inductor.package_constants_on_disk_format"
PACKAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "dim": ("dim", {}),
    "scalars": ("scalars", {}),
    "buffers": ("buffers", {}),
    "buffers_one": ("buffers_one", {}),
    "buffers_vec": ("buffers_vec", {}),
    "customop": ("customop", {}),
    "checks": ("checks", {}),
    "static": ("static", {}),
    "kwargs": ("kwargs_all", {}),
    "shared_dim": ("shared_dim", {}),
    "derived": ("derived_2b", {}),
    "weights_out": ("buffers_vec", _OUTSIDE),
    "weights_disk": ("dim", {**_OUTSIDE, "aot_inductor.package_constants_on_disk": True}),
    "weights_blob": ("dim", {**_OUTSIDE, _FORMAT: "binary_blob"}),
    "weights_pickle": ("dim", {**_OUTSIDE, _FORMAT: "pickle_weights"}),
    "debug_printer": ("customop", {_PRINTER: "3"}),
    "debug_printer1": ("customop", {_PRINTER: "1"}),
    "debug_printer2": (
        "customop",
        {_PRINTER: "2", "aot_inductor.filtered_kernel_names": "aoti_torch_cpu_addmm_out"},
    ),
    "debug_printer2_all": ("customop", {_PRINTER: "2"}),
    "nan_asserts": ("dim", {"nan_asserts": True}),
    "metadata": ("static", {"aot_inductor.metadata": {"who": "me"}}),
    "dtypes": ("dtypes", {}),
    "folded": ("folded", {"aot_inductor.use_runtime_constant_folding": True}),
    "debug_symbols": ("static", {"aot_inductor.debug_compile": True, "aot_inductor.debug_symbols": True}),
}
"""The packages: the model of each and its inductor configuration."""

BARE = {"bare": "dim", "bare_buffers": "buffers"}
"""Libraries without a package, and the model of each."""


def case(name: str) -> Case:
    """The model `name` with its call, always with the same weights and inputs."""
    torch.manual_seed(0)
    found = (PROGRAMS.get(name) or _ONLY_PACKAGED[name])()
    found.module.train(found.training)
    return found
