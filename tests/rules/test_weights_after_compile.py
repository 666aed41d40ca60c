"""AOTI715: the order of giving a model weights or other attributes, and of making a program or package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """import torch

def package(model, path="net.pt2"):
    program = torch.export.export(model, (torch.randn(2, 8),))
    return torch._inductor.aoti_compile_and_package(program, package_path=path)

model = torch.nn.Linear(8, 64)
weights = torch.load("weights.pt")
"""
LATE = [
    "package(model)\nmodel.load_state_dict(weights)",
    "package(model)\nmodel.load_state_dict(weights)\nmodel.eval()",
    "torch.export.save(torch.export.export(model, (torch.randn(2, 8),)), 'net.pt2')\nmodel.load_state_dict(weights)",
    "package(torch.compile(model))\nmodel.load_state_dict(weights)",
    "program = torch.export.export(model, (torch.randn(2, 8),))\nmodel.load_state_dict(weights, assign=True)\n"
    "torch.export.save(program, 'net.pt2')",
]
NOT = [
    "model.load_state_dict(weights)\npackage(model)",
    "package(model)\nmodel.load_state_dict(weights)\npackage(model)",
    "model.load_state_dict(weights)\npackage(model)\nmodel.load_state_dict(torch.load('other.pt'))",
    "before = model.state_dict()\npackage(model)\nmodel.load_state_dict(before)",
    "package(model)\ntorch.nn.Linear(8, 64).load_state_dict(weights)",
    "for file in ('a.pt', 'b.pt'):\n    model.load_state_dict(torch.load(file))\n    package(model, file + '2')",
    "run = torch._inductor.aoti_load_package(package(model))\nmodel.load_state_dict(weights)\n"
    "run.load_constants(model.state_dict(), check_full_update=True)",
    "program = torch.export.export(model, (torch.randn(2, 8),))\nmodel.load_state_dict(weights)\nprogram.module()",
    "model.load_state_dict(weights, assign=True)\nprogram = torch.export.export(model, (torch.randn(2, 8),))",
    "torch.export.export(model, (torch.randn(2, 8),))\nmodel.load_state_dict(weights, assign=True)\n"
    "program = torch.export.export(model, (torch.randn(2, 8),))",
    "program = torch.export.export(model, (torch.randn(2, 8),))\nmodel.load_state_dict(weights)\n"
    "torch._inductor.aoti_compile_and_package(program)",
]


@pytest.mark.parametrize("body", [*LATE, *NOT])
def test_said(body: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{HEAD}{body}\n"}, torch="2.13")
    assert ("AOTI715" in [item.code for item in found]) == (body in LATE)


MODEL = """import torch
import elsewhere

class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = 2.0
        self.register_buffer("cache", torch.zeros(16))

    def forward(self, x):
        return x * self.gain + self.cache

class Net(torch.nn.Module):
    shift = 1.0

    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.count = 0

    def forward(self, x):
        self.count = 1
        return self.inner(x) + self.shift + self.count

    def named(self):
        return self.inner.gain

