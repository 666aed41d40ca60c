"""AOTI708: weights given by the names of a compiled model, judged, and run with torch, which raises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.judging import lint_files

HEAD = """import copy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.conv = nn.Conv1d(2, 2, 1)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.conv(self.fc(x)))


class Outer(nn.Module):
    def __init__(self, inside):
        super().__init__()
        self.inside = inside

    def forward(self, x):
        return self.inside(x)


class Hooked(Net):
    def load_state_dict(self, weights, *rest, **named):
        plain = {name.replace("_orig_mod.", ""): value for name, value in weights.items()}
        return super().load_state_dict(plain, *rest, **named)


def plain(weights):
    return {name.removeprefix("_orig_mod."): value for name, value in weights.items()}


x = torch.ones(1, 2, 4)
compiled = torch.compile(Net())
before = Net()
names = before.state_dict()
before.fc = torch.compile(before.fc)
"""
WRONG = [
    "Net().load_state_dict(compiled.state_dict())",
    "compiled.load_state_dict(Net().state_dict())",
    "Net().load_state_dict(torch.export.export(compiled, (x,)).state_dict)",
    "torch.export.export(compiled, (x,)).module().load_state_dict(Net().state_dict())",
    "torch.export.export(compiled, (x,), strict=True).module().load_state_dict(Net().state_dict())",
    "Net().load_state_dict(torch.export.export(compiled, (x,)).module().state_dict())",
    "before.load_state_dict(names)",
    "torch.export.export(before, (x,)).module().load_state_dict(names)",
    "Outer(Net()).load_state_dict(Outer(compiled).state_dict())",
    "Outer(Net()).load_state_dict(Outer(before).state_dict())",
    "nn.Sequential(nn.Linear(4, 4)).load_state_dict(torch.compile(nn.Sequential(nn.Linear(4, 4))).state_dict())",
    "Net().load_state_dict(copy.deepcopy(compiled).state_dict())",
    "Net().load_state_dict(copy.deepcopy(compiled.state_dict()))",
    "Net().load_state_dict(Outer(Net()).state_dict())",
    "Outer(Net()).load_state_dict(Net().state_dict())",
    "Outer(Outer(Net())).load_state_dict(Net().state_dict())",
    "nn.Linear(4, 4).load_state_dict({'_orig_mod.weight': torch.ones(4, 4), '_orig_mod.bias': torch.ones(4)})",
    "torch.compile(nn.Linear(4, 4)).load_state_dict({'weight': torch.ones(4, 4), 'bias': torch.ones(4)})",
]
RIGHT = [
    "Net().load_state_dict(Outer(Net()).inside.state_dict())",
    "Net().load_state_dict({k[7:]: v for k, v in Outer(Net()).state_dict().items()})",
    "Net().load_state_dict(compiled._orig_mod.state_dict())",
    "compiled._orig_mod.load_state_dict(Net().state_dict())",
    "compiled.load_state_dict(torch.compile(Net()).state_dict())",
    "Net().load_state_dict(plain(compiled.state_dict()))",
    "Net().load_state_dict({k[10:]: v for k, v in compiled.state_dict().items()})",
    "Hooked().load_state_dict(compiled.state_dict())",
    "before.load_state_dict(before.state_dict())",
    "Outer(before).load_state_dict(Outer(before).state_dict())",
    "one = Net(); one.compile(); Net().load_state_dict(torch.export.export(one, (x,)).state_dict)",
    "one = Net(); one.fc.compile(); Net().load_state_dict(one.state_dict())",
    "one = Net(); one.forward = torch.compile(one.forward); Net().load_state_dict(one.state_dict())",
    "one = Net(); one.act = torch.compile(one.act); Net().load_state_dict(one.state_dict())",
    "Net().load_state_dict(torch.compile(Net(), disable=True).state_dict())",
    "one = getattr(compiled, '_orig_mod', compiled); Net().load_state_dict(one.state_dict())",
    "one = compiled._orig_mod if hasattr(compiled, '_orig_mod') else compiled; "
    "Net().load_state_dict(torch.export.export(one, (x,)).state_dict)",
    "w = compiled.state_dict(); torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(w, '_orig_mod.'); "
    "Net().load_state_dict(w)",
    "w = compiled.state_dict()\nfor k in list(w): w[k.removeprefix('_orig_mod.')] = w.pop(k)\nNet().load_state_dict(w)",
    "nn.Linear(4, 4).load_state_dict({'weight': torch.ones(4, 4), 'bias': torch.ones(4)})",
    "try: Net().load_state_dict(compiled.state_dict())\nexcept RuntimeError: pass",
    "Net().load_state_dict(names)",
]  # fmt: skip
CASES = [(body, wrong) for bodies, wrong in ((WRONG, True), (RIGHT, False)) for body in bodies]


@pytest.mark.parametrize(("body", "wrong"), CASES)
def test_what_is_said(body: str, wrong: bool, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"net.py": f"{HEAD}{body}\n"}, torch="2.13")
    assert [item.code for item in found] == (["AOTI708"] if wrong else [])


@pytest.mark.parametrize(("body", "wrong"), CASES)
def test_torch_agrees(body: str, wrong: bool) -> None:
    pytest.importorskip("torch")
    space: dict[str, Any] = {"__name__": "net"}
    exec(HEAD, space)
    if wrong:
        with pytest.raises(RuntimeError, match=r"_orig_mod|Missing key"):
            exec(body, space)
    else:
        exec(body, space)


def test_without_strict_nothing_is_loaded(tmp_path: Path) -> None:
    text = f"{HEAD}Net().load_state_dict(compiled.state_dict(), strict=False)\n"
    (found,) = lint_files(tmp_path / "run", {"net.py": text}, torch="2.13")
    assert found.outcome == "silently wrong"
    assert "nothing says so" in found.message


PACKAGE = """
def package(model):
    program = torch.export.export(model, (x,))
    return torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))


