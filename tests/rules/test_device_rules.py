"""Devices in code that looks wrong and is right, and the other way round: the rules of family 1xx on scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options


def found(folder: Path, text: str, torch: str = "2.13") -> list[tuple[str, str, int]]:
    """Code, confidence and line of what the family says of a script."""
    path = folder / "script.py"
    path.write_text(text, encoding="utf-8")
    document = check(Options([str(path)], Config(), cache=False, torch_version=torch, pedantic=True)).document
    assert not document["errors"]
    return [
        (item["code"], item["confidence"], item["location"]["row"])
        for item in document["diagnostics"]
        if item["code"].startswith("AOTI1")
    ]


MODEL = """\
import torch
F = torch.nn.functional
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(8)
        self.register_buffer("shift", torch.ones(8))
        self.weight = torch.nn.Parameter(torch.ones(8))
        self.fc = torch.nn.Linear(8, 8)
        self.conv = torch.nn.Conv1d(4, 4, 1)
        self.norm = torch.nn.LayerNorm(8)
        self.plain_norm = torch.nn.LayerNorm(8, elementwise_affine=False)
        self.lstm = torch.nn.LSTM(8, 8)
        self.attention = torch.nn.MultiheadAttention(8, 2)
        self.stack = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, device="cuda"), 2)
    def forward(self, x):
        return {body}
{setup}
"""
CUDA = 'torch.export.export(Net().to("cuda"), (torch.randn(4, 8, device="cuda"),))'


def forward(folder: Path, body: str, setup: str = CUDA) -> list[str]:
    """How sure AOTI103 is of a forward with this body."""
    script = MODEL.replace("{body}", body).replace("{setup}", setup)
    return [confidence for code, confidence, row in found(folder, script) if (code, row) == ("AOTI103", 17)]


MIXED = [
    "x * self.scale",
    "x + torch.ones(8)",
    "self.norm(torch.ones(4, 8))",
    "self.lstm(x, (torch.zeros(1, 8), torch.zeros(1, 8)))",
    "self.attention(x, x, x, attn_mask=torch.ones(4, 4) > 0)",
    "F.layer_norm(x, (8,), torch.ones(8))",
    "F.cross_entropy(x, x.argmax(1), weight=torch.ones(8))",
    "F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(4, 4) > 0)",
    "x.index_select(1, torch.tensor([0, 1]))",
    "x.gather(1, torch.zeros(4, 1, dtype=torch.int64))",
    "x.scatter(1, torch.zeros(4, 1, dtype=torch.int64), 1.0)",
    "x.clone().mul_(torch.ones(8))",
    "x + torch.tensor([1.0, 2.0])[0:1]",
    "torch.where(x > 0, x, torch.zeros(4, 8))",
    "torch.stack([x, torch.ones(4, 8)])",
    "x @ torch.ones(8, 8)",
    "F.linear(x, torch.ones(8, 8))",
    "x.masked_fill(torch.ones(4, 8) > 0, 0.0)",
    "self.fc(torch.zeros(4, 8))",
    "self.fc(x.cpu())",
    "self.shift.cpu() + x",
    'x + torch.ones(8, device="cuda").cpu()',
    "x.new_ones(8) + torch.empty(8)",
    "torch.zeros_like(x) + torch.zeros(8)",
]
TOGETHER = [
    "self.fc(x) + self.shift * self.weight",
    "self.plain_norm(torch.ones(4, 8)) + 1",
    "self.norm(self.lstm(x, (x.new_zeros(1, 8), x.new_zeros(1, 8)))[0])",
    "self.attention(x, x, x, attn_mask=x @ x.T > 0)",
    "self.stack(x)",
    "x.clone().mul_(torch.tensor(2.0))",
    "x.index_fill(1, torch.tensor([0], device=x.device), torch.tensor(1.0))",
    "x * self.scale.to(x.device)",
    "x * self.scale.to(x)",
    "x + torch.ones(8, device=x.device)",
    "x + torch.ones(())",
    "x + torch.tensor(1.0)",
    "x * x.cpu().sum()",
    "torch.where(x > 0, x, torch.tensor(0.0))",
    "x[torch.tensor([0, 1])]",
    "x[:, torch.arange(4)]",
    "x.new_ones(8) + x",
    "torch.zeros_like(x) + x",
    "x.clone().copy_(self.scale.expand(4, 8))",
    "self.conv(torch.zeros(1, 4, 8))",
    "F.conv1d(x[None], torch.ones(4, 4, 1))",
    'x + torch.ones(8, device="cuda")',
    'x + torch.ones(8, device="cuda:0")',
    'x + torch.ones(8, device="cuda:1")',  # cuda may be the second one
    "(x, self.scale + 1)",
    "x + unknown(self.scale)",
]


@pytest.mark.parametrize("body", MIXED)
def test_an_operation_on_two_devices(body: str, tmp_path: Path) -> None:
    assert forward(tmp_path, body) == ["certain"]


@pytest.mark.parametrize("body", TOGETHER)
def test_operations_that_are_right(body: str, tmp_path: Path) -> None:
    assert forward(tmp_path, body) == []


INPUT = "(torch.randn(4, 8, device=device),)"
SETUPS = {
    f'device = "cuda" if torch.cuda.is_available() else "cpu"\ntorch.export.export(Net().to(device), {INPUT})': [
        "likely"
    ],
    f'device = "cpu"\ntorch.export.export(Net().to(device), {INPUT})': [],
    'with torch.device("cuda"):\n    torch.export.export(Net(), (torch.randn(4, 8),))': [],
    'torch.set_default_device("cuda")\ntorch.export.export(Net(), (torch.randn(4, 8),))': [],
    f"device = 'cuda'\nnet = Net().to('cuda')\nnet.scale = net.scale.to('cuda')\ntorch.export.export(net, {INPUT})": [],
    "import pytest\ndevice = 'cuda'\n"
    f"with pytest.raises(RuntimeError):\n    torch.export.export(Net().to(device), {INPUT})": [],
    f"device = 'cuda'\ntry:\n    torch.export.export(Net().to(device), {INPUT})\nexcept Exception:\n    pass": [],
    f"device = 'cuda'\ntorch.export.draft_export(Net().to(device), {INPUT})": [],
    f"device = 'cuda'\nNet().to(device)(*{INPUT})": [],
    f"device = 'cuda'\ntorch.export.export(Net().to(device), {INPUT}, strict=True)": ["certain"],
}  # fmt: skip


@pytest.mark.parametrize("setup", SETUPS)
def test_what_stands_around_the_export(setup: str, tmp_path: Path) -> None:
    assert forward(tmp_path, "x * self.scale", setup) == SETUPS[setup]


def test_a_branch_that_nobody_knows_is_no_more_than_possible(tmp_path: Path) -> None:
    body = "x * self.scale if somewhere() else x"
    assert forward(tmp_path, body) == ["possible"]


def test_the_same_place_is_told_once(tmp_path: Path) -> None:
    assert forward(tmp_path, "x * self.scale", f"{CUDA}\n{CUDA}") == ["certain"]


@pytest.mark.parametrize(
    ("given", "sure"),
    [
        ("net, (torch.randn(4, 8, device='cuda'),)", ["certain"]),
        ("net.to('cpu'), (torch.randn(4, 8),)", []),
    ],
)
def test_what_torchscript_traces_runs_on_these_devices(given: str, sure: list[str], tmp_path: Path) -> None:
    call = f"net = Net().to('cuda')\ntorch.onnx.export({given}, 'net.onnx', dynamo=False)"
    assert forward(tmp_path, "x * self.scale", call) == sure


OWN = """\
import torch
{imports}
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(8))
        self.register_buffer("kept", torch.ones(8))
        self.register_buffer("lost", torch.ones(8), persistent=False)
        self.register_buffer("late", None)
        self.plain = torch.ones(8)
{methods}
    def forward(self, x):
        return {body}
