"""Defines ops in C++ and in Python, in one process, and prints how each case ended, as JSON.

`python tests/proof/native/prove_twice.py > tests/proof/native/twice/recorded.json` on a machine with torch, ninja and a
C++ compiler. It takes two minutes, on the CPU.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "twice"
HEAD = "import torch\nfrom torch.utils.cpp_extension import load\n\n"
ONE = 'load("one", ["one.cpp"], is_python_module=False)\n'
CUSTOM_OP = """@torch.library.custom_op("twice_proof::{name}", mutates_args=())
def {name}(x: torch.Tensor) -> torch.Tensor:
    return x * 2
"""
CASES = {
    "two blocks in one library": 'load("both", ["one.cpp", "two.cpp"], is_python_module=False)\n',
    "a block and a fragment": 'load("more", ["one.cpp", "more.cpp"], is_python_module=False)\n',
    "C++, then custom_op": ONE + CUSTOM_OP.format(name="twice"),
    "custom_op, then C++": CUSTOM_OP.format(name="twice") + ONE,
    "C++, then custom_op of another name": ONE + CUSTOM_OP.format(name="four"),
    "C++, then DEF": ONE + 'library = torch.library.Library("twice_proof", "DEF")\n',
    "DEF, then C++": 'library = torch.library.Library("twice_proof", "DEF")\n' + ONE,
    "C++, then FRAGMENT": ONE + 'library = torch.library.Library("twice_proof", "FRAGMENT")\n',
    "C++, then define": ONE + 'torch.library.define("twice_proof::twice", "(Tensor x) -> Tensor")\n',
    "C++, then triton_op": ONE + CUSTOM_OP.format(name="twice").replace("custom_op", "triton_op"),
}
"""Scripts that run beside the C++ sources."""


def sha() -> str:
    """Of the sources and of the cases."""
    data = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.cpp"))) + json.dumps(CASES).encode()
    return hashlib.sha256(data).hexdigest()[:16]


def outcome(script: str, builds: str) -> dict[str, object]:
    """How a script ends: its exit code, and the message of torch."""
    environment = {**os.environ, "TORCH_EXTENSIONS_DIR": builds, "CXXFLAGS": "-O0"}
    done = subprocess.run(
        [sys.executable, "-c", HEAD + script], cwd=HERE, env=environment, capture_output=True, text=True
    )
    said = re.search(r"(terminate called after throwing an instance of '[\w:]+')?\s*(?:what\(\):|RuntimeError:)\s*"
                     r"(Tried to register an operator|Only a single TORCH_LIBRARY)", done.stderr)  # fmt: skip
    return {"rc": done.returncode, "said": "" if said is None else " … ".join(filter(None, said.groups()))}


def main() -> None:
    """Print the outcome of every case."""
    import torch

    with tempfile.TemporaryDirectory() as builds:
        found = {name: outcome(script, builds) for name, script in CASES.items()}
    json.dump({"torch": torch.__version__, "sha": sha(), "cases": found}, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
