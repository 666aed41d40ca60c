"""Functions of `torch.fft`, `torch.linalg` and `torch.special`, and others of `torch` that give one tensor."""

from __future__ import annotations

from collections.abc import Callable
from operator import floordiv

from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.sizes import Shape, calculate, dim_of, minus, number, plus, put, times
from aoti_lint.models.tensors.tensor_base import LONG, derived, joined, keeps_float, op, operand
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Value

_ONE, _TWO = Const(1), Const(2)


def plain(m: Machine, call: Call, *names: str) -> bool:
    """Whether the settings of these names, the first of which may stand in its place, are left alone."""
    return all(operand(m, call, 0 if i == 0 else 99, name) == NONE for i, name in enumerate(names))


@op("fft ifft fft2 ifft2 fftn ifftn", "r")
def _spectrum(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=x.shape if plain(m, call, "n", "s") else None, dtype=None)


@op("fftshift ifftshift", "r", loose=True)
def _shifted(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x)


@op("rfft", "r")
def _half(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(
        m, x, shape=_along(m, call, x, lambda n: plus(m, calculate(m, "//", n, _TWO, floordiv), _ONE)), dtype=None
    )


@op("irfft", "r")
def _whole(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=_along(m, call, x, lambda n: times(m, minus(m, n, _ONE), _TWO)), dtype=None)


def _along(m: Machine, call: Call, x: Tensor, change: Callable[[Value], Value]) -> Shape | None:
    dim = dim_of(m.see(call.arg(1, "dim") or Const(-1)), len(x.shape)) if x.shape else None
    if not x.shape or dim is None or not plain(m, call, "n"):
        return None
    return put(x.shape, dim, change(x.shape[dim]))


@op("rfft2 irfft2 rfftn irfftn hfft ihfft", "r")
@op("solve matrix_norm cond multi_dot tensorsolve tensorinv vander householder_product", "l")
@op("istft kron tensordot cov corrcoef trapz cumulative_trapezoid vander chain_matmul block_diag", "t")
def _somewhere(m: Machine, call: Call, x: Tensor) -> Value:
    others = [a for a in call.args if isinstance(m.see(a), Tensor)]
    return joined(m, [x, *others], None, None)


@op("stft", "mt")
def _in_windows(m: Machine, call: Call, x: Tensor) -> Value:
    width, hop, centred = operand(m, call, 0, "n_fft"), operand(m, call, 1, "hop_length"), operand(m, call, 4, "center")
    step = (number(width) or 0) // 4 if hop == NONE else number(hop)
    if x.shape and step and m.root.watch is not None and centred in (NONE, TRUE, FALSE):
        row = m.see(x.shape[-1])
        m.root.watch.framed(m, minus(m, row, width) if centred == FALSE else row, step)
    return _somewhere(m, call, x)


@op("inv matrix_exp cholesky matrix_power", "l")
@op("inverse matrix_exp matrix_power", "mt")
@op("cholesky", "mt")
def _square(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, dtype=keeps_float(m, x))


@op("det", "lmt")
def _determinant(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=x.shape[:-2] if x.shape and len(x.shape) > 1 else None, dtype=keeps_float(m, x))


@op("pinv", "l", loose=True)
@op("pinverse", "mt", loose=True)
def _pseudo_inverse(m: Machine, call: Call, x: Tensor) -> Value:
    turned = (*x.shape[:-2], x.shape[-1], x.shape[-2]) if x.shape and len(x.shape) > 1 else None
    return derived(m, x, shape=turned, dtype=keeps_float(m, x))


@op("trace", "mt")
def _trace(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, shape=(), dtype=keeps_float(m, x))


@op("bucketize", "t")
def _bucketize(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, dtype=LONG if "out_int32" not in call.kwargs and len(call.args) < 2 else None)


@op("expit erf erfc erfinv exp2 expm1 log1p logit log_softmax softmax gammaln digamma i0 i1 entr ndtr sinc round", "s")
def _special(m: Machine, call: Call, x: Tensor) -> Value:
    return derived(m, x, dtype=keeps_float(m, x) if "dtype" not in call.kwargs else None)