net = Net()
{setup}
torch.export.export(net, (torch.randn(4, 8, device="cuda"),))
"""
APPLY = """\
    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.plain = fn(self.plain)
        return self
"""
STATE = 'torch.load("net.pt", map_location="{}")'
STATES: list[tuple[str, str, str, list[str]]] = [
    ("x * self.kept", "net.kept = torch.zeros(8)\nnet.cuda()", "", []),
    ("x * self.kept", "net.cuda()\nnet.kept = torch.zeros(8)", "", ["certain"]),
    ("x * self.late", "net.late = torch.zeros(8)\nnet.cuda()", "", []),
    ("x * self.kept", "del net.kept\nnet.kept = torch.zeros(8)\nnet.cuda()", "", ["certain"]),
    ("x * self.kept", "net.register_buffer('kept', torch.zeros(8, device='cuda'))", "", []),
    ("x * self.plain", "net.cuda()", "", ["certain"]),
    ("x * self.plain", "net.cuda()", APPLY, []),
    ("x * self.plain", "for name in names():\n    setattr(net, name, getattr(net, name).cuda())", "", []),
    ("x * self.weight", "prepare(net)", "", []),
    ("x * self.kept", "net._apply(lambda t: t.cuda())", "", []),
    ("x * self.weight", "for p in net.parameters():\n    p.data = p.data.cuda()", "", []),
    ("x * self.weight", "net.weight.data = net.weight.data.cuda()", "", []),
    ("x * self.weight", f"net.load_state_dict({STATE.format('cuda')}, assign=True)", "", []),
    ("x * self.kept", f"net.load_state_dict({STATE.format('cuda')}, assign=True)", "", []),
    ("x * self.lost", f"net.load_state_dict({STATE.format('cuda')}, assign=True)", "", ["certain"]),
    ("x * self.weight", f"net.cuda()\nnet.load_state_dict({STATE.format('cpu')}, assign=True)", "", ["certain"]),
    ("x * self.weight", f"net.cuda()\nnet.load_state_dict({STATE.format('cpu')})", "", []),
    ("x * self.weight", f"net.load_state_dict({STATE.format('cpu')}, strict=False, assign=True)", "", []),
    ("x * self.weight", "net.load_state_dict(torch.load('net.pt'), assign=True)", "", []),
]


@pytest.mark.parametrize(("body", "setup", "methods", "sure"), STATES)
def test_what_a_module_holds(body: str, setup: str, methods: str, sure: list[str], tmp_path: Path) -> None:
    script = OWN.format(body=body, setup=setup, methods=methods, imports="from helpers import names, prepare")
    assert [one for code, one, _ in found(tmp_path, script) if code == "AOTI103"] == sure


ACCELERATORS = {
    "torch.accelerator.current_accelerator()": ["likely"],
    "torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else 'cpu'": ["likely"],
}


@pytest.mark.parametrize("device", ACCELERATORS)
def test_the_accelerator(device: str, tmp_path: Path) -> None:
    """It is no CPU, and it is itself."""
    setup = "net.to({})\ndevice = {}\ntorch.export.export(net, (torch.randn(4, 8, device={}),))"
    script = OWN.format(body="x * self.weight", setup=setup.format(device, device, device), methods="", imports="")
    mine = script.rpartition("torch.export")[0]
    assert found(tmp_path, mine) == []
    other = mine.replace(f"randn(4, 8, device={device})", "randn(4, 8)")
    assert [one for code, one, _ in found(tmp_path, other) if code == "AOTI103"] == ACCELERATORS[device]


# ---------------------------------------------------------------- AOTI104, AOTI105, AOTI106

LOADS = """\
import os, torch
from torch._inductor import aoti_compile_and_package, aoti_load_package
from torch._inductor.package import load_package
from torch._C._aoti import AOTIModelPackageLoader
net = torch.nn.Linear(8, 8)
x = torch.randn(4, 8)
program = torch.export.export(net, (x,))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
LINES = {
    "aoti_load_package(path, device_index=0)": [("AOTI104", "certain")],
    "aoti_load_package(path, False, 1)": [("AOTI104", "certain")],
    "load_package(path, 'model', False, 1, 0)": [("AOTI104", "certain")],
    "load_package('net.pt2', device_index=0)": [("AOTI104", "certain")],
    "AOTIModelPackageLoader(path, 'model', False, 1, 0)": [("AOTI104", "certain")],
    "aoti_load_package(path)": [],
    "aoti_load_package(path, device_index=-1)": [],
    "aoti_load_package(path, device_index=int(os.environ['RANK']))": [],
    "aoti_load_package('other.pt2', device_index=0)": [],
    "aoti_load_package(path, **{'device_index': -1})": [],
    "try:\n    aoti_load_package(path, device_index=0)\nexcept RuntimeError:\n    pass": [],
    "x.to('cuda')\ntorch.export.export(net.to('cuda'), (x,))": [("AOTI105", "certain"), ("AOTI103", "certain")],
    "x.cuda()\naoti_load_package('other.pt2')(x)": [("AOTI105", "certain")],
    "x.cuda()\naoti_load_package(path)(x)": [],  # it is where the package wants it
    "x.to('cuda')": [],
    "torch.zeros(1).cuda()\ntorch.export.export(net, (x,))": [],
    "x.to('cpu')\ntorch.export.export(net, (x,))": [],
    "x.to(torch.float64)\ntorch.export.export(net, (x,))": [],
    "x = x.to('cuda')\ntorch.export.export(net.to('cuda'), (x,))": [],
    "net.to('cuda')\ntorch.export.export(net, (x.to('cuda'),))": [],
    "torch.export.export(net, (x,))\nx.to('meta')": [],
    "y = x.to('cuda')\ntorch.export.export(net, (x,))": [],
    "net.cuda()\naoti_compile_and_package(program)": [("AOTI106", "likely")],
    "net.to('cuda')\naoti_compile_and_package(program)": [("AOTI106", "likely")],
    "net.cuda()\nnet.cpu()\naoti_compile_and_package(program)": [],
    "net.cpu()\naoti_compile_and_package(program)": [],
    "program.module().cuda()\naoti_compile_and_package(program)": [("AOTI106", "likely")],
    "module = program.module()\nmodule.to('cuda')\naoti_compile_and_package(program)": [("AOTI106", "likely")],
    "program.module().to(torch.float64)\naoti_compile_and_package(program)": [],
    "net = torch.nn.Linear(8, 8).cuda()\nprogram = torch.export.export(net, (x.cuda(),))\nnet.cpu()\n"
    "aoti_compile_and_package(program)": [("AOTI106", "likely")],
    "net.cuda()\ntorch._inductor.aot_compile(program.module(), (x.cuda(),))": [],
    "module = program.module().cuda()\ntorch._inductor.aot_compile(module, (x.cuda(),))": [],
    "program.module()(x.cuda())": [("AOTI102", "certain")],
    "program.module().cuda()(x.cuda())": [],
    "net.cuda()\nprogram.module()(x.cuda())": [],
    "torch.export.export(torch.nn.ReLU(), (x,)).module()(x.cuda())": [],
    "import timm\ntorch.export.export(timm.create_model('a'), (x,)).module()(x.cuda())": [("AOTI102", "likely")],
    "net.to('meta')\naoti_compile_and_package(program)": [],
    "net.to(torch.float64)\naoti_compile_and_package(program)": [],
    "net.cuda()": [],
    "aoti_compile_and_package(program)\nnet.cuda()": [],
    "import copy\ncopy.deepcopy(net).cuda()\naoti_compile_and_package(program)": [],
    "torch.nn.Linear(2, 2).cuda()\naoti_compile_and_package(program)": [],
    "net.cuda()\nagain = torch.export.export(net, (x.cuda(),))\naoti_compile_and_package(again)": [],
    "act = torch.nn.ReLU()\nprogram = torch.export.export(act, (x,))\nact.cuda()\n"
    "aoti_compile_and_package(program)": [],
    "program = torch.export.passes.move_to_device_pass(program, 'cuda')\nnet.cuda()\n"
    "aoti_compile_and_package(program)": [],
}


