"""The actions `measure_moments.py` runs: name -> the statements whose imports and reads are recorded.

An action is named as rules name it: by the qualified name of what is called ("torch.export.export"), by the statement
("import torch.export"), and with "attribute" before it what is named but not called ("attribute torch._inductor").
Actions run in a process that has done `import torch` and `SETUP`; what must be there before is written above a line
`#--` and is not recorded.
"""

from __future__ import annotations

SETUP = """
import os
import tempfile

model = torch.nn.Linear(4, 4)
x = torch.randn(2, 4)


def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2
"""
"""Run before each action of `AFTER_IMPORT`, not recorded."""

SLOW_TO_IMPORT = ("jinja2", "networkx", "numpy", "sympy")
"""Imported once, before any action: they read no variable of torch, and most actions would import them again."""

BARE: dict[str, str] = {
    "import torch": "import torch",
    "from torch import nn": "from torch import nn",
    "torch.nn.Linear": "import torch\n#--\ntorch.nn.Linear(4, 4)",
    "torch.randn": "import torch\n#--\ntorch.randn(2, 4)",
}
"""Actions of a process in which `SETUP` was not run, and torch imported only if the action says so.

What `SETUP` does shows here that it loads nothing.
"""

_IMPORTS = (
    "torch.export",
    "torch._export",
    "torch._export.config",
    "torch._inductor",
    "torch._inductor.config",
    "torch._dynamo",
    "torch._functorch.config",
    "torch._functorch.aot_autograd",
    "torch._logging",
    "torch._subclasses.fake_tensor",
    "torch.ao.quantization",
    "torch.ao.quantization.quantize_pt2e",
    "torch.amp",
    "torch.autograd",
    "torch.backends",
    "torch.compiler",
    "torch.compiler.config",
    "torch.cuda",
    "torch.cuda.amp",
    "torch.distributed",
    "torch.distributed.checkpoint",
    "torch.distributed.fsdp",
    "torch.distributed.tensor",
    "torch.distributions",
    "torch.fx",
    "torch.fx.experimental.proxy_tensor",
    "torch.fx.experimental.symbolic_shapes",
    "torch.fx.passes.infra.pass_base",
    "torch.func",
    "torch.hub",
    "torch.jit",
    "torch.library",
    "torch.mps",
    "torch.multiprocessing",
    "torch.nn",
    "torch.nn.attention",
    "torch.nn.attention.flex_attention",
    "torch.nn.functional",
    "torch.nn.parallel",
    "torch.nn.utils.parametrize",
    "torch.onnx",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.package",
    "torch.profiler",
    "torch.quantization",
    "torch.sparse",
    "torch.special",
    "torch.testing",
    "torch.utils._pytree",
    "torch.utils.benchmark",
    "torch.utils.checkpoint",
    "torch.utils.cpp_extension",
    "torch.utils.data",
    "functorch",
    "triton",
)

_ATTRIBUTES = (
    "torch._dynamo",
    "torch._export",
    "torch._functorch",
    "torch._inductor",
    "torch._logging",
    "torch.ao.quantization",
    "torch.compile",
    "torch.compiler",
    "torch.compiler.reset",
    "torch.distributed",
    "torch.export",
    "torch.export.Dim",
    "torch.export.export",
    "torch.export.load",
    "torch.fx",
    "torch.jit.script",
    "torch.library",
    "torch.nn.attention",
    "torch.onnx",
    "torch.onnx.export",
    "torch.optim",
    "torch.optim.SGD",
    "torch.profiler",
    "torch.utils.data",
)
"""Named, not called nor imported. A name that begins with one of these loads at least as much."""

_TRAIN = "optimizer = torch.optim.{}(model.parameters(), lr=0.1)\nmodel(x).sum().backward()\n#--\noptimizer.step()"

