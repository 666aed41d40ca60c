"""AOTI218: buffers that `load_constants` is not given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 16)
        {init}

    def forward(self, x):
        return {forward}


model, x = Net().eval(), torch.ones(2, 16)
program = torch.export.export(model, (x,))
path = torch._inductor.aoti_compile_and_package(program{options})
run = torch._inductor.aoti_load_package(path)
weights = {weights}
run.load_constants(weights, check_full_update={full})
run(x)
"""
BATCH = "self.norm = nn.BatchNorm1d(16)", "self.norm(self.fc(x))"
KEPT = "self.register_buffer('mask', torch.ones(16))", "self.fc(x) * self.mask"
LOST = "self.register_buffer('mask', torch.ones(16), persistent=False)", "self.fc(x) * self.mask"
UNREAD = "self.register_buffer('mask', torch.ones(16), persistent=False)", "self.fc(x)"
SMALL = "self.register_buffer('mask', torch.ones(1), persistent=False)", "self.fc(x) * self.mask"
PARAMETERS = "dict(model.named_parameters())"
LISTED = "{name: one.detach() for name, one in model.named_parameters()}"
BOTH = "{**dict(model.named_parameters()), **dict(model.named_buffers())}"
CHOSEN = "{name: one for name, one in model.named_parameters() if 'fc' in name}"
STATE = "model.state_dict()"
OUTSIDE = ", inductor_configs={'aot_inductor.package_constants_in_so': False}"


@pytest.mark.parametrize(
    ("net", "weights", "options", "full", "said"),
    [
        (BATCH, PARAMETERS, "", True, "silently wrong, likely"),
        (BATCH, LISTED, "", True, "silently wrong, likely"),
        (KEPT, PARAMETERS, "", True, "silently wrong, possible"),
        (KEPT, PARAMETERS, OUTSIDE, True, "crash, likely"),
        (LOST, STATE, OUTSIDE, True, "crash, likely"),
        (BATCH, PARAMETERS, "", False, ""),
        (BATCH, BOTH, "", True, ""),
        (BATCH, CHOSEN, "", True, ""),
        (BATCH, "{'norm.weight': x[0]}", "", True, "raises, likely"),
        (BATCH, "{k: v for k, v in model.state_dict().items() if 'fc' in k}", "", True, "silently wrong, likely"),
        (BATCH, "{k: v for k, v in model.state_dict().items() if 'fc' in k}", "", False, ""),
        (BATCH, "{k: v for k, v in model.state_dict().items() if 'bias' in k}", "", True, "raises, likely"),
        (KEPT, "{k: v.clone() for k, v in model.state_dict().items()}", "", True, ""),
        (KEPT, STATE, OUTSIDE, True, ""),
        (KEPT, BOTH, OUTSIDE, True, ""),
        (LOST, STATE, "", True, ""),
        (UNREAD, STATE, OUTSIDE, True, ""),
        (UNREAD, PARAMETERS, OUTSIDE, True, ""),
        (SMALL, STATE, OUTSIDE, True, ""),
    ],
)
def test_said(net: tuple[str, str], weights: str, options: str, full: bool, said: str, tmp_path: Path) -> None:
    text = SCRIPT.format(init=net[0], forward=net[1], weights=weights, options=options, full=full)
    found = lint_files(tmp_path / "judged", {"net.py": text}, None, "2.13", "--pedantic")
    assert [f"{one.outcome}, {one.confidence}" for one in found if one.code == "AOTI218"] == [said][: bool(said)]
