"""Models of `torch.ao.quantization` that are exported; what each export does with them was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """
import torch
import torch.ao.quantization as q
from torch.ao.quantization import quantize_fx
from torch.quantization import quantize_dynamic

net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU()).eval()
x = torch.randn(2, 4)
net.qconfig = q.get_default_qconfig("x86")
"""


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("model = quantize_dynamic(net, {torch.nn.Linear}, dtype=torch.qint8)\ntorch.export.export(model, (x,))", True),
        ("model = q.convert(q.prepare(net))\ntorch.export.export(model.eval(), (x,))", True),
        ("q.prepare(net, inplace=True)\nq.convert(net, inplace=True)\ntorch.export.export(net, (x,))", True),
        ("model = q.convert(q.prepare_qat(q.fuse_modules(build(), [[]])))\ntorch.onnx.export(model, x, 'f')", True),
        (
            "model = quantize_fx.convert_fx(quantize_fx.prepare_fx(net, {}, (x,)))\ntorch.export.export(model, (x,))",
            True,
        ),
        ("torch.export.export(q.prepare(net), (x,))", True),
        ("torch.export.export(q.prepare_qat(net.train()), (x,), strict=True)", True),
        ("torch.onnx.export(q.prepare_qat(net.train()), (x,), 'f')", True),
        # By torch.export without strict=True this one is exported, fake quantization and all.
        ("torch.export.export(q.prepare_qat(net.train()).eval(), (x,))", False),
        ("torch.onnx.export(q.convert(q.prepare(net)), (x,), 'f', dynamo=False)", False),
        # The float model stays as it is.
        ("model = q.convert(q.prepare(net))\ntorch.export.export(net, (x,))", False),
        ("try:\n    torch.export.export(q.convert(q.prepare(net)), (x,))\nexcept Exception:\n    pass", False),
    ],
)
def test_what_quantization_made(lines: str, told: bool, tmp_path: Path) -> None:
    found = [one for one in lint_files(tmp_path / "run", {"a.py": f"{HEAD}{lines}\n"}) if one.severity != "info"]
    assert [(one.code, one.severity) for one in found] == [("AOTI215", "warning")] * told
