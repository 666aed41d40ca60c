"""What keeps a finding from being certain, as it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options

SERVED = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="{default}")
args = parser.parse_args()
x = torch.randn(2, 8, device="cuda")
program = torch.export.export(torch.nn.Linear(8, 8).to("cuda"), (x,))
path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
run = torch._inductor.aoti_load_package(path)
run(torch.randn(2, 8, device=args.device))
"""
LOADED = """
import torch

torch.export.{name}(torch.nn.Linear(2, 2), (torch.randn(1, 2),))
"""
DROPPED = """
import torch

program = torch.export.export(torch.nn.Dropout(), (torch.randn(1, 2),))
torch.export.save(program, "dropout.pt2")
"""
MIXED = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y


torch.export.export(Net(), (torch.randn(2, 3, device=args.device), torch.randn(2, 3)))
"""
AGAIN = """
import torch

model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
program = torch.export.export(model, (x,), dynamic_shapes={"input": {0: torch.export.Dim("rows")}})
torch.export.export(program.module(), (x,))
"""
CERTAIN = "import torch\n\ntorch.export.export(torch.nn.Linear(2, 2), [torch.randn(1, 2)])\n"


@pytest.mark.parametrize(
    ("code", "torch", "confidence", "doubt"),
    [
        (SERVED.format(default="cpu"), "2.13", "likely", "if option --device is 'cpu'"),
        (LOADED.format(name="export_for_training"), "2.10..2.12", "likely", "not with torch 2.10"),
        (LOADED.format(name="export_for_training"), None, "likely", "not with torch 2.5\N{EN DASH}2.10"),
        (DROPPED, "2.13", "likely", "some models mean it: Monte Carlo dropout, adaptation to the batch"),
        (MIXED, "2.13", "likely", "if option --device is 'cuda'"),
        (AGAIN, "2.13", "likely", "a program of one size may be what is wanted"),
        (CERTAIN, "2.13", "certain", ""),
    ],
)
def test_why_a_finding_is_not_certain(
    code: str, torch: str | None, confidence: str, doubt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("script.py").write_text(code, encoding="utf-8")
    options = Options(["script.py"], Config(), cache=False, torch_version=torch, pedantic=True)
    first, *_ = check(options).document["diagnostics"]
    assert (first["confidence"], first["doubt"]) == (confidence, doubt)
