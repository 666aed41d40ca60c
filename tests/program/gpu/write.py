"""Writes packages and programs for CUDA, and what torch says of each, to the folder it is given. By hand, on a machine
with a GPU: `python tests/program/gpu/write.py FOLDER`.

Machine code is replaced by zeros, so that the archives are small enough to keep; headers stay. Each archive is made
in a process of its own; `made.json` says how each ended, and with which torch and GPU.
"""

import datetime
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "proof" / "gpu"))
KEPT = 4096
"""Bytes of each kernel binary that stay."""


def models() -> dict[str, Any]:
    """Name to a function that gives module, args, kwargs, dynamic_shapes, inductor configuration."""
    from torch import nn
    from torch.export import Dim

    class Mlp(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(10, 16)

        def forward(self, x):
            return torch.sigmoid(torch.relu(self.fc(x)))

    class Pair(nn.Module):
        def forward(self, x, y):
            return (x * y).sin() + 1

    class Scalars(nn.Module):
        def forward(self, x, k, flag=True, other=None):
            return x * k + 1 if flag else x

    class Counter(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("steps", torch.zeros(16))
            self.register_buffer("one", torch.zeros(1))

        def forward(self, x):
            self.steps.add_(1)
            self.one.add_(1)
            return x + self.steps + self.one

    class Mixed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.front = nn.Linear(10, 16)
            self.back = nn.Linear(16, 4)

        def forward(self, x):
            return self.back(torch.relu(self.front(x)).cpu())

    class Custom(nn.Module):
        def forward(self, x):
            return torch.ops.gpucorpus.twice(x).relu()

    @torch.library.custom_op("gpucorpus::twice", mutates_args=())
    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    twice.register_fake(torch.empty_like)
    try:
        import triton
        import triton.language as tl
        from torch.library import triton_op, wrap_triton

        @triton.jit
        def plus_one_kernel(source, target, count, BLOCK: tl.constexpr):
            offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            mask = offsets < count
            tl.store(target + offsets, tl.load(source + offsets, mask=mask) + 1, mask=mask)

        # Triton looks the names up where the function stands.
        globals().update(tl=tl, triton=triton)

        @triton_op("gpucorpus::plus_one", mutates_args={})
        def plus_one(x: torch.Tensor) -> torch.Tensor:
            made = torch.empty_like(x)
            wrap_triton(plus_one_kernel)[(triton.cdiv(x.numel(), 64),)](x, made, x.numel(), BLOCK=64)
            return made
    except ImportError:
        plus_one = None

    class Triton(nn.Module):
        def forward(self, x):
            return plus_one(x).relu()

    x = torch.randn(4, 10, device="cuda")
    batch = Dim("batch", min=1, max=64)
    mixed = Mixed()
    mixed.front.cuda()
    return {
        "static": lambda: (Mlp().cuda(), (x,), {}, None, {}),
        "dim": lambda: (Mlp().cuda(), (x,), {}, {"x": {0: batch}}, {}),
        "shared_dim": lambda: (Pair(), (x, x), {}, {"x": {0: batch}, "y": {0: batch}}, {}),
        "scalars": lambda: (Scalars(), (x, 3), {"flag": True}, None, {}),
        "buffers": lambda: (Counter().cuda(), (torch.randn(4, 16, device="cuda"),), {}, None, {}),
        "mixed_devices": lambda: (mixed, (x,), {}, None, {}),
        "customop": lambda: (Custom(), (x,), {}, {"x": {0: batch}}, {}),
        "triton": lambda: (Triton(), (x,), {}, {"x": {0: batch}}, {}),
        "half": lambda: (Mlp().cuda().half(), (x.half(),), {}, None, {}),
        "cpu": lambda: (Mlp(), (x.cpu(),), {}, None, {}),
        "weights_out": lambda: (Mlp().cuda(), (x,), {}, None, {"aot_inductor.package_constants_in_so": False}),
        "printer": lambda: (Mlp().cuda(), (x,), {}, None, {"aot_inductor.debug_intermediate_value_printer": "2"}),
        "nan_asserts": lambda: (Pair(), (x, x), {}, None, {"nan_asserts": True}),
        "debug": lambda: (Mlp().cuda(), (x,), {}, None, {"aot_inductor.debug_compile": True}),
        "max_autotune": lambda: (Mlp().cuda(), (x,), {}, None, {"max_autotune": True}),
    }


def make(name: str, folder: Path) -> None:
    """Write one program and its package, load them again and note what torch says."""
    module, args, kwargs, shapes, config = models()[name]()
    torch.manual_seed(0)
    program = torch.export.export(module.eval(), args, kwargs, dynamic_shapes=shapes)
    torch.export.save(program, str(folder / f"{name}.pt2"))
    package = folder / f"{name}.aoti.pt2"
    if config.pop("nan_asserts", False):
        os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
    with torch.no_grad():
        torch._inductor.aoti_compile_and_package(program, package_path=str(package), inductor_configs=config)
    run = torch._inductor.aoti_load_package(str(package))
    view: dict[str, Any] = {
        "torch": torch.__version__,
        "get_metadata": dict(run.loader.get_metadata()),
        "get_constant_fqns": list(run.loader.get_constant_fqns()),
        "get_call_spec": list(run.loader.get_call_spec()),
    }
    if "aot_inductor.package_constants_in_so" in config:
        state = {key: value.detach() for key, value in module.state_dict().items()}
        run.load_constants({key: state[key] for key in view["get_constant_fqns"]}, check_full_update=True)
    torch.cuda.synchronize()
    result = run(*args, **kwargs)
    torch.cuda.synchronize()
    view["ran_outputs"] = [
        {"kind": "tensor", "dtype": str(t.dtype), "shape": list(t.shape), "device": str(t.device)}
        for t in torch.utils._pytree.tree_leaves(result)
        if isinstance(t, torch.Tensor)
    ]
    (folder / f"{name}.aoti.view.json").write_text(json.dumps(view, indent=1))


def shrink(path: Path) -> None:
    """Write an archive again, packed, with its machine code and large weights as zeros."""
    with zipfile.ZipFile(path) as archive:
        files = [(info.filename, archive.read(info)) for info in archive.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files:
            if name.endswith((".so", ".cubin", ".hsaco", ".spv")) or len(data) > 200_000:
                data = data[:KEPT] + bytes(len(data) - KEPT)
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


def main(target: str) -> None:
    from record import compiler

    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    tools = Path(tempfile.mkdtemp())
    outcomes: dict[str, str] = {}

    def one(name: str) -> None:
        cache = tempfile.mkdtemp()
        env = {**os.environ, **compiler(tools), "TORCHINDUCTOR_CACHE_DIR": cache, "TORCHINDUCTOR_COMPILE_THREADS": "1"}
        command = [sys.executable, __file__, target, name]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=500, check=False)
        lines = done.stderr.strip().splitlines()
        outcomes[name] = "made" if done.returncode == 0 else f"{done.returncode}: {' | '.join(lines[-4:])[:600]}"

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(one, models()))
    for path in folder.glob("*.pt2"):
        shrink(path)
    about = {
        "torch": torch.__version__,
        "gpu": torch.cuda.get_device_name(),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "made": dict(sorted(outcomes.items())),
    }
    (folder / "made.json").write_text(json.dumps(about, indent=1) + "\n")
    print(json.dumps(about, indent=1))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        make(sys.argv[2], Path(sys.argv[1]))
    else:
        main(sys.argv[1])
