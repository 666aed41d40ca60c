"""AOTI702: autocast around an export, as torch itself sees it, and around compiles and calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.judging import lint_files

HEAD = """
import argparse
import contextlib
import torch
from contextlib import ExitStack, nullcontext
from torch import nn
from torch.amp import autocast

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
    def forward(self, x):
        return self.body(x)

class Own(Net):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.body(x)

class Decorated(Net):
    @torch.autocast("cpu", dtype=torch.bfloat16)
    def forward(self, x):
        return self.body(x)

class Plain(nn.Module):
    def forward(self, x):
        return x.relu() + 1

class Wrapper(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
    def forward(self, x):
        return self.model(x)

def export(model, x):
    return torch.export.export(model, (x,))

LOW = torch.bfloat16
model, x = Net().eval(), torch.randn(2, 8)
"""
SAVE = """
torch.export.save(program, "program.pt2")
"""
IGNORED = {
    "plain": "with torch.autocast('cpu', dtype=LOW):\n    program = torch.export.export(model, (x,))",
    "no dtype": "with torch.autocast('cpu'):\n    program = torch.export.export(model, (x,))",
    "imported": "with autocast(device_type='cpu', dtype=LOW), torch.no_grad():\n    program = export(model, x)",
    "older": "with torch.cpu.amp.autocast(dtype=LOW):\n    program = export(model, x)",
    "device.type": "device = x.device\nwith torch.autocast(torch.device('cpu').type, dtype=LOW):\n"
                   "    program = export(model, x)",
    "arguments in a dict": "options = {'dtype': LOW, 'enabled': True}\nwith torch.autocast('cpu', **options):\n"
                           "    program = export(model, x)",
    "decorator": "@torch.autocast('cpu', dtype=LOW)\ndef make():\n    return export(model, x)\nprogram = make()",
    "method": "class Job:\n    @torch.autocast('cpu', dtype=LOW)\n    def run(self, model):\n"
              "        return export(model, x)\nprogram = Job().run(model)",
    "kept": "amp = torch.autocast('cpu', dtype=LOW)\nwith amp:\n    program = export(model, x)",
    "chosen": "on = True\nwith torch.autocast('cpu', dtype=LOW) if on else nullcontext():\n"
              "    program = export(model, x)",
    "stack": "with ExitStack() as stack:\n    stack.enter_context(torch.autocast('cpu', dtype=LOW))\n"
             "    program = export(model, x)",
    "generator": "@contextlib.contextmanager\ndef low():\n    with torch.autocast('cpu', dtype=LOW):\n        yield\n"
                 "with low():\n    program = export(model, x)",
    "nested": "with torch.autocast('cpu', enabled=False):\n    with torch.autocast('cpu', dtype=LOW):\n"
              "        program = export(model, x)",
    "another device inside": "with torch.autocast('cpu', dtype=LOW):\n    with torch.autocast('cuda', enabled=False):\n"
                             "        program = export(model, x)",
    "wrapped": "with torch.autocast('cpu', dtype=LOW):\n    program = export(Wrapper(model), x)",
    "strict": "with torch.autocast('cpu', dtype=LOW):\n    program = torch.export.export(model, (x,), strict=True)",
}  # fmt: skip
QUIET = {
    "off": "with torch.autocast('cpu', dtype=LOW, enabled=False):\n    program = export(model, x)",
    "another device": "with torch.autocast('cuda', dtype=torch.float16):\n    program = export(model, x)",
    "before": "with torch.autocast('cpu', dtype=LOW):\n    model(x)\nprogram = export(model, x)",
    "stack left": "with ExitStack() as stack:\n    stack.enter_context(torch.autocast('cpu', dtype=LOW))\n"
                  "    model(x)\nprogram = export(model, x)",
    "switched off inside": "with torch.autocast('cpu', dtype=LOW):\n    with torch.autocast('cpu', enabled=False):\n"
                           "        program = export(model, x)",
    "in forward": "with torch.autocast('cpu', dtype=LOW):\n    program = export(Own(), x)",
    "in forward only": "program = export(Own(), x)",
    "in a forward inside": "with torch.autocast('cpu', dtype=LOW):\n    program = export(Wrapper(Own()), x)",
    "forward decorated": "with torch.autocast('cpu', dtype=LOW):\n    program = export(Decorated(), x)",
    "nothing to cast": "with torch.autocast('cpu', dtype=LOW):\n    program = export(Plain(), x)",
    "cast": "model.to(LOW)\nx = x.to(LOW)\nwith torch.autocast('cpu', dtype=LOW):\n    program = export(model, x)",
    "cast by method": "model = model.bfloat16()\nwith torch.autocast('cpu', dtype=LOW):\n"
                      "    program = export(model, x.to(LOW))",
    "cast with its device": "model.to('cpu', LOW)\nx = x.to(LOW)\nwith torch.autocast('cpu', dtype=LOW):\n"
                            "    program = export(model, x)",
}  # fmt: skip


def found(folder: Path, body: str) -> list[str]:
    items = lint_files(folder / "judged", {"script.py": HEAD + body + SAVE}, torch="2.13")
    return [item.code for item in items if item.severity != "info"]


@pytest.mark.parametrize("name", IGNORED)
def test_ignored(name: str, tmp_path: Path) -> None:
    assert found(tmp_path, IGNORED[name]) == ["AOTI702"]


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert found(tmp_path, QUIET[name]) == []


@pytest.mark.parametrize("name", [*IGNORED, *QUIET])
def test_torch_agrees(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the export ignores is what the model does under the same autocast and the program does not."""
    torch = pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    body = IGNORED.get(name) or QUIET[name]
    space: dict[str, Any] = {"__name__": "script"}
    exec(compile(HEAD + body, "script.py", "exec"), space)
    x = space["x"].to(torch.bfloat16) if name.startswith("cast") else space["x"]
    low = space["program"].module()(x).dtype == torch.bfloat16
    assert low == (name in ("in forward", "in forward only", "in a forward inside", "forward decorated")
                   or name.startswith("cast"))  # fmt: skip
    if name in IGNORED:
        eager = body.replace("torch.export.export(model, (x,))", "model(x)")
        eager = eager.replace("torch.export.export(model, (x,), strict=True)", "model(x)")
        exec(compile(HEAD.replace("torch.export.export(model, (x,))", "model(x)") + eager, "eager.py", "exec"), space)
        assert space["program"].dtype == torch.bfloat16


COMPILED = 'path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")'
RUN = "run = torch._inductor.aoti_load_package(path)\nrun(x)"


def under(body: str, on: str = "torch.autocast('cpu', dtype=LOW)") -> str:
    return f"with {on}:\n" + "\n".join(f"    {line}" for line in body.splitlines())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"program = export(model, x)\n{under(COMPILED)}\n{RUN}", [("AOTI702", "compiled")]),
        (f"program = export(model, x)\n{COMPILED}\n{under(RUN)}", [("AOTI702", "called")]),
        (f"program = export(model, x)\n{under(COMPILED)}\n{under(RUN)}", [("AOTI702", "compiled")]),
        (f"{under('program = export(model, x)')}\n{COMPILED}\n{under(RUN)}", [("AOTI702", "exported")]),
        (under(f"program = export(model, x)\n{COMPILED}\n{RUN}"), []),
        (f"program = export(model, x)\n{COMPILED}\n{under('program.module()(x)')}", []),
        (f"program = export(model, x)\n{COMPILED}\n{under(RUN, 'torch.autocast(chr(3))')}", []),
        (f"program = export(model, x)\n{under(COMPILED, 'torch.autocast(chr(3))')}\n{RUN}", []),
        (f"program = export(Own(), x)\n{COMPILED}\n{under(RUN)}", []),
        (f"program = export(model, x)\n{under(COMPILED, 'nullcontext()')}\n{RUN}", []),
        (under("run = torch.compile(model)\nrun(x)"), []),
        (under("program = export(model, x)\nprogram.module()(x)"), []),
        (under("program = export(model, x)\nrun = torch.compile(program.module())\nrun(x)"), []),
        (f"{under('program = export(model, x)')}\nprogram.module()(x)", [("AOTI702", "exported")]),
        (f"{under('program = export(model, x)')}\n{under('program.module()(x)')}{SAVE}", [("AOTI702", "exported")]),
        (under("run = torch._inductor.aoti_load_package('other.pt2')\nrun(x)"), []),
    ],
)
def test_compiles_and_calls(text: str, wanted: list[tuple[str, str]], tmp_path: Path) -> None:
    items = lint_files(tmp_path / "judged", {"script.py": HEAD + text + "\n"}, torch="2.13")
    said = [(item.code, item.message.split()[0]) for item in items if item.severity != "info"]
    assert said == wanted


def test_an_option_decides(tmp_path: Path) -> None:
    """`enabled=args.amp`: said where the option is on unless it is switched off."""
    for default, wanted in (("True", ["AOTI702"]), ("False", [])):
        body = (
            "parser = argparse.ArgumentParser()\n"
            f"parser.add_argument('--amp', default={default}, action=argparse.BooleanOptionalAction)\n"
            "args = parser.parse_args()\nwith torch.autocast('cpu', dtype=LOW, enabled=args.amp):\n"
            "    program = export(model, x)\n"
        )
        assert found(tmp_path / default, body) == wanted
