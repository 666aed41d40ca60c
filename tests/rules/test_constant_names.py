"""AOTI708 and AOTI218: weights that reach a package under names it does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

NET = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(16, 32)
        self.out = torch.nn.Linear(32, 16)

    def forward(self, x):
        return self.out(self.fc(x).relu())
"""
BUILD = """import torch
from net import Net

model = Net().eval()
program = torch.export.export(model, (torch.randn(2, 16),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
SERVE = """import torch
from helper import fill, named
from net import Net
from safetensors.torch import load_file

weights = Net().state_dict()
run = torch._inductor.aoti_load_package("net.pt2")
"""
HELPER = """def named(weights, prefix="model."):
    return {prefix + name: weight for name, weight in weights.items()}


def fill(run, weights):
    renamed = {}
    for name, weight in weights.items():
        renamed["net." + name] = weight
    run.load_constants(renamed, check_full_update=True)
"""
GIVEN = [
    ('{f"model.{k}": v for k, v in weights.items()}', "AOTI708"),
    ('{k.replace(".", "_"): v for k, v in weights.items()}', "AOTI708"),
    ('{k.split(".", 1)[1]: v for k, v in weights.items()}', "AOTI708"),
    ("{**weights, **named(weights)}", "AOTI708"),
    ("named(weights)", "AOTI708"),
    ("Net().fc.state_dict()", "AOTI708"),
    ('{k: v for k, v in weights.items() if k.endswith("weight")}', "AOTI218"),
    ("named(weights, '')", ""),
    ("{k: v.half() for k, v in weights.items()}", ""),
    ('{k.removeprefix("model."): v for k, v in named(weights).items()}', ""),
    ("{k.removeprefix(input()): v for k, v in named(weights).items()}", ""),
    ("dict(weights)", ""),
]


def said(folder: Path, serve: str, build: str = "") -> list[tuple[str, str]]:
    files = {"net.py": NET, "build.py": BUILD + build, "serve.py": SERVE + serve, "helper.py": HELPER}
    return [(one.file.rpartition("/")[2], one.code) for one in lint_files(folder, files, torch="2.13")]


@pytest.mark.parametrize(("given", "code"), GIVEN)
def test_made_in_the_script(given: str, code: str, tmp_path: Path) -> None:
    found = said(tmp_path / "run", f"run.load_constants({given}, check_full_update=True)\n")
    assert found == [("serve.py", code)][: bool(code)]


def test_some_may_be_given_alone(tmp_path: Path) -> None:
    given = '{k: v for k, v in weights.items() if k.endswith("weight")}'
    assert said(tmp_path / "run", f"run.load_constants({given}, check_full_update=False)\n") == []


def test_put_together_in_a_loop(tmp_path: Path) -> None:
    assert said(tmp_path / "run", "fill(run, weights)\n") == [("helper.py", "AOTI708")]


SAVED = [
    ('torch.save({"model." + k: v for k, v in model.state_dict().items()}, "w.pt")', 'torch.load("w.pt")', True),
    ('torch.save({"model": {"x." + k: v for k, v in model.state_dict().items()}}, "w.pt")',
     'torch.load("w.pt")["model"]', True),
    ('torch.save(model.state_dict(), "w.pt")', 'torch.load("w.pt")', False),
    ('torch.save({"model": model.state_dict()}, "w.pt")', 'torch.load("w.pt")["model"]', False),
    ('from safetensors.torch import save_file\n'
     'save_file({"model." + k: v for k, v in model.state_dict().items()}, "w.safetensors")',
     'load_file("w.safetensors")', True),
    ('from safetensors.torch import save_file\nsave_file(model.state_dict(), "w.safetensors")',
     'load_file("w.safetensors")', False),
    ('torch.save({"model." + k: v for k, v in model.state_dict().items()}, "w.pt")',
     '{k.removeprefix("model."): v for k, v in torch.load("w.pt").items()}', False),
]  # fmt: skip


@pytest.mark.parametrize(("saved", "loaded", "wrong"), SAVED)
def test_through_a_file(saved: str, loaded: str, wrong: bool, tmp_path: Path) -> None:
    found = said(tmp_path / "run", f"run.load_constants({loaded}, check_full_update=True)\n", f"{saved}\n")
    assert found == ([("serve.py", "AOTI708")] if wrong else [])


@pytest.mark.parametrize(
    ("given", "code"),
    [("weights", "AOTI218"), ('{k.replace(".", "_"): v for k, v in weights.items()}', ""), ("input()", "")],
)
@pytest.mark.parametrize(("checked", "outcome"), [("True", "raises"), ("False", "silently wrong")])
def test_names_of_the_compiled_code(given: str, code: str, checked: str, outcome: str, tmp_path: Path) -> None:
    serve = f"{SERVE}run.loader.update_constant_buffer({given}, False, {checked})\n"
    found = lint_files(tmp_path / "run", {"net.py": NET, "serve.py": serve, "helper.py": HELPER}, torch="2.13")
    assert [(one.code, one.outcome) for one in found] == [(code, outcome)][: bool(code)]


def test_more_weights_than_a_loop_is_followed_for(tmp_path: Path) -> None:
    """A comprehension over all weights of a large model is still that of all of them."""
    body = "torch.nn.Sequential(*[torch.nn.Linear(16, 16) for _ in range(24)])"
    text = f"""import torch

model = {body}
program = torch.export.export(model, (torch.randn(2, 16),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))
run.load_constants({{f"model.{{k}}": v for k, v in model.state_dict().items()}}, check_full_update=True)
"""
    assert [one.code for one in lint_files(tmp_path / "run", {"net.py": text}, torch="2.13")] == ["AOTI708"]