@pytest.mark.parametrize("lines", LINES)
def test_loads_and_moves(lines: str, tmp_path: Path) -> None:
    told = [(code, sure) for code, sure, _ in found(tmp_path, LOADS + lines + "\n")]
    assert sorted(told) == sorted(LINES[lines])


# ---------------------------------------------------------------- AOTI107

ALONE = LOADS.replace("r(8, 8)", "r(8, 8).to('cuda:1')").replace("randn(4, 8)", "randn(4, 8, device='cuda:1')")
GPUS = ALONE.replace("net = ", "first = torch.ones(1, device='cuda:0')\nnet = ", 1)
CALLS = {
    "aoti_load_package(path)(x)": ["likely"],
    "load_package(path)(x)": ["likely"],
    "aoti_load_package(path, device_index=0)(x)": ["likely"],
    "aoti_load_package(path, device_index=1)(x.to('cuda:0'))": ["likely"],
    "torch.cuda.set_device(1)\naoti_load_package(path)(x)": [],
    "torch.cuda.set_device('cuda:1')\naoti_load_package(path)(x)": [],
    "torch.cuda.set_device(int(os.environ['RANK']))\naoti_load_package(path)(x)": [],
    "with torch.cuda.device(1):\n    run = aoti_load_package(path)\nrun(x)": [],
    "with torch.cuda.device(1):\n    pass\naoti_load_package(path)(x)": ["possible"],
    "torch.cuda.set_device(1)\naoti_load_package(path)(x.to('cuda:0'))": ["likely"],
    "torch.cuda.set_device(1)\naoti_load_package(path, device_index=0)(x)": ["likely"],
    "aoti_load_package(path, device_index=1)(x)": [],
    "aoti_load_package(path)(x.to('cuda:0'))": [],
    "aoti_load_package(path)(x.to('cuda'))": [],
    "aoti_load_package(path, device_index=int(os.environ['RANK']))(x)": [],
    "try:\n    aoti_load_package(path)(x)\nexcept RuntimeError:\n    pass": [],
}


