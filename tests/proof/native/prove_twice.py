"""Defines ops in C++ and in Python, in one process, and prints how each case ended, as JSON.

`python tests/proof/native/prove_twice.py > tests/proof/native/twice/recorded.json` on a machine with torch, ninja and a
C++ compiler. It takes two minutes, on the CPU.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import runpy
import sys
import tempfile
import traceback
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


def outcome(script: str, folder: Path) -> dict[str, object]:
    """How a script ends in a process of its own: its exit code, and the message of torch."""
    path, errors = folder / "script.py", folder / "errors.txt"
    path.write_text(HEAD + script, encoding="utf-8")
    child = os.fork()
    if child == 0:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        try:
            runpy.run_path(str(path), run_name="__main__")
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    rc = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    text = errors.read_text(encoding="utf-8")
    said = re.search(r"(terminate called after throwing an instance of '[\w:]+')?\s*(?:what\(\):|RuntimeError:)\s*"
                     r"(Tried to register an operator|Only a single TORCH_LIBRARY)", text)  # fmt: skip
    return {"rc": rc, "said": "" if said is None else " … ".join(filter(None, said.groups()))}


def main() -> None:
    """Print the outcome of every case."""
    import torch
    import torch.utils.cpp_extension

    os.chdir(HERE)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TORCH_EXTENSIONS_DIR=folder, CXXFLAGS="-O0")
        found = {name: outcome(script, Path(folder)) for name, script in CASES.items()}
    json.dump({"torch": torch.__version__, "sha": sha(), "cases": found}, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
