"""How what layers and operations give lies in memory: torch says which of it can be seen in another shape."""

import warnings
from pathlib import Path

import pytest

from tests.judging import lint_files

LAYERS = (
    "Conv2d(4, 6, 3)", "Conv2d(4, 4, 1, bias=False)", "ConvTranspose2d(4, 6, 2)", "BatchNorm2d(4)", "GroupNorm(2, 4)",
    "InstanceNorm2d(4)", "LayerNorm(8)", "RMSNorm(8)", "ReLU()", "GELU()", "SiLU()", "Dropout(0.1)", "Dropout2d(0.1)",
    "Softmax(1)", "LogSoftmax(-1)", "MaxPool2d(2)", "AvgPool2d(3, 1, 1)", "AdaptiveAvgPool2d(2)",
    "AdaptiveAvgPool2d(1)", "AdaptiveMaxPool2d(2)", "Identity()", "Linear(8, 3)", "Hardswish()",
)  # fmt: skip
OPERATIONS = (
    "x", "x.relu()", "x.permute(0, 2, 3, 1)", "x.transpose(1, 2)", "x.contiguous()", "x[:, 1:]", "x @ x.mT",
    "torch.matmul(x, x.mT).transpose(1, 2)", "F.linear(x, torch.ones(3, 8)).transpose(1, 2)", "F.gelu(x)",
    "F.softmax(x, 1)", "F.softmax(x, 1).transpose(1, 2)", "F.layer_norm(x, (8,))", "F.group_norm(x, 2)",
    "F.avg_pool2d(x, 2)", "F.conv2d(x, torch.ones(5, 4, 3, 3))", "F.conv2d(x, torch.ones(5, 4, 3, 3)).mT",
    "F.conv2d(x, torch.ones(5, 4, 3, 3)).permute(0, 2, 3, 1)", "x.flatten(2).mT",
)  # fmt: skip
INPUTS = {
    "rows": "torch.randn(2, 4, 6, 8)",
    "channels last": "torch.randn(2, 4, 6, 8).to(memory_format=torch.channels_last)",
    "turned": "torch.randn(4, 2, 6, 8).transpose(0, 1)",
    "gaps": "torch.randn(2, 4, 12, 8)[:, :, ::2]",
    "ones": "torch.randn(1, 4, 1, 8).to(memory_format=torch.channels_last)",
}
SCRIPT = """\
import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.{layer}

    def forward(self, x):
        y = {step}
        return y.view(y.shape[0], -1)


torch.export.export(Net().eval(){moved}, ({given},))
"""
LAST = ".to(memory_format=torch.channels_last)"


def _scripts() -> dict[str, str]:
    made = {}
    for i, (kind, given) in enumerate(INPUTS.items()):
        for j, layer in enumerate(LAYERS if kind != "rows" else ()):
            for moved in ("", LAST) if "Conv" in layer else ("",):
                text = SCRIPT.format(layer=layer, step="self.layer(x)", moved=moved, given=given)
                made[f"layer_{i}_{j}{'_moved' if moved else ''}.py"] = text
        for j, step in enumerate(OPERATIONS):
            made[f"step_{i}_{j}.py"] = SCRIPT.format(layer="Identity()", step=step, moved="", given=given)
    return made


def _is_taken(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "script", "exec"), {"__name__": "script"})
    except (RuntimeError, ValueError):
        return False
    return True


@pytest.mark.filterwarnings("ignore")
def test_a_view_is_refused_only_where_torch_refuses_it(tmp_path: Path) -> None:
    scripts = _scripts()
    taken = {name for name, text in scripts.items() if _is_taken(text)}
    found = lint_files(tmp_path / "run", scripts, ["."])
    told = {one.file for one in found if one.severity == "error"}
    assert not [scripts[name] for name in sorted(told & taken)]
    refused = scripts.keys() - taken
    assert len(told & refused) >= 0.75 * len(refused), [scripts[name] for name in sorted(refused - told)]
