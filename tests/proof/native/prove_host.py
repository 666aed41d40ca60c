"""Builds C++ programs that load a package which calls a custom op, and prints how each ended, as JSON.

`python tests/proof/native/prove_host.py > tests/proof/native/host/recorded.json` on a machine with torch and a C++
compiler. It takes three minutes, on the CPU.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "host"
CMAKE = (
    "find_package(Torch REQUIRED)\nadd_library(ops SHARED ops.cpp)\n{}\n"
    "target_link_libraries(host ${{TORCH_LIBRARIES}})\n"
)
HOSTS = {
    "without the op": ("host.o", CMAKE.format("add_executable(host host.cpp)")),
    "with its source": ("host.o ops.o", CMAKE.format("add_executable(host host.cpp ops.cpp)")),
    "with its library": (
        "host.o -L. -Wl,--no-as-needed -lops",
        CMAKE.format("add_executable(host host.cpp)\ntarget_link_libraries(host -Wl,--no-as-needed ops)"),
    ),
}
"""What the linker is given for each program, and what CMake would be given for the same."""
SCRIPTS = ("in_cpp.py", "in_python.py")


def sha() -> str:
    """Of the sources and of the programs."""
    data = b"".join(path.read_bytes() for path in sorted(HERE.iterdir()) if path.suffix in (".cpp", ".py"))
    return hashlib.sha256(data + json.dumps(HOSTS).encode()).hexdigest()[:16]


def build(folder: str) -> None:
    """Build the library and the programs in `folder`."""
    from torch.utils.cpp_extension import include_paths, library_paths

    def run(command: str) -> None:
        subprocess.run(command, cwd=folder, shell=True, check=True, stdout=sys.stderr)

    headers = " ".join(f"-isystem {path}" for path in include_paths())
    torch = " ".join(f"-L{path} -Wl,-rpath,{path}" for path in library_paths()) + " -ltorch -ltorch_cpu -lc10"
    for name in ("ops", "host"):
        run(f"c++ -std=c++20 -O0 -fPIC {headers} -c {HERE / name}.cpp -o {name}.o")
    run(f"c++ -shared ops.o -o libops.so {torch}")
    for name, (given, _) in HOSTS.items():
        run(f"c++ {given} -o '{name}' -Wl,-rpath,. -Wl,--no-as-needed {torch}")


def outcome(program: str, folder: str) -> dict[str, object]:
    """How a program ends: its exit code, and what it or torch said."""
    done = subprocess.run([os.path.join(folder, program)], cwd=folder, capture_output=True, text=True)
    said = re.search(r"^sum.*|Could not find schema for [^.]*\.(?: [^.]*\.[^.]*\.)?", done.stdout + done.stderr)
    return {"rc": done.returncode, "said": "" if said is None else said[0]}


def main() -> None:
    """Print the outcome of every program on the package of every script."""
    import torch

    found: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        build(folder)
        for script in SCRIPTS:
            shutil.copy(HERE / script, folder)
            subprocess.run([sys.executable, script], cwd=folder, check=True, stdout=sys.stderr)
            found[script] = {name: outcome(name, folder) for name in HOSTS}
    json.dump({"torch": torch.__version__, "sha": sha(), "hosts": found}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
