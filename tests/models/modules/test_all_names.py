"""Which names a `state_dict` has: those that torch says, or nothing."""

from __future__ import annotations

import pytest

from tests.snippets import run

HEAD = """import torch
from collections import OrderedDict
from torch import nn


class Block(nn.Module):
    def __init__(self, size=8, bias=True):
        super().__init__()
        self.size = size
        self.norm = nn.LayerNorm(size)
        self.scale = nn.Parameter(torch.ones(size))
        self.fc = nn.Linear(size, size, bias=bias)
        self.register_buffer("mask", torch.ones(size))
        self.register_buffer("lost", torch.ones(size), persistent=False)
        self.plain = torch.ones(size)


class Holder(nn.Module):
    def __init__(self, inside):
        super().__init__()
        self.inside = inside


"""
KNOWN = [
    "Block()",
    "Block(bias=False)",
    "Holder(Block())",
    "nn.Sequential(nn.Conv2d(3, 4, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4, 2))",
    "nn.Sequential(OrderedDict([('first', nn.Linear(4, 4)), ('act', nn.GELU()), ('last', nn.Linear(4, 4))]))",
    "Holder(nn.ModuleDict({'a': Block(), 'b': nn.Embedding(4, 4)}))",
    "Holder(nn.ModuleList([Block() for _ in range(3)]))",
    "Holder(nn.ParameterList([nn.Parameter(torch.ones(2)) for _ in range(3)]))",
    "nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4, elementwise_affine=False))",
    "nn.Sequential(nn.LayerNorm(4, bias=False), nn.Linear(4, 4, False), nn.Conv1d(1, 1, 1, bias=False))",
    "nn.Sequential(nn.GroupNorm(2, 4), nn.PReLU(), nn.RMSNorm(4), nn.Embedding(3, 4))",
    "nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4, affine=False), nn.BatchNorm1d(4, track_running_stats=False))",
    "torch.compile(Block())",
    "Holder(torch.compile(Block()))",
]
OTHERS = [
    "nn.LSTM(4, 4)",
    "nn.MultiheadAttention(4, 2)",
    "nn.Linear(4, 4, bias=torch.rand(1).item() > 2)",
    "nn.utils.weight_norm(nn.Linear(4, 4))",
    "Holder(nn.utils.parametrizations.weight_norm(nn.Linear(4, 4)))",
    "nn.utils.parametrizations.spectral_norm(Block().fc)",
]


@pytest.mark.parametrize(("model", "known"), [*((one, True) for one in KNOWN), *((one, False) for one in OTHERS)])
def test_as_torch_names_them(model: str, known: bool) -> None:
    pytest.importorskip("torch")
    space: dict[str, object] = {"__name__": "net"}
    text = f"{HEAD}names = list(({model}).state_dict())\n"
    exec(text, space)
    names = run(text).python("names")
    assert names == space["names"] if known else not isinstance(names, list)


@pytest.mark.parametrize(
    "line",
    [
        "model.add_module(input(), nn.Linear(4, 4))",
        "model.register_buffer(input(), torch.ones(4))",
        "model.register_parameter(input(), None)",
        "setattr(model, input(), nn.Linear(4, 4))",
        "model.more = torch.load('more.pt')",
        "import other; other.change(model)",
        "nn.utils.weight_norm(model.fc)",
        "nn.utils.parametrize.register_parametrization(model.fc, 'weight', nn.Identity())",
        "model.fc.extra = nn.Parameter(torch.ones(4))",
    ],
)
def test_what_may_have_others_is_not_known(line: str) -> None:
    text = f"{HEAD}model = Block()\nmodel.act = nn.ReLU()\n{line}\nnames = list(model.state_dict())\n"
    assert not isinstance(run(text).python("names"), list)
