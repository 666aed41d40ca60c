"""Compiles `ops.cpp`, exports a model of each op with a dynamic size, and prints how each ended, as JSON.

`python tests/proof/native/prove.py > tests/proof/native/recorded.json` on a machine with torch, ninja and a C++
compiler. It takes a minute or two, on the CPU.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import tempfile
from pathlib import Path

import torch
from torch.utils.cpp_extension import load

HERE = Path(__file__).parent


class Net(torch.nn.Module):  # type: ignore[misc]
    """Calls one op."""

    def __init__(self, op: str) -> None:
        super().__init__()
        self.op = op

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return getattr(torch.ops.native, self.op)(x) + 1


def outcome(op: str, dim: object) -> str:
    """The sizes of the op's output, or the first words of what was raised."""
    try:
        program = torch.export.export(Net(op), (torch.randn(5, 8),), dynamic_shapes={"x": {0: dim}})
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"[:110]
    node = next(node for node in program.graph.nodes if node.op == "call_function")
    return str([size if isinstance(size, int) else "s" for size in node.meta["val"].shape])


def in_a_child(op: str, dim: object) -> str:
    """`outcome` in a process of its own: what raises leaves the tracer in disorder."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, outcome(op, dim).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return told


def main() -> None:
    """Print the outcome of every op of `ops.cpp`, by name: with a named `Dim` and with `Dim.AUTO`."""
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        source = str(HERE / "ops.cpp")
        load("native_ops", [source], is_python_module=False, extra_cflags=["-O0"], build_directory=folder)
        schemas = torch._C._jit_get_all_schemas()
        ops = sorted(one.name.split("::")[1] for one in schemas if one.name.startswith("native::"))
        named = torch.export.Dim("batch", min=2, max=100)
        # Once before any child: what the first export imports is there then.
        outcome(ops[0], None)
        found = {op: {"named": in_a_child(op, named), "auto": in_a_child(op, torch.export.Dim.AUTO)} for op in ops}
    sha = hashlib.sha256((HERE / "ops.cpp").read_bytes()).hexdigest()[:16]
    json.dump({"torch": torch.__version__, "sha": sha, "ops": found}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
