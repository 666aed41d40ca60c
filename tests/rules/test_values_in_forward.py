"""Distributions and packed sequences in the forward of an export, beside what torch says of each."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
import torch

from tests.judging import lint_files

HEAD = """
import torch
from torch import distributions
from torch.distributions.normal import Normal
from torch.nn.utils import rnn

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(3, 3, batch_first=True)

    def forward(self, x, lengths):
"""
EXPORT = """
program = torch.export.export(Model().eval(), (torch.rand(2, 4, 3), torch.tensor([4, 2])){more})
"""
PACKED = "packed = rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)"
FORWARDS = {
    "return distributions.Normal(x, x.exp()).log_prob(x)": True,
    "return Normal(0.0, 1.0).log_prob(x)": True,
    "return Normal(torch.zeros(3), torch.ones(3)).rsample() + x": True,
    "return distributions.Categorical(logits=x, validate_args=True).entropy()": True,
    "return distributions.Categorical(probs=x, validate_args=False).entropy()": False,
    "return distributions.Normal(x, x.exp(), False).mean": False,
    "return distributions.StudentT(x + 1, validate_args=False).mean": True,
    "try:\n            return Normal(x, x).mean\n        except Exception:\n            return x": None,
    f"{PACKED}\n        return rnn.pad_packed_sequence(self.gru(packed)[0], batch_first=True)[0]": True,
    f"{PACKED}\n        return self.gru(packed)[1]": True,
    f"{PACKED}\n        return packed.data": False,
    "return rnn.pad_sequence([x[0], x[1, :2]])": False,
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("forward", "raises"), FORWARDS.items())
def test_torch_agrees(forward: str, raises: bool | None, strict: bool, tmp_path: Path) -> None:
    text = HEAD + f"        {forward}\n" + EXPORT.format(more=", strict=True" if strict else "")
    found = lint_files(tmp_path / "run", {"net.py": text})
    refused = "AOTI344" if strict and PACKED in forward else "AOTI349"
    if refused == "AOTI344":
        raises = True
    assert {one.code for one in found} == ({refused} if raises else set())
    if raises is not None:
        before = torch.distributions.Distribution._validate_args
        torch.distributions.Distribution.set_default_validate_args(True)
        try:
            runpy.run_path(str(tmp_path / "run" / "net.py"))
            assert not raises
        except (RuntimeError, TypeError):
            assert raises
        finally:
            torch.distributions.Distribution.set_default_validate_args(before)


@pytest.mark.parametrize(
    "before",
    [
        "torch.distributions.Distribution.set_default_validate_args(False)",
        "torch.compile(torch.nn.ReLU())(torch.ones(2))",
    ],
)
def test_what_turns_the_checks_off(before: str, tmp_path: Path) -> None:
    """Both were run on torch 2.13: the export works behind them."""
    text = HEAD + "        return Normal(x, x.exp()).log_prob(x)\n" + before + EXPORT.format(more="")
    assert lint_files(tmp_path / "run", {"net.py": text}) == []


def test_exports_to_onnx(tmp_path: Path) -> None:
    text = HEAD + f"        {PACKED}\n        return packed.data\n"
    text += "torch.onnx.export(Model().eval(), (torch.rand(2, 4, 3), torch.tensor([4, 2])), 'm.onnx')\n"
    assert [(one.code, one.severity) for one in lint_files(tmp_path / "run", {"net.py": text})] == [
        ("AOTI349", "error")
    ]