CALLS: dict[str, str] = {
    "from torch.export import export": "from torch.export import export, Dim, save, load",
    "torch.export.export": "torch.export.export(model, (x,))",
    "torch.export.Dim": "torch.export.Dim('batch')",
    "torch.export.save": (
        "program = torch.export.export(model, (x,))\n#--\n"
        "torch.export.save(program, os.path.join(tempfile.mkdtemp(), 'm.pt2'))"
    ),
    "torch.export.load": "torch.export.load(PROGRAM)",
    "torch.export.register_dataclass": (
        "import dataclasses\n@dataclasses.dataclass\nclass Pair:\n    a: int\n#--\n"
        "torch.export.register_dataclass(Pair)"
    ),
    "torch.compile": "torch.compile(model)",
    "torch.compile(...)(...)": "compiled = torch.compile(model)\n#--\nwith torch.no_grad():\n    compiled(x)",
    "torch.nn.Module.compile": "model.compile()",
    "torch.compiler.reset": "torch.compiler.reset()",
    "torch.compiler.disable": "torch.compiler.disable(double)",
    "torch.compiler.allow_in_graph": "torch.compiler.allow_in_graph(double)",
    "torch.compiler.is_compiling": "torch.compiler.is_compiling()",
    "torch.compiler.is_exporting": "torch.compiler.is_exporting()",
    "torch.compiler.set_stance": "torch.compiler.set_stance('default')",
    "torch.compiler.cudagraph_mark_step_begin": "torch.compiler.cudagraph_mark_step_begin()",
    "torch.jit.script": "torch.jit.script(double)",
    "torch.jit.trace": "torch.jit.trace(model, x)",
    "torch.jit.save": "traced = torch.jit.trace(model, x)\n#--\ntraced.save(os.path.join(tempfile.mkdtemp(), 'm.pt'))",
    "torch.jit.is_scripting": "torch.jit.is_scripting()",
    "torch.optim.SGD": "torch.optim.SGD(model.parameters(), lr=0.1)",
    "torch.optim.Adam": "torch.optim.Adam(model.parameters(), lr=0.1)",
    "torch.optim.Optimizer.step": _TRAIN.format("SGD"),
    "torch.optim.lr_scheduler.StepLR": (
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n#--\n"
        "torch.optim.lr_scheduler.StepLR(optimizer, 1).step()"
    ),
    "torch.Tensor.backward": "model(x).sum().backward()",
    "torch.autograd.grad": "torch.autograd.grad(model(x).sum(), list(model.parameters()))",
    "torch.autograd.Function.apply": (
        "class F(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        return x\n"
        "    @staticmethod\n    def backward(ctx, g):\n        return g\n#--\nF.apply(x)"
    ),
    "torch.nn.Module.__call__": "model(x)",
    "torch.nn.TransformerEncoderLayer": "torch.nn.TransformerEncoderLayer(4, 2, batch_first=True).eval()(x[None])",
    "torch.nn.LSTM": "torch.nn.LSTM(4, 4)(x[None])",
    "torch.nn.Module.load_state_dict": "model.load_state_dict(model.state_dict())",
    "torch.nn.Module.to": "model.to('cpu')",
    "torch.nn.DataParallel": "torch.nn.DataParallel(model)",
    "torch.nn.utils.clip_grad_norm_": "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
    "torch.nn.utils.parametrizations.weight_norm": "torch.nn.utils.parametrizations.weight_norm(model)",
    "torch.nn.functional.scaled_dot_product_attention": (
        "torch.nn.functional.scaled_dot_product_attention(*[torch.randn(1, 2, 3, 4)] * 3)"
    ),
    "torch.nn.attention.sdpa_kernel": (
        "import torch.nn.attention\n#--\n"
        "with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):\n    pass"
    ),
    "torch.nn.attention.flex_attention.flex_attention": (
        "from torch.nn.attention.flex_attention import flex_attention\n#--\n"
        "flex_attention(*[torch.randn(1, 2, 128, 16)] * 3)"
    ),
    "torch.library.custom_op": "torch.library.custom_op('moments::a', double, mutates_args=())",
    "torch.library.define": "torch.library.define('moments::b', '(Tensor x) -> Tensor')",
    "torch.library.impl": (
        "torch.library.define('moments::c', '(Tensor x) -> Tensor')\n#--\n"
        "torch.library.impl('moments::c', 'cpu', double)"
    ),
    "torch.library.register_fake": (
        "torch.library.define('moments::d', '(Tensor x) -> Tensor')\n#--\n"
        "torch.library.register_fake('moments::d', double)"
    ),
    "torch.library.register_autograd": (
        "torch.library.custom_op('moments::e', double, mutates_args=())\n#--\n"
        "torch.library.register_autograd('moments::e', lambda ctx, g: g)"
    ),
    "torch.library.Library": "torch.library.Library('moments', 'FRAGMENT')",
    "torch.library.triton_op": "torch.library.triton_op('moments::f', double, mutates_args=())",
    "torch.library.opcheck": (
        "op = torch.library.custom_op('moments::g', double, mutates_args=())\n#--\n"
        "torch.library.opcheck(op, (x,), test_utils='test_schema')"
    ),
    "torch.library.CustomOpDef.__call__": (
        "op = torch.library.custom_op('moments::h', double, mutates_args=())\n#--\nop(x)"
    ),
    "torch.library.CustomOpDef.register_fake": (
        "op = torch.library.custom_op('moments::i', double, mutates_args=())\n#--\nop.register_fake(double)"
    ),
    "torch.ops.aten": "torch.ops.aten.add.Tensor(x, x)",
    "torch.func.vmap": "torch.func.vmap(double)(x)",
    "torch.func.grad": "torch.func.grad(lambda x: double(x).sum())(x)",
    "torch.func.functional_call": "torch.func.functional_call(model, dict(model.named_parameters()), (x,))",
    "torch.vmap": "torch.vmap(double)(x)",
    "torch.utils.checkpoint.checkpoint": (
        "import torch.utils.checkpoint\n#--\n"
        "torch.utils.checkpoint.checkpoint(model, x.requires_grad_(), use_reentrant=False).sum().backward()"
    ),
    "torch.utils.data.DataLoader": "list(torch.utils.data.DataLoader([1, 2, 3]))",
    "torch.utils.data.DataLoader(num_workers=1)": "list(torch.utils.data.DataLoader([1, 2, 3], num_workers=1))",
    "torch.utils.data.TensorDataset": "torch.utils.data.TensorDataset(x)",
    "torch.utils.data.random_split": "torch.utils.data.random_split([1, 2, 3], [1, 2])",
    "torch.onnx.export": "torch.onnx.export(model, (x,), os.path.join(tempfile.mkdtemp(), 'm.onnx'))",
    "torch.onnx.export(dynamo=False)": (
        "torch.onnx.export(model, (x,), os.path.join(tempfile.mkdtemp(), 'm.onnx'), dynamo=False)"
    ),
    "torch.fx.symbolic_trace": "torch.fx.symbolic_trace(model)",
    "torch.fx.experimental.proxy_tensor.make_fx": (
        "from torch.fx.experimental.proxy_tensor import make_fx\n#--\nmake_fx(double)(x)"
    ),
    "torch._subclasses.FakeTensorMode": (
        "from torch._subclasses import FakeTensorMode\n#--\nwith FakeTensorMode():\n    torch.empty(2) + 1"
    ),
    "torch.ao.quantization.quantize_dynamic": (
        "import torch.ao.quantization\n#--\ntorch.ao.quantization.quantize_dynamic(model, {torch.nn.Linear})"
    ),
    "torch.distributed.is_available": "torch.distributed.is_available()",
    "torch.distributed.is_initialized": "torch.distributed.is_initialized()",
    "torch.distributed.init_process_group": (
        "import torch.distributed as dist\n#--\n"
        "dist.init_process_group('gloo', init_method='file://' + os.path.join(tempfile.mkdtemp(), 'f'),"
        " rank=0, world_size=1)"
    ),
    "torch.nn.parallel.DistributedDataParallel": (
        "import torch.distributed as dist\n"
        "dist.init_process_group('gloo', init_method='file://' + os.path.join(tempfile.mkdtemp(), 'f'),"
        " rank=0, world_size=1)\n#--\ntorch.nn.parallel.DistributedDataParallel(model)"
    ),
    "torch.profiler.profile": "with torch.profiler.profile():\n    model(x)",
    "torch.profiler.record_function": "with torch.profiler.record_function('a'):\n    pass",
    "torch.save": "torch.save(model.state_dict(), os.path.join(tempfile.mkdtemp(), 'm.pt'))",
    "torch.load": (
        "path = os.path.join(tempfile.mkdtemp(), 'm.pt')\ntorch.save(model.state_dict(), path)\n#--\ntorch.load(path)"
    ),
    "torch.load(weights_only=False)": (
        "path = os.path.join(tempfile.mkdtemp(), 'm.pt')\ntorch.save(model, path)\n#--\n"
        "torch.load(path, weights_only=False)"
    ),
    "torch.manual_seed": "torch.manual_seed(0)",
    "torch.seed": "torch.seed()",
    "torch.set_default_device": "torch.set_default_device('cpu')",
    "torch.set_default_dtype": "torch.set_default_dtype(torch.float64)",
    "torch.set_float32_matmul_precision": "torch.set_float32_matmul_precision('high')",
    "torch.set_num_threads": "torch.set_num_threads(1)",
    "torch.use_deterministic_algorithms": "torch.use_deterministic_algorithms(True)",
    "torch.set_grad_enabled": "torch.set_grad_enabled(False)",
    "torch.no_grad": "with torch.no_grad():\n    model(x)",
    "torch.inference_mode": "with torch.inference_mode():\n    model(x)",
    "torch.autocast": "with torch.autocast('cpu', dtype=torch.bfloat16):\n    model(x)",
    "torch.device": "torch.device('cpu')",
    "with torch.device": "with torch.device('meta'):\n    torch.nn.Linear(2, 2)",
    "torch.cuda.is_available": "torch.cuda.is_available()",
    "torch.tensor": "torch.tensor([1.0])",
    "torch.Tensor.numpy": "x.numpy()",
    "torch.from_numpy": "import numpy\n#--\ntorch.from_numpy(numpy.zeros(2))",
    "torch.einsum": "torch.einsum('ij,kj->ik', x, x)",
    "torch.Tensor.__repr__": "repr(x)",
    "torch.testing.assert_close": "torch.testing.assert_close(x, x)",
    "torch._check": "torch._check(True)",
    "torch._logging.set_logs": "import logging\n#--\ntorch._logging.set_logs(dynamo=logging.INFO)",
    "torch.multiprocessing.set_start_method": "import torch.multiprocessing as mp\n#--\nmp.set_start_method('spawn')",
    "torch.multiprocessing.Queue": "import torch.multiprocessing as mp\n#--\nmp.Queue()",
    "torch.distributions.Normal": "torch.distributions.Normal(0.0, 1.0).sample()",
    "torch.sparse_coo_tensor": "torch.sparse_coo_tensor([[0], [0]], [1.0], (1, 1))",
    "torch.package.PackageExporter": (
        "import torch.package\n#--\n"
        "with torch.package.PackageExporter(os.path.join(tempfile.mkdtemp(), 'p')) as exporter:\n"
        "    exporter.save_text('a', 'b', 'c')"
    ),
    "torch.autograd.set_detect_anomaly": "torch.autograd.set_detect_anomaly(True)",
    "torch.utils.benchmark.Timer": ("import torch.utils.benchmark\n#--\ntorch.utils.benchmark.Timer('1').timeit(1)"),
}

