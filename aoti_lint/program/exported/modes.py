"""Calls in a program that only training mode explains. Sources: the schemas in aten/src/ATen/native_functions.yaml."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Rules ask this module, and a run without archives has no use for pydantic.
    from aoti_lint.program.facts import OpUse

_DROPOUT = {"dropout", "dropout_", "native_dropout", "alpha_dropout", "alpha_dropout_", "feature_dropout",
            "feature_dropout_", "feature_alpha_dropout", "feature_alpha_dropout_"}  # fmt: skip
_NORM = {"batch_norm", "native_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit_functional",
         "cudnn_batch_norm", "miopen_batch_norm"}  # fmt: skip
_ALWAYS_TRAINING = {"_batch_norm_with_update", "_batch_norm_with_update_functional"}


def dropouts(calls: Sequence[OpUse]) -> list[OpUse]:
    """Calls that drop values at random, attention with dropout among them."""
    return [call for call in calls if _drops(call)]


def batch_norms(calls: Sequence[OpUse]) -> list[OpUse]:
    """Batch norms that compute the statistics of what they are given although they have running ones.

    Without any (`track_running_stats=False`) they use those of the batch by design.
    """
    return [call for call in calls if _normalises(call)]


def aten(call: OpUse) -> str:
    """The name of one of torch's own operators, without its overload; empty for others."""
    parts = call.target.split(".")
    return parts[1] if parts[0] == "aten" and len(parts) > 1 else ""


def _drops(call: OpUse) -> bool:
    if aten(call) in _DROPOUT:
        # `native_dropout(Tensor input, float p, bool? train)`: None is True.
        on = call.args.get("train") in (("True", "None") if aten(call) == "native_dropout" else ("True",))
        return on and not _zero(call.args.get("p", "0.5"))
    return bool(aten(call)) and not _zero(call.args.get("dropout_p", "0"))


def _normalises(call: OpUse) -> bool:
    # `instance_norm` becomes the overload without statistics.
    if call.args.get("running_mean") == "None" or call.target.endswith(".no_stats"):
        return False
    on = call.args.get("training") == "True" or call.args.get("train") == "True"
    return aten(call) in _ALWAYS_TRAINING or (aten(call) in _NORM and on)


def _zero(text: str) -> bool:
    try:
        return float(text) == 0
    except ValueError:
        return False
