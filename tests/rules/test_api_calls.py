"""Calls of torch that look wrong and are right, and the other way round: AOTI203 to AOTI218 on scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options

HEAD = """\
import io, os
from pathlib import Path
import torch
from torch._inductor import aot_compile, aoti_compile_and_package, aoti_load_package
from torch._inductor.package import load_package, package_aoti
from torch.export import Dim, dims, export
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 16)
    def forward(self, x):
        return self.fc(x)
model, x = Net().eval(), torch.randn(2, 8)
program = export(model, (x,))
FILES = {"aot_inductor.package": True}
OUTSIDE = {"aot_inductor.package_constants_in_so": False}
"""


def found(folder: Path, text: str, torch: str = "2.13", head: str = HEAD) -> list[tuple[str, str]]:
    """Code and confidence of what the family says of a script."""
    path = folder / "script.py"
    path.write_text(head + text + "\n", encoding="utf-8")
    document = check(Options([str(path)], Config(), cache=False, torch_version=torch, pedantic=True)).document
    assert not document["errors"]
    return [
        (item["code"], item["confidence"])
        for item in document["diagnostics"]
        if "AOTI203" <= item["code"] <= "AOTI220" or item["code"] in ("AOTI227", "AOTI616", "AOTI613")
    ]


WRONG = {
    # AOTI203
    "export(model, (x,), None, {'x': {0: Dim('b')}})": ["AOTI203"],
    "export(model)": ["AOTI203"],
    "torch.export.export(mod=model, args=(x,), dynamic_shape=None)": ["AOTI203"],
    "export(model, mod=model, args=(x,))": ["AOTI203"],
    "aoti_load_package('m.pt2', num_runners=2)": ["AOTI203"],
    "torch._export.aot_load('m.so')": ["AOTI203"],
    "Dim('b', 1, 8)": ["AOTI203"],
    "aoti_compile_and_package(program, package_path='m.pt2', options={})": ["AOTI203"],
    "torch.compile(model, full_graph=True)": ["AOTI203"],
    "@torch.compile(back_end='eager')\ndef run(x):\n    return x": ["AOTI203"],
    # AOTI213
    "lib = torch.library.Library('a', 'DEF')\nlib.define('b(Tensor x) -> Tensor')\nlib.impl('b', torch.neg, 'cuda')": [
        "AOTI213"
    ],
    # AOTI227
    "torch.export.load(program)": ["AOTI227"],
    "torch.export.load(f=model)": ["AOTI227"],
    "torch._inductor.aoti_load_package(program)": ["AOTI227"],
    "torch._inductor.aoti_load_package(program.module())": ["AOTI227"],
    # AOTI204
    "aoti_compile_and_package(lambda x: x, package_path='m.pt2')": ["AOTI204"],
    "torch.export.save(model, 'm.pt2')": ["AOTI204"],
    "torch.export.save(program.module(), 'm.pt2')": ["AOTI204"],
    "from torch.export.pt2_archive._package import package_pt2\npackage_pt2('m.pt2', exported_programs={'a': model})": [
        "AOTI204"
    ],
    "aoti_compile_and_package(torch.jit.script(model), package_path='m.pt2')": ["AOTI204"],
    "aoti_compile_and_package(torch.compile(model), package_path='m.pt2')": ["AOTI204"],
    # AOTI205
    "aot_compile(lambda x: x, (x,))": ["AOTI205"],
    "aot_compile(torch.export.load('p.pt2'), (x,))": ["AOTI205"],
    # AOTI206
    "aoti_compile_and_package(program, os.path.join('out', 'm.pt2'))": ["AOTI206"],
    "aoti_compile_and_package(program, (x,), package_path='m.pt2')": ["AOTI206"],
    "aoti_compile_and_package(program, (x,), {}, package_path='m.pt2')": ["AOTI206"],
    # AOTI207
    "aoti_compile_and_package(program, package_path='out/model')": ["AOTI207"],
    "aoti_compile_and_package(program, package_path=Path('model.so'))": ["AOTI207"],
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--to', default='out')\n"
    "aoti_compile_and_package(program, package_path=os.path.join(p.parse_args().to, 'model.so'))": ["AOTI207"],
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--to', default='m.so')\n"
    "aoti_compile_and_package(program, package_path=p.parse_args().to)": ["AOTI207"],
    "program.run_decompositions([torch.ops.aten.gelu.default])": ["AOTI206"],
    "ops = (torch.ops.aten.gelu, torch.ops.aten.addmm)\nprogram.run_decompositions(decomp_table=ops)": ["AOTI206"],
    "aoti_compile_and_package(program, package_path=f'{os.environ[\"OUT\"]}/model.so')": ["AOTI207"],
    # AOTI208
    "aoti_compile_and_package(program, package_path=Path('m').with_suffix('.pt2'))": ["AOTI208"],
    "aoti_compile_and_package(program, package_path=Path('out') / 'm.pt2')": ["AOTI209", "AOTI208"],
    # AOTI209
    "torch.export.save(program, 'out/p.pt2')": ["AOTI209"],
    "torch.export.save(program, Path('out') / 'p.pt2')": ["AOTI209"],
    "torch.export.save(program, f'out/{os.environ[\"NAME\"]}.pt2')": ["AOTI209"],
    "torch.export.save(program, os.path.abspath('out/p.pt2'))": ["AOTI209"],
    "package_aoti('out/m.pt2', aot_compile(program.module(), (x,), options=FILES))": ["AOTI209"],
    "torch.export.save(program, 'out/p.pt2')\ntorch.export.save(program, 'out/q.pt2')": ["AOTI209"],
    "torch.export.save(program, 'out/p.pt2')\nos.makedirs('out')": ["AOTI209"],
    "os.makedirs('out')\ntorch.export.save(program, 'out/a/p.pt2')": ["AOTI209"],
    "os.makedirs('outer')\ntorch.export.save(program, 'out/p.pt2')": ["AOTI209"],
    "os.makedirs('/opt/other')\ntorch.export.save(program, 'out/p.pt2')": ["AOTI209"],
    "import tempfile\nos.makedirs(tempfile.mkdtemp() + '/out')\ntorch.export.save(program, 'out/p.pt2')": ["AOTI209"],
    "if not os.path.exists('out/p.pt2'):\n    torch.export.save(program, 'out/p.pt2')": ["AOTI209"],
    "try:\n    torch.export.save(program, 'out/p.pt2')\nexcept ValueError:\n    pass": ["AOTI209"],
    "print('writing to out')\ntorch.export.save(program, 'out/p.pt2')": ["AOTI209"],
    # AOTI210
    "aoti_compile_and_package(program, inductor_configs={'aot_inductor.output_path': os.getcwd() + '/m.so'})": [
        "AOTI210"
    ],
    "aot_compile(program.module(), (x,), options={'aot_inductor.output_path': Path('m.so')})": ["AOTI210"],
    # AOTI211
    "package_aoti('m.pt2', aot_compile(program.module(), (x,)))": ["AOTI211"],
    "package_aoti('m.pt2', {'a': aot_compile(program.module(), (x,), options={'max_autotune': True})})": ["AOTI211"],
    # AOTI212
    "aoti_compile_and_package(program, package_path='m.pt2')\nload_package('m.pt2', 'net')": ["AOTI212"],
    "aoti_compile_and_package(program, package_path='m.pt2')\nload_package('m.pt2', 'cpu')": ["AOTI212"],
    "package_aoti('m.pt2', {'a': aot_compile(program.module(), (x,), options=FILES)})\naoti_load_package('m.pt2')": [
        "AOTI212"
    ],
    # AOTI213
    "torch._export.aot_load('m.so', 'gpu')": ["AOTI213"],
    "torch._export.aot_load('m.so', 'CPU')": ["AOTI213"],
    "torch._export.aot_load('m.so', 'cpu:0')": ["AOTI213"],
    "torch._export.aot_load('m.so', torch.device('cpu'))": ["AOTI213"],
    "torch.device('gpu:1')": ["AOTI213"],
    "torch.device('CUDA')": ["AOTI213"],
    "torch.library.Library('my', 'FRAGMENT').impl('f', 'CPU', print)": ["AOTI213"],
    "torch.device('cuda0')": ["AOTI213"],
    "torch.device('cuda:')": ["AOTI213"],
    "x.to('gpu')": ["AOTI213"],
    "x.to(device='GPU:0')": ["AOTI213"],
    "model.to('gpu')": ["AOTI213"],
    "model.to(device='CUDA')": ["AOTI213"],
    "model.to_empty(device='gpu')": ["AOTI213"],
    "torch.randn(2, device='gpu')": ["AOTI213"],
    "torch.zeros_like(x, device='gpu')": ["AOTI213"],
    "x.new_zeros(2, device='gpu')": ["AOTI213"],
    "torch.nn.Linear(2, 2, device='gpu')": ["AOTI213"],
    "torch.set_default_device('gpu')": ["AOTI213"],
    "with torch.autocast('gpu'):\n    model(x)": ["AOTI213"],
    "torch.amp.autocast(device_type='gpu')": ["AOTI213"],
    "torch.Generator(device='gpu')": ["AOTI213"],
    "torch.load('w.pt', map_location='gpu')": ["AOTI213"],
    "torch.jit.load('w.pt', 'gpu')": ["AOTI213"],
    "name = 'gpu' if torch.cuda.is_available() else 'cpu'\nmodel.to(name)": ["AOTI213"],
    "with torch.device('gpu'):\n    pass": ["AOTI213"],
    # AOTI214
    "export(model, [x])": ["AOTI214"],
    "export(model, args=x)": ["AOTI214"],
    "export(model, None)": ["AOTI214"],
    "torch.onnx.export(model, [x], 'm.onnx')": ["AOTI214"],
    "torch.onnx.export(model, list((x, x)), 'm.onnx', dynamo=True)": ["AOTI214"],
    "torch.onnx.export(model, dict(unknown), 'm.onnx', dynamo=True)": ["AOTI214"],
    "export(model, [torch.randn(int(n)) for n in unknown])": ["AOTI214"],
    "export(model, tuple(unknown))": [],
    # AOTI215
    "export(lambda x: x, (x,))": ["AOTI215"],
    "import functools\nexport(functools.partial(torch.add, other=1), (x,))": ["AOTI215"],
    "export(model.forward, (x,))": ["AOTI215"],
    "export(Net, (x,))": ["AOTI215"],
    "export(program, (x,))": ["AOTI215"],
    "export(torch.jit.trace(model, (x,)), (x,))": ["AOTI215"],
    "export(torch.jit.load('m.pt'), (x,))": ["AOTI215"],
    "export(torch.compile(lambda x: x), (x,))": ["AOTI215"],
    "torch.jit.trace(torch.compile(model), x)": ["AOTI215"],
    "torch.jit.trace(torch.compile(model, backend='eager'), (x,))": ["AOTI215"],
    "@torch.compile\ndef double(x):\n    return x * 2\ntorch.jit.trace(func=double, example_inputs=x)": ["AOTI215"],
    "class Holder:\n    def __init__(self, model):\n        self.model = torch.compile(model)\n"
    "    def script(self):\n        return torch.jit.trace(self.model, x)\nHolder(model).script()": ["AOTI215"],
    "torch.onnx.export(torch.jit.script(model), (x,), 'm.onnx')": ["AOTI215"],
    "torch.onnx.export(torch.jit.trace(model, (x,)), (x,), 'm.onnx', dynamo=True)": ["AOTI215"],
    "torch.onnx.export(lambda x: x * 2, (x,), 'm.onnx')": ["AOTI215"],
    "torch.onnx.export(model.forward, (x,), 'm.onnx')": ["AOTI215"],
    # AOTI227
    "torch.onnx.export(model, (x,), open('m.onnx', 'wb'))": ["AOTI227"],
    "from pathlib import Path\nwith Path('m.onnx').open('wb') as f:\n    torch.onnx.export(model, (x,), f=f)": [
        "AOTI227"
    ],
    # AOTI216
    "torch.export.load('p.pt2')(x)": ["AOTI216"],
    "program.run_decompositions()(x)": ["AOTI216"],
    # AOTI217
    "export(model, (x,), dynamic_shapes=({0: dims('b')},))": ["AOTI217"],
    "dims('b', 2, 8)": ["AOTI217"],
    # AOTI218
    "run = aoti_load_package('m.pt2')\nrun.load_constants(model.state_dict())": ["AOTI218"],
    "run = aoti_load_package(aoti_compile_and_package(program, inductor_configs=OUTSIDE))\nrun(x)": ["AOTI218"],
    "run = aoti_load_package(aoti_compile_and_package(program, inductor_configs=OUTSIDE))\nrun(x)\nrun(x)\n"
    "run.load_constants(model.state_dict(), check_full_update=True)": ["AOTI218"],
    # AOTI220
    "compiled = aoti_compile_and_package(program)\ncompiled(x)": ["AOTI220"],
    "aoti_compile_and_package(program, package_path='m.pt2')(x)": ["AOTI220"],
    "path, run = aoti_compile_and_package(program)": ["AOTI220"],
    "torch._inductor.aot_compile(program.module(), (x,))(x)": ["AOTI220"],
    # AOTI616
    "aoti_compile_and_package(program, package_path='m.pt2')\ntorch.load('m.pt2')": ["AOTI616"],
    "torch.export.save(program, 'm.pt2')\ntorch.load('m.pt2', weights_only=False)": ["AOTI616"],
    "torch.export.save(program, 'm.pt2')\ntorch.jit.load('m.pt2')": ["AOTI616"],
    "torch.save(program.state_dict, 'm.pt2')\ntorch.export.load('m.pt2')": ["AOTI616"],
    "torch.save(program, 'm.pt2')\naoti_load_package('m.pt2')": ["AOTI616"],
    "torch.save(program.state_dict, 'm.pt')\ntorch.export.save(program, 'm.pt2')\ntorch.export.load('m.pt2')": [],
    "torch._export.aot_load(aoti_compile_and_package(program, package_path='./m.pt2'), 'cpu')": ["AOTI616"],
    "aoti_load_package(aot_compile(program.module(), (x,)))": ["AOTI616"],
    "aot_compile(program.module(), (x,), options={'aot_inductor.output_path': 'm.so'})\naoti_load_package('m.so')": [
        "AOTI616"
    ],
}

MAKING = [
    "os.makedirs('out')",
    "os.makedirs(name='out/a', exist_ok=True)",
    "os.mkdir('./out')",
    "Path('out').mkdir(exist_ok=True)",
    "Path('out', 'a').mkdir(parents=True)",
    "os.makedirs(os.path.dirname('out/p.pt2'), exist_ok=True)",
    "Path('out/p.pt2').parent.mkdir(parents=True, exist_ok=True)",
    "os.makedirs(os.environ['OUT'])",
    "os.makedirs(os.path.join(os.getcwd(), 'out'))",
    "os.makedirs(Path(__file__).parent / 'out')",
    "os.makedirs('/home/me/work/out')",
    "for name in ('in', 'out'):\n    os.makedirs(name)",
    "def make(folder):\n    os.makedirs(folder)\nmake('out')",
    "if not os.path.isdir('out'):\n    os.mkdir('out')",
    "if not os.path.isdir('out'):\n    raise SystemExit('run prepare first')",
    "if not os.path.exists('out'):\n    raise SystemExit('run prepare first')",
    "assert Path('out').exists()",
    "with open('out/notes.txt', 'w') as file:\n    file.write('x')",
    "Path('out/notes.txt').write_text('x')",
    "state = torch.load('out/weights.pt')",
    "torch.save({}, 'out/weights.pt')",
    "os.chdir('/somewhere')",
    "import contextlib\nstack = contextlib.ExitStack()\nstack.enter_context(contextlib.chdir('/else'))",
    "import shutil\nshutil.copytree('template', 'out')",
    "import shutil\nshutil.unpack_archive('out.zip', 'out')",
    "import zipfile\nzipfile.ZipFile('all.zip').extractall()",
    "import subprocess\nsubprocess.run(['mkdir', '-p', 'out'])",
    "os.system('mkdir -p out')",
    "from helpers import ensure\nensure('out')",
    "from helpers import ensure\nensure(Path('out/p.pt2'))",
    "from helpers import prepare\nprepare()",
    "from helpers import Store\nstore = Store('out')",
    "from torch.utils.tensorboard import SummaryWriter\nwriter = SummaryWriter('out/logs')",
]
"""What makes the folder `out` before a file is written into it, or may."""

RIGHT = [
    # AOTI214
    "torch.onnx.export(model, x, 'm.onnx')\ntorch.onnx.export(model, [x], 'm.onnx', dynamo=False)",
    # AOTI215, AOTI227
    "import io\ntorch.onnx.export(torch.jit.script(model), (x,), 'm.onnx', dynamo=False)\n"
    "torch.onnx.export(model, (x,), open('m.onnx', 'wb'), dynamo=False)\ntorch.onnx.export(model, (x,), io.BytesIO())\n"
    "torch.onnx.export(program, (x,), 'm.onnx')\ntorch.onnx.utils.export(torch.jit.script(model), (x,), open('m'))",
    "def to_onnx(**more):\n    torch.onnx.export(torch.jit.script(model), (x,), 'm', **more)\nto_onnx(dynamo=False)",
    # AOTI227
    "import io\ntorch.export.load(io.BytesIO(b''))\ntorch.export.load(open('m.pt2', 'rb'))\naoti_load_package('m.pt2')",
    "try:\n    torch.export.load(program)\nexcept AttributeError:\n    pass",
    "def load(p, kinds):\n    return torch.export.load(p) if isinstance(p, kinds) else p\n"
    "import os, pathlib, collections.abc as abc\n"
    "for p in (program, program.module(), model, aoti_load_package('m.pt2')):\n"
    "    load(p, str), load(p, (str, pathlib.Path)), load(p, (str, os.PathLike)), load(p, dict), load(p, abc.Mapping)",
    "import typing\n@typing.runtime_checkable\nclass Holder(typing.Protocol):\n    def module(self): ...\n"
    "def load(p):\n    return p.module() if isinstance(p, Holder) else torch.export.load(p)\nload(program)",
    # AOTI220
    "path = aoti_compile_and_package(program)\naoti_load_package(path)(x)\nfolder, name = path.rsplit('/', 1)",
    "try:\n    aoti_compile_and_package(program)(x)\nexcept TypeError:\n    pass",
    "compiled = aoti_compile_and_package(program)\ncompiled = aoti_load_package(compiled)\ncompiled(x)",
    # AOTI213
    *(
        f"model.to({name!r})\nx.to({name!r}, torch.float16)\ntorch.ones(2, device={name!r})\ntorch.device({name!r})"
        for name in (
            "cuda:0",
            "meta",
            "privateuseone",
            "privateuseone:1",
            "hpu",
            "vulkan",
            "npu:0",
            "musa",
            "mlu",
            "maia",
            "xla",
            "tpu",
            "mkldnn",
            "openreg",
        )
    ),
    "model.to(torch.float16)\nx.to(torch.bfloat16)\nx.to(x)\nx.to(0)",
    "import pandas\npandas.DataFrame().to('gpu')",
    "import polars\npolars.scan_csv('a.csv').collect(engine='gpu').to('gpu')",
    "class Job:\n    def to(self, where):\n        return where\nJob().to('gpu')",
    "class Own(Net):\n    def to(self, where):\n        return super().to('cuda' if where == 'gpu' else where)\n"
    "Own().to('gpu')",
    "def place(device='gpu'):\n    if device == 'gpu':\n        device = 'cuda'\n    return model.to(device)\nplace()",
    "try:\n    model.to('gpu')\nexcept RuntimeError:\n    model.to('cuda')",
    "torch.utils.rename_privateuse1_backend('gpu')\nmodel.to('gpu')",
    "torch.serialization.register_package(0, str, print)\ntorch.load('w.pt', map_location='gpu')",
    "torch.load('w.pt', map_location=lambda storage, place: storage)",
    "torch.load('w.pt', map_location={'cuda:0': 'cpu'})",
    "torch.autocast('cuda:0')",
    "x.to(torch.load('d.pt'))",
    # AOTI209
    *(f"{made}\ntorch.export.save(program, 'out/p.pt2')" for made in MAKING),
    "torch.export.save(program, 'p.pt2')",
    "torch.export.save(program, './p.pt2')",
    "torch.export.save(program, io.BytesIO())",
    "torch.export.save(program, '/models/p.pt2')",
    "torch.export.save(program, '../out/p.pt2')",
    "torch.export.save(program, os.path.expanduser('~/out/p.pt2'))",
    "torch.export.save(program, 'C:/models/p.pt2')",
    "torch.export.save(program, os.environ.get('OUT', 'out') + '/p.pt2')",
    "torch.export.save(program, Path(__file__).parent / 'out' / 'p.pt2')",
    "import tempfile\ntorch.export.save(program, tempfile.mkdtemp() + '/p.pt2')",
    "import tempfile\nwith tempfile.TemporaryDirectory() as t:\n    torch.export.save(program, Path(t) / 'a.pt2')",
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--out', default='out/p.pt2')\n"
    "torch.export.save(program, p.parse_args().out)",
    "def save(path='out/p.pt2'):\n    torch.export.save(program, path)",
    "try:\n    torch.export.save(program, 'out/p.pt2')\nexcept (OSError, RuntimeError):\n    os.makedirs('out')",
    "torch.export.load('out/a.pt2')\ntorch.export.save(program, 'out/b.pt2')",
    "def test_it(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n    torch.export.save(program, 'out/b.pt2')",
    # AOTI203
    "export(model, (x,), None)",
    "options = {}\nexport(model, (x,), **options)",
    "export(*torch.load('call.pt'))",
    "kwargs = torch.load('kwargs.pt')\nexport(model, **kwargs)",
    "try:\n    export(model, (x,), constraints=[])\nexcept TypeError:\n    export(model, (x,))",
    "def export(model, *rest, **options):\n    return None\nexport(model, (x,), constraints=[])",
    "torch.export.export = lambda *args, **kwargs: None\ntorch.export.export(model, (x,), constraints=[])",
    "import inspect\nif 'constraints' in inspect.signature(export).parameters:\n    pass",
    "torch.export.ExportedProgram.run_decompositions(program, {})",
    "@torch.library.custom_op('a::b', mutates_args=())\ndef b(x: torch.Tensor) -> torch.Tensor:\n    return x + 1\n"
    "@torch.library.register_fake('a::b')\ndef _(x):\n    return x.new_empty(x.shape)",
    "def mark(t):\n    torch._dynamo.mark_dynamic(t, 0, min=2, max=8)\nmark(x)",
    # AOTI204
    "aoti_compile_and_package(torch.export.load('p.pt2'), package_path='m.pt2')",
    "aoti_compile_and_package(program.run_decompositions(), package_path='m.pt2')",
    "def build(model_or_program):\n    if isinstance(model_or_program, torch.nn.Module):\n"
    "        model_or_program = export(model_or_program, (x,))\n"
    "    aoti_compile_and_package(model_or_program, package_path='m.pt2')\nbuild(model)\nbuild(program)",
    "try:\n    aoti_compile_and_package(model, package_path='m.pt2')\nexcept ValueError:\n    pass",
    "import pytest\ndef test_it():\n    with pytest.raises(ValueError):\n"
    "        aoti_compile_and_package(model, package_path='m.pt2')",
    "from torch.export.pt2_archive._package import package_pt2\n"
    "package_pt2('m.pt2', exported_programs={'a': program}, aoti_files=None)",
    # AOTI205
    "aot_compile(torch.fx.symbolic_trace(model), (x,))",
    "aot_compile(torch.fx.GraphModule(model, torch.fx.Graph()), (x,))",
    "class G(torch.fx.GraphModule):\n    pass\naot_compile(G(model, torch.fx.Graph()), (x,))",
    "aot_compile(torch.export.load('p.pt2').module(), (x,))",
    # AOTI206
    "aoti_compile_and_package(program, None, None, package_path='m.pt2')",
    "program.run_decompositions({})",
    "program.run_decompositions(torch._decomp.get_decompositions([torch.ops.aten.gelu]))",
    "program.run_decompositions(decomp_table=table())",
    # AOTI207
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--to', default='m.pt2')\n"
    "aoti_compile_and_package(program, package_path=p.parse_args().to)",
    "aoti_compile_and_package(program)",
    "aoti_compile_and_package(program, package_path=None)",
    "aoti_compile_and_package(program, package_path=io.BytesIO())",
    "aoti_compile_and_package(program, package_path=os.environ['OUT'])",
    "aoti_compile_and_package(program, package_path=os.path.join('.', os.environ['NAME'] + '.pt2'))",
    "package_aoti('m.zip', aot_compile(program.module(), (x,), options=FILES))",
    # AOTI208
    "aoti_compile_and_package(program, package_path=str(Path('.') / 'm.pt2'))",
    "aoti_compile_and_package(program, package_path=os.fspath(Path('m.pt2')))",
    "aoti_compile_and_package(program, package_path=(Path('.') / 'm.pt2').as_posix())",
    # AOTI210
    "aot_compile(program.module(), (x,), options={'aot_inductor.output_path': 'm.so'})",
    "aot_compile(program.module(), (x,), options={'aot_inductor.output_path': 'folder'})",
    "aoti_compile_and_package(program, inductor_configs={'aot_inductor.output_path': ''})",
    # AOTI211
    "package_aoti('m.pt2', aot_compile(program.module(), (x,), options=FILES))",
    "package_aoti('m.pt2', {'a': aot_compile(program.module(), (x,), options={**FILES, 'max_autotune': True})})",
    "torch._inductor.config.aot_inductor.package = True\npackage_aoti('m.pt2', aot_compile(program.module(), (x,)))",
    "with torch._inductor.config.patch({'aot_inductor.package': True}):\n"
    "    package_aoti('m.pt2', aot_compile(program.module(), (x,)))",
    "package_aoti('m.pt2', aot_compile(program.module(), (x,), options=torch.load('o.pt')))",
    # AOTI212
    "package_aoti('m.pt2', {'a': aot_compile(program.module(), (x,), options=FILES)})\nload_package('m.pt2', 'a')",
    "package_aoti('m.pt2', aot_compile(program.module(), (x,), options=FILES))\naoti_load_package('m.pt2')",
    "package_aoti('m.pt2', aot_compile(program.module(), (x,), options=FILES))\nload_package('m.pt2', 'model')",
    "load_package('other.pt2', 'net')",
    "package_aoti('m.pt2', {n: aot_compile(program.module(), (x,), options=FILES) for n in os.listdir()})\n"
    "load_package('m.pt2', 'a')",
    # AOTI213
    "torch._export.aot_load('m.so', 'cuda:1')",
    "torch._export.aot_load('m.so', str(torch.device('cpu')))",
    "torch._export.aot_load('m.so', torch.device('cpu').type)",
    "torch.device('cuda', 0)",
    "torch.device('npu:0')",
    "torch.device('cuda:0')",
    "torch.device(0)",
    "torch.device('musa')",
    "torch.utils.rename_privateuse1_backend('gpu')\ntorch.device('gpu:0')",
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--device')\ntorch.device(p.parse_args().device)",
    # AOTI214
    "export(model, (x,))",
    "export(model, (), {'x': x})",
    "export(model, tuple([x]))",
    "from collections import namedtuple\nexport(model, namedtuple('In', 'x')(x))",
    "export(model, torch.load('args.pt'))",
    "torch._export.aot_compile(model, [x])",
    # AOTI215
    "export(torch.compile(model), (x,))",
    "export(torch.nn.DataParallel(model), (x,))",
    "export(program.module(), (x,))",
    "@torch.jit.script\ndef gelu(x):\n    return x\nclass G(torch.nn.Module):\n"
    "    def forward(self, x):\n        return gelu(x)\nexport(G().eval(), (x,))",
    "m2 = torch.compile(model)\nexport(m2._orig_mod, (x,))",
    "m2 = torch.compile(model)\ntorch.jit.trace(m2._orig_mod, x)",
    "torch.jit.trace(torch.compile(model, disable=True), x)",
    "torch._dynamo.config.error_on_nested_jit_trace = False\ntorch.jit.trace(torch.compile(model), x)",
    "try:\n    torch.jit.trace(torch.compile(model), x)\nexcept RuntimeError:\n    torch.jit.trace(model, x)",
    "def is_old(m):\n    return any(isinstance(m, t) for t in [torch.jit.ScriptModule, torch.jit.ScriptFunction])\n"
    "def made(m):\n    return export(m, (x,)) if is_old(m) or not isinstance(m, torch.export.ExportedProgram) else m\n"
    "made(program)\nmade(model)",
    "import onnx\nif isinstance(program, onnx.ModelProto):\n    export(program, (x,))",
    # AOTI216
    "program.module()(x)",
    # AOTI217
    "(b,) = dims('b', max=8)\nexport(model, (x,), dynamic_shapes={'x': {0: b}})",
    "b, s = dims('b', 's')\nexport(model, (x,), dynamic_shapes=({0: b, 1: None},))",
    "b = dims('b', max=8)[0]\nexport(model, (x,), dynamic_shapes={'x': {0: b}})",
    "names = ['b', 's']\ndims(*names)",
    "export(model, (x,), dynamic_shapes={'x': dims('b', 's')})",
    # AOTI218
    "run = aoti_load_package('m.pt2')\nrun.load_constants(model.state_dict(), check_full_update=False)",
    "run = aoti_load_package('m.pt2')\nrun.loader.load_constants(model.state_dict(), False, False)",
    "run = aoti_load_package('m.pt2')\nrun.load_constants(*torch.load('call.pt'))",
    "run = aoti_load_package(aoti_compile_and_package(program, inductor_configs=OUTSIDE))\n"
    "run.load_constants(model.state_dict(), check_full_update=True)\nrun(x)",
    "run = aoti_load_package(aoti_compile_and_package(program, inductor_configs=OUTSIDE))\n"
    "from other import load_constants\nload_constants(run)\nrun(x)",
    "OUTSIDE['aot_inductor.package_constants_on_disk_format'] = 'binary_blob'\n"
    "run = aoti_load_package(aoti_compile_and_package(program, inductor_configs=OUTSIDE))\nrun(x)",
    "run = aoti_load_package(aoti_compile_and_package(program, inductor_configs={**OUTSIDE, **torch.load('o.pt')}))\n"
    "run(x)",
    "run = aoti_load_package(aoti_compile_and_package(program))\nrun(x)\n"
    "run.load_constants(model.state_dict(), check_full_update=True)\nrun(x)",
    # AOTI616
    "torch.save(model.state_dict(), 'm.pt2')\ntorch.load('m.pt2')",
    "torch.export.save(program, 'm.pt2')\ntorch.save(model.state_dict(), 'm.pt2')\ntorch.load('m.pt2')",
    "torch.jit.script(model).save('m.pt2')\ntorch.jit.load('m.pt2')",
    "torch.export.save(program, 'm.pt2')\ntorch.load('weights.pt')",
    "with open('m.pt2', 'rb') as f:\n    torch.export.load(f)",
    "torch._export.aot_load(aot_compile(program.module(), (x,)), 'cpu')",
    "package_aoti('m.pt2', aot_compile(program.module(), (x,), options=FILES))\naoti_load_package('m.pt2')",
    "try:\n    program(x)\nexcept RuntimeError:\n    program.module()(x)",
]


@pytest.mark.parametrize("text", WRONG)
def test_wrong(text: str, tmp_path: Path) -> None:
    assert [code for code, _ in found(tmp_path, text)] == WRONG[text]


@pytest.mark.parametrize("text", RIGHT)
def test_right(text: str, tmp_path: Path) -> None:
    assert found(tmp_path, text) == []


def test_an_argument_that_no_release_names(tmp_path: Path) -> None:
    """Two releases swallow any for `torch.onnx.export`: no condition asks for these."""
    text = "if os.path.exists(x.name):\n    torch.onnx.export(model, (x,), 'm.onnx', {}=None)"
    assert found(tmp_path, text.format("dynamic_axis")) == [("AOTI203", "likely")]
    assert found(tmp_path, text.format("use_external_data_format")) == [("AOTI203", "possible")]


def test_a_folder_of_the_project(tmp_path: Path) -> None:
    """The project has the folder, beside the script or around it, or a file that is not followed names it."""
    text = "torch.export.save(program, 'out/p.pt2')"
    inner = tmp_path / "scripts"
    inner.mkdir()
    (tmp_path / "pyproject.toml").write_text("")
    assert [code for code, _ in found(inner, text)] == ["AOTI209"]
    (tmp_path / "prepare.sh").write_text("mkdir -p out\n")
    assert found(inner, text) == []
    (tmp_path / "prepare.sh").write_text("mkdir -p outer\n")
    assert [code for code, _ in found(inner, text)] == ["AOTI209"]
    (tmp_path / "out").mkdir()
    assert found(inner, text) == []


def test_a_folder_that_another_script_makes(tmp_path: Path) -> None:
    """Only one file is checked; the other is part of the project."""
    (tmp_path / "prepare.py").write_text("import os\nos.makedirs('out')\n")
    assert found(tmp_path, "torch.export.save(program, 'out/p.pt2')") == []
