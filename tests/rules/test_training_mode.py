"""AOTI701: what is in training mode where a model is exported, as torch itself sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.judging import lint_files

PROGRAM = """
import copy
import torch
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.inner = layer
        self.fc = nn.Linear(8, 8)
    def forward(self, x):
        return self.fc(self.inner(x))

class Calls(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
    def forward(self, x):
        return self.function(x)

{before}
program = torch.export.export({model}, (torch.randn(4, 6, 8),))
torch.export.save(program, "program.pt2")
"""
NONE = "pass"
OWN_DROPOUT = """
class Own(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, {training})
model = Net(Own()){mode}
"""
FROZEN = """
class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.norm = nn.BatchNorm1d(6)
    def train(self, mode=True):
        super().train(mode)
        self.{frozen}.eval()
        return self
    def forward(self, x):
        return self.{used}(x)
model = Net(Frozen())
"""
SOME = """
class Some(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.layers = nn.ModuleList([nn.Sequential(nn.Linear(8, 8), nn.Dropout(p)) for _ in range(2)])
        self.rest = nn.ModuleDict({"a": nn.Dropout(p) if p > 0 else nn.Identity()})
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.rest["a"](x)
"""
# What stands before the export, what is exported.
ALIVE = [
    (NONE, "Net(nn.Dropout())"),
    (NONE, "Net(nn.Dropout2d(p=0.2)).eval().train()"),
    (NONE, "Net(nn.Sequential(nn.Linear(8, 8), nn.Sequential(nn.AlphaDropout(0.1))))"),
    (NONE, "Net(nn.BatchNorm1d(6))"),
    (NONE, "nn.BatchNorm1d(6)"),
    (NONE, "Net(nn.InstanceNorm1d(6, track_running_stats=True))"),
    (NONE, "Net(nn.RReLU())"),
    (NONE, "Net(nn.TransformerEncoderLayer(8, 2, batch_first=True))"),
    (NONE, "Net(nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, batch_first=True), 2))"),
    ("lstm = nn.LSTM(8, 8, 2, dropout=0.5)", "lstm"),
    ("model = Net(nn.Dropout()).eval()\nmodel.inner.train()", "model"),
    ("model = Net(nn.Dropout())\nmodel.training = False", "model"),
    ("model = copy.deepcopy(Net(nn.Dropout()))", "model"),
    ("model = Net(nn.Dropout())\ncopy.deepcopy(model).eval()", "model"),
    ("model = Net(nn.Dropout(0.0))\nmodel.inner.p = 0.3", "model"),
    ("model = Net(nn.Dropout())\nmodel.load_state_dict(Net(nn.Dropout()).eval().state_dict())", "model"),
    ("model = Net(nn.Dropout()).requires_grad_(False)\nmodel.fc.eval()", "model"),
    ("def f(module):\n    if isinstance(module, nn.Linear):\n        module.eval()\n"
     "model = Net(nn.Dropout()).apply(f)", "model"),
    ("inner = nn.Dropout()\nclass Hides(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
     "        self.hidden = [inner]\n    def forward(self, x):\n        return self.hidden[0](x)", "Hides().eval()"),
    (NONE, "Calls(lambda x: F.dropout(x)).eval()"),
    (NONE, "Calls(lambda x: F.dropout1d(x, 0.1)).eval()"),
    (NONE, "Calls(lambda x: F.scaled_dot_product_attention(x, x, x, dropout_p=0.1)).eval()"),
    (NONE, "Calls(lambda x: torch.dropout(x, 0.5, True)).eval()"),
    (OWN_DROPOUT.format(training="self.training", mode=""), "model"),
    (OWN_DROPOUT.format(training="training=self.training", mode=".train(True)"), "model"),
    (FROZEN.format(frozen="norm", used="drop"), "model"),
    (FROZEN.format(frozen="norm", used="drop"), "model.eval().train()"),
    (SOME, "Some()"),
]  # fmt: skip
QUIET = [
    (NONE, "Net(nn.Dropout()).eval()"),
    (NONE, "Net(nn.Dropout()).train(False)"),
    (NONE, "Net(nn.Dropout(0.0))"),
    (NONE, "Net(nn.Dropout(p=0))"),
    (NONE, "Net(nn.Linear(8, 8))"),
    (NONE, "Net(nn.BatchNorm1d(6, track_running_stats=False))"),
    (NONE, "Net(nn.InstanceNorm1d(6))"),
    (NONE, "Net(nn.Sequential(nn.Dropout(), nn.BatchNorm1d(6))).eval()"),
    (NONE, "Net(nn.TransformerEncoderLayer(8, 2, dropout=0.0, batch_first=True))"),
    (NONE, "Net(nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True), 2))"),
    ("lstm = nn.LSTM(8, 8, 1, dropout=0.5)", "lstm"),
    ("lstm = nn.LSTM(8, 8, 2)", "lstm"),
    ("model = Net(nn.Dropout())\nmodel.inner.eval()", "model"),
    ("model = Net(nn.Dropout())\nmodel.inner.training = False", "model"),
    ("model = Net(nn.Dropout())\nfor module in model.modules():\n    module.training = False", "model"),
    ("model = Net(nn.Dropout())\nnn.Module.eval(model)", "model"),
    ("model = Net(nn.Dropout())\nmodel.inner = nn.Identity()", "model"),
    ("model = Net(nn.Dropout())\nmodel.inner.p = 0.0", "model"),
    ("model = Net(nn.Dropout())\nmodel.apply(lambda module: module.eval())", "model"),
    ("model = copy.deepcopy(Net(nn.Dropout()).eval())", "model"),
    ("def prepare(model):\n    model.eval()\n    return model", "prepare(Net(nn.Dropout()))"),
    ("model = Net(nn.Dropout())\nmodel.forward = lambda x: x * 2", "model"),
    ("model = Net(nn.Dropout())\nfor name, child in list(model.named_children()):\n"
     "    if isinstance(child, nn.Dropout):\n        setattr(model, name, nn.Identity())", "model"),
    ("model = Net(nn.Dropout())\nnn.DataParallel(model).eval()", "model"),
    (NONE, "Calls(lambda x: F.dropout(x, training=False))"),
    (NONE, "Calls(lambda x: F.dropout(x, 0.0))"),
    (NONE, "Calls(lambda x: F.alpha_dropout(x))"),
    (NONE, "Calls(lambda x: F.batch_norm(x, None, None, training=True))"),
    (NONE, "Calls(lambda x: F.scaled_dot_product_attention(x, x, x))"),
    (OWN_DROPOUT.format(training="self.training", mode=".eval()"), "model"),
    (FROZEN.format(frozen="norm", used="norm"), "model.train()"),
    (FROZEN.format(frozen="norm", used="drop"), "model.eval()"),
    (SOME, "Some().eval()"),
    (SOME, "Some(0.0)"),
]  # fmt: skip


def found(folder: Path, before: str, model: str) -> list[str]:
    text = PROGRAM.format(before=before, model=model)
    items = lint_files(folder / "judged", {"script.py": text}, torch="2.13")
    return [item.code for item in items if item.severity != "info"]


@pytest.mark.parametrize(("before", "model"), ALIVE)
def test_alive(before: str, model: str, tmp_path: Path) -> None:
    assert found(tmp_path, before, model) == ["AOTI701"]


@pytest.mark.parametrize(("before", "model"), QUIET)
def test_quiet(before: str, model: str, tmp_path: Path) -> None:
    assert found(tmp_path, before, model) == []


def normalises(program: Any) -> bool:
    """Whether a norm of a program has learned statistics and does not use them."""
    for node in program.graph.nodes:
        if node.op == "call_function" and "norm" in str(node.target):
            args = dict(zip((a.name for a in node.target._schema.arguments), node.args, strict=False)) | node.kwargs
            if args.get("running_mean") is not None and (args.get("training") or args.get("use_input_stats")):
                return True
    return False


@pytest.mark.parametrize(("before", "model"), [*ALIVE, *QUIET])
def test_torch_agrees(before: str, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {"__name__": "script"}
    exec(compile(PROGRAM.format(before=before, model=model), "script.py", "exec"), space)
    program = space["program"]
    # Unseeded, a dropout of 24 channels by 0.1 gives the same mask twice in one run of a hundred.
    torch.manual_seed(0)
    run, x = program.module(), torch.randn(4, 6, 8)
    with torch.no_grad():
        first, second = (out[0] if isinstance(out, tuple) else out for out in (run(x), run(x)))
    alive = normalises(program) or not torch.equal(first, second)
    assert alive == ((before, model) in ALIVE)


@pytest.mark.parametrize(
    ("before", "after", "sure"),
    [
        ("", "model.eval()\nrun(x)", "likely"),
        ("model.train()", "model.eval()\nrun(x)", "likely"),
        ("", "run(x)\nmodel.eval()", "possible"),
        ("", "model.train()\nrun(x)", "possible"),
        ("", "with torch.no_grad():\n    run(x)", "likely"),
        ("", "with torch.inference_mode():\n    run(x)", "likely"),
        ("", "with torch.no_grad():\n    model(x)\nrun(x)", "possible"),
        ("model[1] = torch.nn.BatchNorm1d(8)", "with torch.no_grad():\n    run(x)", "possible"),
        ("model.eval()", "with torch.no_grad():\n    run(x)", ""),
        ("model.eval()", "model.eval()\nrun(x)", ""),
        ("model.eval()", "model.train()\nrun(x)", ""),
    ],
)
def test_eval_after_the_export(before: str, after: str, sure: str, tmp_path: Path) -> None:
    text = f"""import torch

model, x = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.5)), torch.ones(2, 8)
{before}
run = torch.export.export(model, (x,)).module()
{after}
"""
    found = lint_files(tmp_path / "judged", {"script.py": text}, None, "2.13", "--pedantic")
    assert [(one.code, one.confidence) for one in found] == [("AOTI701", sure)][: bool(sure)]
