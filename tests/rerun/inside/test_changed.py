"""Weights that are changed after a package was compiled, as they are noted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch")

from aoti_lint.rerun.inside.calls.changed import Changed  # noqa: E402
from aoti_lint.rerun.inside.events import Events  # noqa: E402


def noted(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]


def model() -> Any:
    return torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2)).eval()


@pytest.mark.parametrize("how", ["load", "step", "move", "buffer", "none"])
def test_changes_are_noted_once(tmp_path: Path, how: str) -> None:
    one = model()
    changed = Changed(Events(str(tmp_path)))
    changed.compiled("/app/m.pt2", torch.export.export(one, (torch.ones(3, 2),)))
    with torch.no_grad():
        if how == "load":
            one.load_state_dict(model().state_dict())
        elif how == "step":
            one[0].weight.add_(1)
        elif how == "move":
            one[0].weight.data = one[0].weight.data.clone() + 1
        elif how == "buffer":
            one.train()(torch.ones(3, 2))
    changed.called("/app/other.pt2")
    changed.called("/app/m.pt2")
    changed.called("/app/m.pt2")
    # batch_norm writes its mean and variance where no version is counted.
    wanted = {"load": [7], "step": [1], "move": [1], "buffer": [1], "none": []}[how]
    found = noted(tmp_path)
    assert [event["differing"] for event in found] == wanted
    if how == "step":
        assert (found[0]["names"], found[0]["of_all"], found[0]["package"]) == (["0.weight"], 7, "/app/m.pt2")


def test_a_model_that_is_gone_changes_nothing(tmp_path: Path) -> None:
    changed = Changed(Events(str(tmp_path)))
    changed.compiled("/app/m.pt2", torch.export.export(model(), (torch.ones(3, 2),)))
    changed.called("/app/m.pt2")
    assert noted(tmp_path) == []
