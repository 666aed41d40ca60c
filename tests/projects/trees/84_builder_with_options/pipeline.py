import subprocess
import sys
from pathlib import Path

import torch

SIZES = {"small": 8, "large": 32}


def ensure(name: str) -> Path:
    target = Path("out", f"{name}.pt2")
    command = [sys.executable, "export_one.py", "--name", name, "--width", str(SIZES[name])]
    if not target.exists():
        subprocess.run(command, check=True, capture_output=True)
    return target


def main():
    for name, width in SIZES.items():
        run = torch._inductor.aoti_load_package(str(ensure(name)))
        print(name, run(torch.ones(5, width)).shape)
    small = torch._inductor.aoti_load_package(str(ensure("small")))
    print(small(torch.ones(5, SIZES["large"])).shape)


if __name__ == "__main__":
    main()
