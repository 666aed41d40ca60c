"""Layers of a project's own, made of those of torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.values.values import Unknown
from tests.analysing import codes, facts_of
from tests.snippets import run

BLOCK = """
    import torch
    from torch import nn

    class Block(nn.Sequential):
        def __init__(self, width, p):
            super().__init__(nn.Linear(width, width), {layer})

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.Sequential(*(Block(w, 0.5) for w in (8, 8)))

        def forward(self, x):
            return self.blocks(x).sum(-1)

    program = torch.export.export({model}, (torch.randn(4, 8),))
    torch.export.save(program, "net.pt2")
"""


@pytest.mark.parametrize(
    ("layer", "model", "expected"),
    [
        ("nn.Dropout(p)", "Net()", ["AOTI701"]),
        ("nn.Dropout(p)", "Net().eval()", []),
        ("nn.Dropout(0.0)", "Net()", []),
        ("nn.Dropout(p)", "Block(8, 0.5)", ["AOTI701"]),
        ("nn.ReLU()", "Block(8, 0.5)", []),
    ],
)
def test_a_class_over_a_sequence_runs_its_layers(
    layer: str, model: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert codes(facts_of(tmp_path, monkeypatch, a=BLOCK.format(layer=layer, model=model))) == expected


def test_a_class_over_a_layer_that_has_a_forward_of_its_own_runs_that() -> None:
    ran = run("""
import torch
class Kept(torch.nn.Dropout):
    def forward(self, x):
        return 7
class Plain(torch.nn.Flatten):
    pass
kept = Kept()(torch.randn(2, 3))
plain = Plain()(torch.randn(2, 3))
""")
    assert ran.python("kept") == 7
    assert not isinstance(ran.value("plain"), Unknown)


def test_a_class_over_a_layer_gives_its_sizes() -> None:
    ran = run("""
import torch
class Head(torch.nn.Linear):
    def __init__(self, classes):
        super().__init__(8, classes)
shape = Head(3)(torch.randn(2, 5, 8)).shape
""")
    assert ran.python("shape") == (2, 5, 3)


def test_layers_that_are_not_all_known_change_the_shape() -> None:
    ran = run("""
import torch
from elsewhere import layers
net = torch.nn.Sequential(*layers)
shape = net(torch.randn(2, 3)).shape
""")
    assert ran.python("shape") != (2, 3)


@pytest.mark.parametrize(
    "made",
    ['load().to("cuda")', "load().cuda()", 'torch.load("a.pt", map_location="cuda")', 'load(map="cpu").to("cuda")'],
)
def test_what_was_moved_may_be_a_model(made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"""
        import torch
        from elsewhere import load

        model = {made}
        model.eval()
        program = torch.export.export(model, (torch.randn(2, 3, device="cuda"),))
        torch._inductor.aoti_compile_and_package(program)
    """
    assert codes(facts_of(tmp_path, monkeypatch, a=text)) == []