@pytest.mark.parametrize("lines", CALLS)
def test_the_gpu_of_inputs(lines: str, tmp_path: Path) -> None:
    told = [sure for code, sure, _ in found(tmp_path, GPUS + lines + "\n") if code == "AOTI107"]
    assert told == CALLS[lines]


def test_a_gpu_that_was_used_alone_stays_the_current_one(tmp_path: Path) -> None:
    """Run on torch 2.11 with two GPUs: `second_gpu_alone_other.py`."""
    assert "first = " in GPUS
    for lines in ("aoti_load_package(path)(x)", "aoti_load_package(path)"):
        assert [code for code, _, _ in found(tmp_path, ALONE + lines + "\n") if code in ("AOTI107", "AOTI109")] == []


OF_SECOND = {
    "aoti_load_package(path)": ["possible"],
    "aoti_load_package('net.pt2')(make())": ["possible"],
    "aoti_load_package(path, device_index=1)": [],
    "aoti_load_package(path, device_index=0)": [],
    "aoti_load_package(path)(x)": [],  # AOTI107
    "aoti_load_package(path)(x.to('cuda:0'))": [],
    "torch.cuda.set_device(1)\naoti_load_package(path)": [],
    "aoti_load_package('other.pt2')": [],
}


@pytest.mark.parametrize("lines", OF_SECOND)
def test_a_package_of_the_second_gpu(lines: str, tmp_path: Path) -> None:
    told = [sure for code, sure, _ in found(tmp_path, GPUS + lines + "\n") if code == "AOTI109"]
    assert told == OF_SECOND[lines]
    assert not [code for code, _, _ in found(tmp_path, LOADS + lines + "\n") if code == "AOTI109"]


