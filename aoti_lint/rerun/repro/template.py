"""The text of the scripts. They are read by people: plain Python that needs torch only."""

from __future__ import annotations

from typing import Final

from aoti_lint.quoting.python import Python

HEAD: Final = Python('''\
import faulthandler
import sys
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
faulthandler.enable()


def load(name):
    return torch.load(HERE / "tensors" / f"{name}.pt", weights_only=True)


def view(tensor, sizes, strides, offset):
    return tensor.as_strided(sizes, strides, tensor.storage_offset() + offset)


def show(when, name, tensor):
    values = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    values = values.detach().to(torch.float64).flatten()
    finite = values[values.isfinite()]
    spread = "nothing finite"
    if finite.numel():
        spread = f"min {finite.min():.6g}, max {finite.max():.6g}, mean {finite.mean():.6g}"
    bad = f"{int(values.isnan().sum())} NaN, {int(values.isinf().sum())} Inf"
    print(f"{when:<6} {name}: {str(tensor.dtype)[6:]}{list(tensor.shape)}, {spread}, {bad}", flush=True)


def finish(left, outside=()):
    """Compare what was left with what was left in the model, as far as that was saved."""
    same, compared = True, 0
    for name, tensor in left.items():
        show("after", name, tensor)
        if not (HERE / "tensors" / f"after_{name}.pt").exists():
            print(f"       {name}: what it was in the model was not saved")
            continue
        compared += 1
        saved = load(f"after_{name}")
        if saved.shape != tensor.shape:
            same = False
            print(f"       {name}: in the model its shape was {list(saved.shape)}")
        elif saved.dtype == tensor.dtype and not torch.allclose(tensor, saved, rtol=1e-3, atol=1e-5, equal_nan=True):
            same = False
            show("model", name, saved)
    words = "The same as in the model." if same else "NOT the same as in the model."
    print(words if compared else "Nothing that it left in the model was saved: there is nothing to compare.")
    sys.exit(0 if same and not outside else 1)
''')

LEFT: Final = Python('''

def named(result, names):
    """The tensors of a result under the names that they have in the model."""
    results = [result] if isinstance(result, torch.Tensor) else list(result)
    return {name: tensor for name, tensor in zip(names, results) if name and isinstance(tensor, torch.Tensor)}
''')

REGISTERED: Final = """
# @TARGET@ is registered by code of yours: import it here, or name it on the command line.
import importlib
import runpy

for named_code in sys.argv[1:]:
    if named_code.endswith(".py"):
        runpy.run_path(named_code, run_name="repro")
    elif named_code.endswith((".so", ".dll", ".dylib")):
        torch.ops.load_library(named_code)
    else:
        importlib.import_module(named_code)
try:
    @OPERATOR@
except AttributeError:
    sys.exit("@TARGET@ is not registered: python " + sys.argv[0] + " FILE_THAT_REGISTERS_IT.py")
"""

KERNEL: Final = '''
import ctypes
import subprocess
import sysconfig
import tempfile

COMPILER = @COMPILER@
FLAGS = @FLAGS@
GUARD = 4096  # bytes before and behind each tensor, to see what is written there


def build():
    """Compile kernel.cpp with the flags that the package was compiled with."""
    root = Path(torch.__file__).parent
    target = Path(tempfile.mkdtemp()) / "kernel.so"
    includes = [root / "include", root / "include/torch/csrc/api/include", sysconfig.get_path("include")]
    command = [COMPILER, str(HERE / "kernel.cpp"), "-shared", "-fPIC", *FLAGS, *(f"-I{path}" for path in includes)]
    command += ["-o", str(target), f"-L{root / 'lib'}", "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{root / 'lib'}"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(target))


def guarded(tensor, fill):
    """A copy with bytes of value `fill` around it, and these bytes."""
    data = torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage())
    whole = torch.full((len(data) + 2 * GUARD,), fill, dtype=torch.uint8)
    whole[GUARD : GUARD + len(data)] = data
    size = tensor.element_size()
    made = torch.empty(0, dtype=tensor.dtype).set_(whole.untyped_storage(), GUARD // size + tensor.storage_offset(),
                                                   tensor.shape, tensor.stride())
    return made, (whole[:GUARD], whole[GUARD + len(data) :])


def run(library, fill):
    """Call the kernel on copies of the tensors; give what it left in them, and which were written beside."""
    made = {name: guarded(tensor, fill) for name, tensor in given.items()}
    tensors = {name: tensor for name, (tensor, _) in made.items()}
    library.@NAME@(@ARGUMENTS@)
    beside = [name for name, (_, guards) in made.items() if any(bool((guard != fill).any()) for guard in guards)]
    return tensors, beside


for name, tensor in given.items():
    show("before", name, tensor)
library = build()
print("calling @NAME@", flush=True)
# Twice, with other bytes around the tensors: what is read there changes what it leaves.
left, beside = run(library, 0xFF)
again, also_beside = run(library, 0x3F)
outside = [f"It WRITES OUTSIDE of {name}." for name in given if name in beside + also_beside]
if any(not torch.equal(left[name].nan_to_num(), again[name].nan_to_num()) for name in @WRITTEN@):
    outside.append("It READS OUTSIDE of its tensors: with other bytes around them it leaves something else.")
for sentence in outside:
    print(sentence)
finish({name: left[name] for name in @WRITTEN@}, outside)
'''

OPERATOR: Final = """
for name, tensor in given.items():
    show("before", name, tensor)
print("calling @NAME@", flush=True)
result = @CALL@
finish(@LEFT@)
"""

TRITON: Final = """
from torch._inductor.async_compile import AsyncCompile

for name, tensor in given.items():
    show("before", name, tensor)
compiler = AsyncCompile()
kernel = compiler.triton("@NAME@", (HERE / "kernel.py").read_text(), device_str="cuda")
compiler.wait(globals())
kernel = kernel.result() if hasattr(kernel, "result") else kernel
print("calling @NAME@", flush=True)
kernel.run(@ARGUMENTS@, stream=torch.cuda.current_stream().cuda_stream)
torch.cuda.synchronize()
finish({name: given[name] for name in @WRITTEN@})
"""
