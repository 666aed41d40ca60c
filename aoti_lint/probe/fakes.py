"""The fake of an operator, run under fixed, symbolic and unknown sizes. The kernel is never run here."""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch._dynamo.source import ConstantSource
from torch._export import non_strict_utils
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, compute_unbacked_bindings

from aoti_lint.probe.arguments import Example, types
from aoti_lint.probe.finding import Place
from aoti_lint.probe.places import here, of_error

Sizes = Literal["fixed", "symbolic", "unknown"]
"""unknown: unbacked, so that nothing but their being 2 or more is known of them."""


@dataclass(frozen=True)
class Guard:
    """What the fake decided by a size. `direct`: its own line did, not a function of torch that it calls."""

    expr: Any
    place: Place | None
    direct: bool


class Watched(ShapeEnv):  # type: ignore[misc]
    """A ShapeEnv that remembers which line made each guard, and each number that is only known from data.

    `evaluate_expr` is where all guards on known sizes are made (`torch/fx/experimental/symbolic_shapes.py`, 2.4-2.13).
    """

    def __init__(self) -> None:
        super().__init__()
        self.watched: list[Guard] = []
        self.reads: list[Place | None] = []

    def evaluate_expr(self, *args: Any, **kwargs: Any) -> Any:
        """Decide something; what is new among the guards is of the line that asks."""
        before = len(self.guards)
        try:
            return super().evaluate_expr(*args, **kwargs)
        finally:
            for guard in self.guards[before:]:
                self.watched.append(Guard(guard.expr, *here()))

    def create_unbacked_symint(self, *args: Any, **kwargs: Any) -> Any:
        self.reads.append(here()[0])
        return super().create_unbacked_symint(*args, **kwargs)

    def create_unbacked_symfloat(self, *args: Any, **kwargs: Any) -> Any:
        self.reads.append(here()[0])
        return super().create_unbacked_symfloat(*args, **kwargs)

    def create_unbacked_symbool(self, *args: Any, **kwargs: Any) -> Any:
        self.reads.append(here()[0])
        return super().create_unbacked_symbool(*args, **kwargs)


@dataclass
class Run:
    """What came of one run of the fake.

    `symbols`: what each stands for: a dimension of the tensor with a label, or (None) the number with that label.
    `hints`: what it is in the example.
    """

    output: Any = None
    error: BaseException | None = None
    place: Place | None = None
    direct: bool = False
    env: Any = None
    inputs: dict[str, Any] = field(default_factory=dict)
    symbols: dict[Any, tuple[str, int | None]] = field(default_factory=dict)
    hints: dict[Any, int] = field(default_factory=dict)

    @property
    def guards(self) -> list[Guard]:
        """In the order they were made."""
        found: list[Guard] = self.env.watched
        return found


def run_fake(op: Any, example: Example, sizes: Sizes, *, numbers: bool = False) -> Run:
    """Run the fake of `op`. `numbers`: arguments of type SymInt are symbols too, as if the caller passed sizes."""
    env = Watched()
    mode = FakeTensorMode(shape_env=env, allow_non_fake_inputs=False, allow_fallback_kernels=False)
    run = Run(env=env)
    kinds = types(op)

    def fake(label: str, leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            run.inputs[label] = made = _tensor(run, mode, label, leaf, sizes, example.device)
            return made
        symbolic = numbers and sizes == "symbolic" and kinds[label.partition("[")[0]].startswith("SymInt")
        if symbolic and type(leaf) is int and leaf >= 2:
            return _symbol(run, leaf, label)
        if isinstance(leaf, torch.device) and example.device is not None:
            return torch.device(example.device)
        return leaf

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fakes = example.mapped(fake)
        del env.watched[:], env.reads[:]
        env.pending_fresh_unbacked_symbols.clear()
        try:
            with mode, torch.no_grad(), _as_export():
                run.output = fakes.call(op)
            compute_unbacked_bindings(env, run.output)
        except Exception as error:
            run.error = error
            run.place, run.direct = of_error(error)
            if type(error).__name__ == "PendingUnbackedSymbolNotFound":
                run.place = next((place for place in env.reads if place is not None), run.place)
    return run


def _as_export() -> AbstractContextManager[Any]:
    """Have `max` and `min` of sizes give symbols, as non-strict exports do since 2.8."""
    override = getattr(non_strict_utils, "_override_builtin_ops", nullcontext)
    made: AbstractContextManager[Any] = override()
    return made


def _symbol(run: Run, hint: int, label: str, dim: int | None = None) -> Any:
    """A size that stays a symbol; 0 and 1 never do (`ShapeEnv.specialize_zero_one`)."""
    source = ConstantSource(f"p{len(run.symbols)}")
    expr = run.env.create_symbol(hint, source, dynamic_dim=DimDynamic.DYNAMIC)
    if expr.is_number:
        return hint
    run.symbols[expr], run.hints[expr] = (label, dim), hint
    return run.env.create_symintnode(expr, hint=hint, source=source)


def _unknown(run: Run, hint: int, label: str, dim: int) -> Any:
    size = run.env.create_unbacked_symint()
    torch._check(size >= 2)
    run.symbols[size.node.expr], run.hints[size.node.expr] = (label, dim), hint
    return size


def _tensor(run: Run, mode: Any, label: str, tensor: Any, sizes: Sizes, device: str | None) -> Any:
    where = device or tensor.device
    if sizes == "fixed":
        if device is None:
            return mode.from_tensor(tensor, static_shapes=True)
        with mode:
            return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=where)
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter) or tensor.layout != torch.strided:
        # Only torch knows what a subclass is made of: all its sizes are symbols, and no label leads to them.
        return mode.from_tensor(tensor)
    make: Any = _symbol if sizes == "symbolic" else _unknown
    order = sorted(range(tensor.dim()), key=tensor.stride, reverse=True)
    with mode:
        shape = [make(run, size, label, dim) if size >= 2 else size for dim, size in enumerate(tensor.shape)]
        base = torch.empty([shape[dim] for dim in order], dtype=tensor.dtype, device=where)
        return base.permute([order.index(dim) for dim in range(tensor.dim())])