# ---------------------------------------------------------------- AOTI108

HIDDEN = """\
import argparse, os, subprocess, sys, torch
parser = argparse.ArgumentParser()
parser.add_argument("--gpu", default="1")
parser.add_argument("--cpu", action="store_true")
args = parser.parse_args()
{lines}
torch.export.export(torch.nn.ReLU(), (torch.randn(2, 8),))
"""
SET = 'os.environ["CUDA_VISIBLE_DEVICES"] = '
USES = {
    f'{SET}""\ntorch.zeros(2).cuda()': ["likely"],
    f'{SET}"-1"\ntorch.nn.Linear(8, 8).to("cuda")': ["likely"],
    f'{SET}"1"\ntorch.zeros(2, device="cuda:1")\ntorch.ones(2, device="cuda:1")': ["likely"],
    f'{SET}"0,1"\ntorch.zeros(2, device="cuda:2")': ["likely"],
    f'{SET}"0,-1,1"\ntorch.zeros(2, device="cuda:1")': ["likely"],
    f'{SET}args.gpu\ntorch.zeros(2, device="cuda:1")': ["likely"],
    f'{SET}"" if args.cpu else "0"\ntorch.zeros(2, device="cuda")': ["possible"],
    f'{SET}"1"\ntorch.zeros(2, device="cuda:0")': [],
    f'{SET}"1"\ntorch.zeros(2, device="cuda")': [],
    f'{SET}"0,1"\ntorch.zeros(2, device="cuda:1")': [],
    f'{SET}"GPU-4f2a"\ntorch.zeros(2, device="cuda:1")': [],
    f'torch.zeros(2, device="cuda:1")\n{SET}"0"\ntorch.zeros(2, device="cuda:1")': [],
    f'torch.cuda.is_available()\n{SET}"0"\ntorch.zeros(2, device="cuda:1")': [],
    f'{SET}""\nif torch.cuda.is_available():\n    torch.zeros(2).cuda()': [],
    f'{SET}""\ntorch.zeros(2).to("cuda" if torch.cuda.is_available() else "cpu")': [],
    f'if args.cpu:\n    {SET}""\ntorch.zeros(2).to("cpu" if args.cpu else "cuda")': [],
    f'{SET}""\ntry:\n    torch.zeros(2).cuda()\nexcept RuntimeError:\n    pass': [],
    f'{SET}""\ntorch.nn.ReLU().cuda()': [],
    f'{SET}os.environ["RANK"]\ntorch.zeros(2, device="cuda:1")': [],
    'subprocess.run([sys.executable, "a.py"], env={"CUDA_VISIBLE_DEVICES": ""})\ntorch.zeros(2).cuda()': [],
}  # fmt: skip


