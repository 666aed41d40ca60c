"""Losses: a number for a tensor and what it should have been, whose sizes have to fit. Run on torch 2.13."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.operations.arithmetic import common_shape
from aoti_lint.models.tensors.tensor_base import joined, op, operand
from aoti_lint.models.torch import mixing
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Value

OF_ELEMENTS = """mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div
    soft_margin_loss poisson_nll_loss"""


def _alike(m: Machine, x: Tensor, target: Tensor) -> None:
    common_shape(m, [x, target])


def _by_class(m: Machine, x: Tensor, target: Tensor) -> None:
    """The target has a number of a class for each row of scores, or scores as well."""
    if x.shape is None or target.shape is None:
        return
    if len(target.shape) == len(x.shape):
        _alike(m, x, target)
    elif len(x.shape) > 1 and len(target.shape) == len(x.shape) - 1:
        for given, wanted in zip(target.shape, (x.shape[0], *x.shape[2:]), strict=True):
            mixing.fit(m, given, wanted)


def _loss(names: str, fit: Callable[[Machine, Tensor, Tensor], None]) -> None:
    @op(names, "f")
    def model(m: Machine, call: Call, x: Tensor) -> Value:
        """A single number, unless `reduction` or an older argument for it says otherwise."""
        plain = len(call.args) <= 1 and not {"size_average", "reduce"} & set(call.kwargs)
        reduction = m.see(call.kwargs.get("reduction", Const("mean")))
        single = plain and reduction in (Const("mean"), Const("sum"), Const("batchmean"))
        target = operand(m, call, 0, "target")
        if isinstance(target, Tensor):
            fit(m, x, target)
        weights = [v for v in call.args[1:2] if isinstance(m.see(v), Tensor)]
        others = [v for k, v in call.kwargs.items() if k in ("weight", "pos_weight") and m.see(v) != NONE]
        values = [m.see(v) for v in (x, target, *weights, *others)]
        return joined(m, [v for v in values if v != NONE], () if single else None, None, together=True)


_loss(OF_ELEMENTS, _alike)
_loss("cross_entropy nll_loss", _by_class)

_CLASSES = "MSE L1 SmoothL1 Huber BCE BCEWithLogits KLDiv SoftMargin PoissonNLL"
LAYERS = {
    **{f"{name}Loss": _alike for name in _CLASSES.split()},
    **dict.fromkeys(("CrossEntropyLoss", "NLLLoss"), _by_class),
}
"""The layers that are losses, with what has to fit."""