"""


def codes(folder: Path, body: str) -> list[str]:
    """What is said of names; the biases of this model are small, which AOTI218 says."""
    found = lint_files(folder, {"net.py": f"{HEAD}{PACKAGE}{body}\n"}, torch="2.13")
    return [item.code for item in found if item.code != "AOTI218"]


GIVEN = {
    "package(compiled).load_constants(names, check_full_update=True)": True,
    "package(compiled).load_constants({'fc.weight': torch.ones(4, 4)}, check_full_update=False)": True,
    "package(before).load_constants(Net().state_dict(), check_full_update=True)": True,
    "package(Net()).load_constants(compiled.state_dict(), check_full_update=True)": True,
    "package(compiled).load_constants(compiled.state_dict(), check_full_update=True)": False,
    "package(compiled).load_constants({'_orig_mod.fc.weight': torch.ones(4, 4)}, check_full_update=False)": False,
    "package(compiled).load_constants({'_orig_mod.' + k: v for k, v in names.items()}, check_full_update=True)": False,
    "package(before).load_constants({'conv.bias': torch.ones(2)}, check_full_update=False)": False,
    "package(compiled._orig_mod).load_constants(names, check_full_update=True)": False,
}


@pytest.mark.parametrize(("body", "wrong"), GIVEN.items())
def test_packages(body: str, wrong: bool, tmp_path: Path) -> None:
    assert codes(tmp_path / "run", body) == (["AOTI708"] if wrong else [])


OPTION = """import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--compile", action="store_true")
model = Net()
if parser.parse_args().compile:
    model = torch.compile(model)
"""


@pytest.mark.parametrize("given", ["model.state_dict()", "names"])
def test_an_option_decides(given: str, tmp_path: Path) -> None:
    """Names that one option decides fit on both sides; where it decides one side, nothing is said by default."""
    assert codes(tmp_path / "run", f"{OPTION}package(model).load_constants({given}, check_full_update=True)") == []


TRAIN = """import sys
import torch
from torch import nn