net, x = Net(), torch.ones(16)
program = torch.export.export(net, (x,))
"""
RUN = "path = torch._inductor.aoti_compile_and_package(program)\nrun = torch._inductor.aoti_load_package(path)\n"
AFTER = {
    "net.inner.gain = 3.0\nprogram.module()(x)": "likely",
    "module = program.module()\nsetattr(net, 'shift', 3.0)\nprint(net.shift)\nmodule(x)": "likely",
    "net.inner.gain = 3.0\ntorch.export.save(program, 'net.pt2')": "likely",
    "net.inner.gain = 3.0\ntorch.testing.assert_close(program.module()(x), net(x))": "likely",
    "net.inner.gain = 3.0\nprogram.module()(x)\nnet(torch.zeros(16))": "possible",
    "net.inner.gain = 3.0\nprogram.module()(x)\nnet.named()": "possible",
    "net.inner.gain = 3.0\nprogram.module()(x)\nelsewhere.use(net)": "possible",
    "net.inner.cache = torch.ones(16)\nprogram.module()(x)": "likely",
    "net.inner = Inner()\nprogram.module()(x)": "likely",
    f"{RUN}net.inner.cache.fill_(1.0)\nrun(x)": "likely",
    f"{RUN}net.inner.cache[0] = 1.0\nrun(x)": "likely",
    f"{RUN}net.inner.cache += 1.0\nrun(x)": "likely",
    f"{RUN}torch.nn.init.ones_(net.inner.cache)\nrun(x)": "likely",
    "net.inner.gain = 2.0\nprogram.module()(x)": None,
    "net.inner.gain = 3.0": None,
    "net.inner.gain = 3.0\nprogram = torch.export.export(net, (x,))\nprogram.module()(x)": None,
    "net.inner = None\nprogram.module()(x)": None,
    "net.count = 7\nnet.other = 7\nprogram.module()(x)": None,
    "net.inner.cache.fill_(1.0)\nprogram.module()(x)": None,
    "net.inner.cache += 1.0\nprogram.module()(x)": None,
    f"net.inner.cache.fill_(1.0)\n{RUN}run(x)": None,
    f"{RUN}net.inner.cache.zero_()\ntorch.testing.assert_close(run(x), net(x))": None,
    f"{RUN}net.inner.cache.requires_grad_(False)\nrun(x)": None,
    f"{RUN}import copy\nother = copy.deepcopy(net)\nother.inner.cache.zero_()\nother.inner.gain = 3.0\nrun(x)": None,
    f"{RUN}net.inner.cache.fill_(1.0)\nrun.load_constants(net.state_dict(), check_full_update=True)\nrun(x)": None,
    "old, net.inner.gain = net.inner.gain, 1.0\nprogram = torch.export.export(net, (x,))\nnet.inner.gain = old\n"
    "program.module()(x)": None,
    "net.inner.gain = 3.0\nprogram = torch.export.export(net, (x,))\nnet.inner.gain = 4.0\nprogram.module()(x)": None,
    "compiled = torch.compile(net)\ncompiled(x)\nnet.inner.gain = 3.0\ncompiled(x)": None,
}  # fmt: skip


@pytest.mark.parametrize("body", AFTER)
def test_attributes(body: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{MODEL}{body}\n"}, None, "2.13", "--pedantic")
    said = [item.confidence for item in found if item.code == "AOTI715"]
    assert said == [sure for sure in [AFTER[body]] if sure is not None]


LAYER = """import copy
import torch

net, x = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()), torch.ones(2, 8)
program = torch.export.export(net, (x,))
"""
CASTS = {
    "net.half()\nprogram.module()(x)": True,
    "net.to(torch.bfloat16)\nprogram.module()(x)": True,
    "net.to('cpu', dtype=torch.float64)\nrun = program.module()\nrun(x)": True,
    "net.half()\ntorch._inductor.aoti_compile_and_package(program)": True,
    "net.half()\nprogram.module()(x.half())": False,
    "net.float()\nprogram.module()(x)": False,
    "net.half()\nnet.float()\nprogram.module()(x)": False,
    "net.to('cpu')\nprogram.module()(x)": False,
    "copy.deepcopy(net).half()\nprogram.module()(x)": False,
    "program.module()(x)\nnet.half()": False,
    "try:\n    net.half()\n    program.module()(x)\nexcept RuntimeError:\n    pass": False,
    "net.half()\nprogram = torch.export.export(net, (x.half(),))\nprogram.module()(x.half())": False,
}


@pytest.mark.parametrize("body", CASTS)
def test_casts(body: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{LAYER}{body}\n"}, None, "2.13", "--pedantic")
    assert [item.outcome for item in found if item.code == "AOTI715"] == ["raises at call"] * CASTS[body]


HOOKED = """import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(8, 2)
    def forward(self, x):
        return self.head(x)
net, x = Net(), torch.randn(2, 8)
program = torch.export.export(net, (x,))
"""
HOOKS = {
    "net.head.register_forward_hook(print)\nprogram.module()(x)": True,
    "net.register_forward_pre_hook(print)\ntorch.export.save(program, 'net.pt2')": True,
    "for part in net.children():\n    part.register_forward_hook(print)\nprogram.module()(x)": True,
    "hook = net.head.register_forward_hook(print)\nnet(x)\nhook.remove()\nprogram.module()(x)": False,
    "net.head.register_forward_hook(print)\nprogram = torch.export.export(net, (x,))\nprogram.module()(x)": False,
    "program.module()(x)\nnet.head.register_forward_hook(print)": False,
    "Net().head.register_forward_hook(print)\nprogram.module()(x)": False,
}


@pytest.mark.parametrize(("body", "said"), HOOKS.items())
def test_hooks(body: str, said: bool, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{HOOKED}{body}\n"}, torch="2.13")
    assert [item.code for item in found].count("AOTI715") == int(said)