AFTER_IMPORT: dict[str, str] = {
    **{f"import {name}": f"import {name}" for name in _IMPORTS},
    **{f"attribute {name}": name for name in _ATTRIBUTES},
    **CALLS,
}

PROGRAM = "torch.export.save(torch.export.export(model.eval(), (x,)), PROGRAM)"
"""Makes, in a process of its own, the file PROGRAM that some actions load."""

THIRD_PARTY: dict[str, str] = {
    # What is imported -> the distribution it comes from.
    "import accelerate": "accelerate",
    "import bitsandbytes": "bitsandbytes",
    "import datasets": "datasets",
    "import diffusers": "diffusers",
    "from diffusers import DiffusionPipeline": "diffusers",
    "import einops": "einops",
    "import evaluate": "evaluate",
    "import executorch.exir": "executorch",
    "import fbgemm_gpu": "fbgemm_gpu",
    "import huggingface_hub": "huggingface_hub",
    "import kornia": "kornia",
    "import lightning": "lightning",
    "import monai": "monai",
    "import nequip": "nequip",
    "import numpy": "numpy",
    "import onnx": "onnx",
    "import onnxruntime": "onnxruntime",
    "import open_clip": "open_clip_torch",
    "import optimum": "optimum",
    "import pandas": "pandas",
    "import peft": "peft",
    "import PIL": "pillow",
    "import pytorch_lightning": "pytorch-lightning",
    "import safetensors": "safetensors",
    "import safetensors.torch": "safetensors",
    "import scipy": "scipy",
    "import segmentation_models_pytorch": "segmentation_models_pytorch",
    "import sentence_transformers": "sentence-transformers",
    "import sklearn": "scikit-learn",
    "import timm": "timm",
    "import tokenizers": "tokenizers",
    "import torch_geometric": "torch-geometric",
    "import torchao": "torchao",
    "import torchao.quantization": "torchao",
    "import torchaudio": "torchaudio",
    "import torchmetrics": "torchmetrics",
    "import torchrec": "torchrec",
    "import torchvision": "torchvision",
    "import tqdm": "tqdm",
    "import transformers": "transformers",
    "from transformers import AutoModel": "transformers",
    "from transformers import AutoModelForCausalLM": "transformers",
    "from transformers import AutoTokenizer": "transformers",
    "import triton": "triton",
    "import ultralytics": "ultralytics",
    "import xformers": "xformers",
    "import xformers.ops": "xformers",
}
"""Measured in a process that has not imported torch, like `BARE`."""