def train():
    model = torch.compile(nn.Linear(4, 4))
    best = 9.0
    for epoch in range(int(sys.argv[1])):
        score = model(torch.randn(2, 4)).sum().item()
        if score < best:
            best = score
            torch.save({saved}, "net.pt")

if __name__ == "__main__":
    train()
"""
EXPORT = """import torch
from torch import nn

weights = {loaded}
model = nn.Linear(4, 4)
model.load_state_dict(weights)
torch.export.export(model, (torch.randn(2, 4),))
"""
CHECKPOINTS = [
    ("model.state_dict()", "torch.load('net.pt')", True),
    ("{'epoch': epoch, 'model': model.state_dict()}", "torch.load('net.pt', map_location='cpu')['model']", True),
    ("{'epoch': epoch, 'model': model.state_dict()}", "torch.load('net.pt')['optimizer']", False),
    ("nn.Linear(4, 4).state_dict()", "torch.load('net.pt')", False),
    ("nn.Sequential(nn.Sequential(nn.Linear(4, 4))).state_dict()", "torch.load('net.pt')", False),
    ("model.state_dict()", "torch.load('other.pt')", False),
    ("{'epoch': epoch, 'model': nn.Linear(4, 4).state_dict()}", "torch.load('net.pt')", True),
    ("{'epoch': epoch, 'model': nn.Linear(4, 4).state_dict()}", "torch.load('net.pt')['model']", False),
    ("model.state_dict()", "{k[10:]: v for k, v in torch.load('net.pt').items()}", False),
    ("model.state_dict()", "torch.load('net.pt')\nfor k in list(weights):\n"
     "    weights[k.replace('_orig_mod.', '')] = weights.pop(k)", False),
    ("model.state_dict()", "torch.load('net.pt')\n"
     "nn.modules.utils.consume_prefix_in_state_dict_if_present(weights, '_orig_' + 'mod.')", False),
]  # fmt: skip


@pytest.mark.parametrize(("saved", "loaded", "wrong"), CHECKPOINTS)
@pytest.mark.parametrize("together", [False, True])
def test_through_a_file(saved: str, loaded: str, wrong: bool, together: bool, tmp_path: Path) -> None:
    train, export = TRAIN.replace("{saved}", saved), EXPORT.replace("{loaded}", loaded)
    one = {"job.py": f"{train.partition('if __name__')[0]}\ntrain()\n{export}"}
    files = one if together else {"train.py": train, "export.py": export}
    found = lint_files(tmp_path / "run", files, torch="2.13")
    assert ("AOTI708" in [item.code for item in found]) == wrong


SAVED_ALONE = """import torch
from torch import nn

class Around(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = nn.Sequential(nn.Linear(4, 4))

net = {model}
torch.save({{"net": net.state_dict()}}, "{file}")
"""
LOADED = "model.load_state_dict(torch.load('net.pt')['net'], strict=False)"


@pytest.mark.parametrize(
    ("model", "file", "wrong"),
    [("Around()", "net.pt", True), ("Around().module", "net.pt", False), ("Around()", "old_net.pt", False)],
)
def test_saved_by_a_script_that_does_nothing_else(model: str, file: str, wrong: bool, tmp_path: Path) -> None:
    """It is read for the checkpoint that another one gives to a model."""
    export = EXPORT.replace("weights = {loaded}", "").replace("model.load_state_dict(weights)", LOADED)
    export = export.replace("nn.Linear(4, 4)", "nn.Sequential(nn.Linear(4, 4))")
    files = {"train.py": SAVED_ALONE.format(model=model, file=file), "export.py": export}
    found = lint_files(tmp_path / "run", files, torch="2.13")
    assert ("AOTI708" in [item.code for item in found]) == wrong
