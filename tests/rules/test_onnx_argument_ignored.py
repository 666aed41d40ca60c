"""AOTI233: what the exporter to ONNX does not look at. Run on torch 2.13 with onnxscript 0.7.2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """\
import torch

model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).eval()
program = torch.export.export(model, (torch.randn(2, 8),))
torch.onnx.export({})
"""
ARGS = '(torch.randn(2, 8),), "a.onnx"'


@pytest.mark.parametrize(
    ("given", "severity"),
    [
        ("model, (torch.randn(2, 8),), dynamo=False", "error"),
        ("model, (torch.randn(2, 8),), f=None, dynamo=False", "error"),
        ("model, (torch.randn(2, 8),), f='a.onnx', dynamo=False", ""),
        ("model, (torch.randn(2, 8),)", ""),
        (f"model, {ARGS}, opset_version=11", "warning"),
        (f"model, {ARGS}, opset_version=17", ""),
        (f"model, {ARGS}, opset_version=18", ""),
        (f"model, {ARGS}, opset_version=11, dynamo=False", ""),
        (f"model, {ARGS}, opset_version=23, dynamo=False", ""),
        (f"model, {ARGS}, opset_version=24, dynamo=False", "error"),
        (f"model, {ARGS}, opset_version=24", ""),
        (f"model, {ARGS}, training=torch.onnx.TrainingMode.TRAINING", ""),
        (f"model, {ARGS}, operator_export_type=torch.onnx.OperatorExportTypes.ONNX", ""),
        (f"model, {ARGS}, operator_export_type=torch.onnx.OperatorExportTypes.ONNX_FALLTHROUGH", "warning"),
        (f"model, {ARGS}, do_constant_folding=True, export_params=True", ""),
        (f"model, {ARGS}, custom_opsets={{'mine': 1}}", "warning"),
        (f"program, {ARGS}, dynamic_axes={{'input': {{0: 'b'}}}}", "warning"),
        (f"program, {ARGS}, dynamic_shapes=({{0: 'b'}},)", "warning"),
        (f"program, {ARGS}, dynamic_axes=None", ""),
        (f"model, {ARGS}, input_names=['input'], dynamic_axes={{'input': {{0: 'b'}}}}", ""),
    ],
)
def test_what_is_ignored(given: str, severity: str, tmp_path: Path) -> None:
    made = lint_files(tmp_path / "run", {"a.py": SCRIPT.format(given)}, torch="2.13")
    found = [str(one.severity) for one in made if one.code == "AOTI233" and str(one.severity) != "info"]
    assert found == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("spec", "outcome"), [("None", "silently wrong"), ("({0: torch.export.Dim.AUTO},)", "no effect")]
)
def test_what_a_program_says_already(spec: str, outcome: str, tmp_path: Path) -> None:
    """Said again it only names the sizes; where the program is fixed, they stay so."""
    head, _, _ = SCRIPT.partition("program")
    export = f"program = torch.export.export(model, (torch.randn(2, 8),), dynamic_shapes={spec})\n"
    script = f"{head}{export}torch.onnx.export(program, {ARGS}, dynamic_axes={{'input': [0]}})\n"
    (found,) = lint_files(tmp_path / "run", {"a.py": script}, torch="2.13")
    assert (found.code, found.outcome) == ("AOTI233", outcome)


@pytest.mark.parametrize(("spec", "told"), [("None", True), ("({0: torch.export.Dim('n')},)", False)])
def test_names_of_dimensions(spec: str, told: bool, tmp_path: Path) -> None:
    """`dynamic_shapes` names what is dynamic in a program, and does nothing where nothing is."""
    head, _, _ = SCRIPT.partition("program")
    export = f"program = torch.export.export(model, (torch.randn(2, 8),), dynamic_shapes={spec})\n"
    script = f"{head}{export}torch.onnx.export(program, {ARGS}, dynamic_shapes=({{0: 'batch'}},))\n"
    made = lint_files(tmp_path / "run", {"a.py": script}, torch="2.13")
    assert ("AOTI233" in [one.code for one in made]) is told
