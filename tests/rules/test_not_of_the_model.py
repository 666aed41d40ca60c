"""AOTI225: what only the model has is asked of its exported module, its program or a loaded package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """import torch
class Base(torch.nn.Module):
    def decode(self, x):
        return x
class Net(Base):
    def __init__(self, factor=2.0):
        super().__init__()
        self.encoder = torch.nn.Linear(4, 2)
        self.act = torch.nn.ReLU()
        self.factor, self.label = factor, "net"
        self.table = torch.ones(2)
        self.register_buffer("shift", torch.zeros(2))
    def encode(self, x):
        return self.encoder(x)
    @property
    def width(self):
        return 4
    def extra_repr(self):
        return self.label
    def forward(self, x):
        return self.encode(x) * self.factor + self.table + self.shift
net = Net()
x = torch.randn(3, 4)
program = torch.export.export(net, (x,))
module = program.module()
run = torch._inductor.aoti_load_package("net.pt2")
"""
SAID = [
    "module.encode(x)",
    "module.decode(x)",
    "print(module.width)",
    "print(module.factor, 1)",
    "getattr(module, 'label')",
    "module.factor = 3.0",
    "setattr(module, 'factor', 3.0)",
    "program.eval()",
    "program.to('cuda')",
    "program.forward(x)",
    "torch.export.load('net.pt2').train()",
    "run.eval()",
    "run.to('cuda')",
    "run.state_dict()",
    "for p in run.parameters():\n    print(p)",
]
SILENT = [
    "module.table, module.shift, module.encoder.weight",
    "module.state_dict(), list(module.parameters()), module.training, module.extra_repr()",
    "module.to('cpu'), module.half(), module.graph, module.code",
    "module.unheard",
    "module.label = 'other'",
    "module.version = 7",
    "module.encode = net.encode\nmodule.encode(x)",
    "module.width = 4\nprint(module.width)",
    "if hasattr(module, 'encode'):\n    module.encode(x)",
    "print(getattr(module, 'width', 0))",
    "try:\n    module.encode(x)\nexcept AttributeError:\n    pass",
    "import pytest\nwith pytest.raises(AttributeError):\n    module.encode(x)",
    "if isinstance(run, torch.nn.Module):\n    run.eval()",
    "if hasattr(run, 'eval'):\n    run.eval()",
    "program.parameters(), program.state_dict, program.named_buffers()",
    "run.get_constant_fqns(), run.loader, run.load_constants({}, check_full_update=False)",
    "torch._C._aoti.AOTIModelPackageLoader('net.pt2', 'model').to",
    "unknown.patch(module)\nmodule.encode(x)",
    "module.fine = 1\nnet.encode(x), net.factor",
]


@pytest.mark.parametrize("body", [*SAID, *SILENT])
def test_said(body: str, tmp_path: Path) -> None:
    script = f"import unknown\n{HEAD}{body}\n"
    found = lint_files(tmp_path / "judged", {"script.py": script}, torch="2.13")
    assert [item.code for item in found if item.code == "AOTI225"] == ["AOTI225"] * (body in SAID)


def test_the_program_of_another_script(tmp_path: Path) -> None:
    files = {
        "export.py": f"import unknown\n{HEAD}torch.export.save(program, 'program.pt2')\n",
        "serve.py": "import torch\nmodel = torch.export.load('program.pt2').module()\nmodel.encode(torch.ones(3, 4))\n",
    }
    (one,) = [item for item in lint_files(tmp_path / "judged", files, torch="2.13") if item.code == "AOTI225"]
    assert (one.file, one.row, one.severity) == ("serve.py", 3, "error")


def test_before_packages_were_objects(tmp_path: Path) -> None:
    for number, (release, said) in enumerate((("2.5", 0), ("2.6", 1))):
        found = lint_files(tmp_path / str(number), {"script.py": f"import unknown\n{HEAD}run.eval()\n"}, torch=release)
        assert [item.code for item in found].count("AOTI225") == said


PARTS = """import torch
class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear, self.size = torch.nn.Linear(4, 4), 4
    def forward(self, x):
        return self.linear(x)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.act, self.table = Inner(), torch.nn.ReLU(), torch.nn.Module()
        self.table.values = torch.ones(4)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4), torch.nn.ReLU()])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.act(self.inner(x)) + self.table.values
x = torch.randn(3, 4)
program = torch.export.export(Net(), (x,))
module = program.module()
"""
OF_PARTS = [
    "module.inner(x)",
    "inner = module.inner\ninner.forward(x)",
    "module.inner.linear(x)",
    "module.layers[0]",
    "print(module.inner.size)",
    "print(module.inner.linear.in_features)",
    "print(module.act)",
    "module.inner.register_forward_hook(print)",
]
NO_PARTS = [
    "module.inner.linear.weight.abs(), module.inner.linear.bias[0], module.inner.state_dict()",
    "print(module.table, module.inner.unheard, module.inner.training)",
    "module.get_submodule('layers.0').weight",
    "module.inner.size = 4\nprint(module.inner.size)",
    "torch.export.unflatten(program).inner(x)",
    "module.register_forward_hook(print)",
    "try:\n    module.inner(x)\nexcept NotImplementedError:\n    pass",
    "if hasattr(module, 'act'):\n    print(module.act)",
]


@pytest.mark.parametrize("body", [*OF_PARTS, *NO_PARTS])
def test_parts(body: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{PARTS}{body}\n"}, torch="2.13")
    assert [item.code for item in found if item.code == "AOTI225"] == ["AOTI225"] * (body in OF_PARTS)