@pytest.mark.parametrize("lines", USES)
def test_gpus_that_are_hidden(lines: str, tmp_path: Path) -> None:
    told = [sure for code, sure, _ in found(tmp_path, HIDDEN.replace("{lines}", lines)) if code == "AOTI108"]
    assert told == USES[lines]


# ---------------------------------------------------------------- C++

BUILD = """\
import torch
device = {device}
net = torch.nn.Linear(8, 4).to(device)
x = torch.randn(2, 8, device=device)
program = torch.export.export(net, (x,))
torch._inductor.aot_compile(program.module(), (x,), options={{"aot_inductor.output_path": "net.so"}})
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
MAYBE = '"cuda" if torch.cuda.is_available() else "cpu"'
HOSTS = [
    ('"cuda"', 'AOTIModelContainerRunnerCpu runner("build/net.so");', [("AOTI101", "likely")]),
    ('"cpu"', 'AOTIModelContainerRunnerCuda runner("build/net.so");', [("AOTI101", "likely")]),
    (MAYBE, 'AOTIModelContainerRunnerCpu runner("build/net.so");', [("AOTI101", "likely")]),
    (MAYBE, 'AOTIModelContainerRunnerCuda runner("build/net.so");', [("AOTI101", "possible")]),
    ('"cuda"', 'AOTIModelContainerRunnerCuda runner("build/net.so");', []),
    ('"cpu"', 'AOTIModelContainerRunnerCpu runner("other.so");', []),
    ('"cuda"', 'AOTIModelPackageLoader loader("net.pt2", "model", false, 1, 0);', []),
    ('"cpu"', 'AOTIModelPackageLoader loader("net.pt2", "model", false, 1, 0);', [("AOTI104", "likely")]),
    ('"cpu"', 'AOTIModelPackageLoader loader("net.pt2");', []),
    ("somewhere()", 'AOTIModelContainerRunnerCpu runner("net.so");', []),
]


@pytest.mark.parametrize(("device", "line", "told"), HOSTS)
def test_what_cpp_loads(device: str, line: str, told: list[tuple[str, str]], tmp_path: Path) -> None:
    header = "#include <torch/csrc/inductor/aoti_runner/model_container_runner.h>\n"
    (tmp_path / "host.cpp").write_text(f"{header}void load() {{\n  {line}\n}}\n", encoding="utf-8")
    (tmp_path / "build.py").write_text(BUILD.format(device=device), encoding="utf-8")
    options = Options([str(tmp_path)], Config(), cache=False, torch_version="2.13", pedantic=True)
    said = [item for item in check(options).document["diagnostics"] if item["filename"].endswith("host.cpp")]
    assert [(item["code"], item["confidence"]) for item in said] == told
    assert all(item["location"] == {"row": 3, "column": 3} for item in said)
