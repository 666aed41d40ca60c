"""Which calls only training mode explains."""

from __future__ import annotations

import pytest

from aoti_lint.program.exported.modes import batch_norms, dropouts
from aoti_lint.program.facts import OpUse


def call(target: str, **args: str) -> list[OpUse]:
    return [OpUse(target=target, name="n", args=args)]


@pytest.mark.parametrize(
    ("target", "args", "alive"),
    [
        ("aten.dropout.default", {"p": "0.5", "train": "True"}, True),
        ("aten.dropout.default", {"p": "0.5", "train": "False"}, False),
        ("aten.dropout.default", {"p": "0.0", "train": "True"}, False),
        ("aten.native_dropout.default", {"p": "0.1", "train": "None"}, True),
        ("aten.scaled_dot_product_attention.default", {"dropout_p": "0.1"}, True),
        ("aten.scaled_dot_product_attention.default", {"dropout_p": "0.0"}, False),
        ("aten.scaled_dot_product_attention.default", {}, False),
        ("mylib.dropout.default", {"p": "0.5", "train": "True"}, False),
    ],
)
def test_dropout(target: str, args: dict[str, str], alive: bool) -> None:
    assert bool(dropouts(call(target, **args))) is alive


@pytest.mark.parametrize(
    ("target", "args", "alive"),
    [
        ("aten.batch_norm.default", {"training": "True"}, True),
        ("aten.batch_norm.default", {"training": "False"}, False),
        ("aten.batch_norm.default", {"training": "True", "running_mean": "None"}, False),
        ("aten._native_batch_norm_legit.default", {"training": "True"}, True),
        ("aten._native_batch_norm_legit.no_stats", {"training": "True"}, False),
        ("aten._native_batch_norm_legit_no_training.default", {}, False),
        ("aten._batch_norm_with_update.default", {}, True),
        ("aten.layer_norm.default", {}, False),
    ],
)
def test_batch_norm(target: str, args: dict[str, str], alive: bool) -> None:
    assert bool(batch_norms(call(target, **args))) is alive
