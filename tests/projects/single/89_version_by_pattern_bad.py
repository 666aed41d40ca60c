import re
import sys
import warnings

import torch
from torch import nn

VERSION = tuple(int(p) for p in re.match(r"(\d+)\.(\d+)", torch.__version__).groups())


def export_ir(model, args):
    if VERSION >= (2, 9):
        return torch.export.export(model, args, strict=True)
    return torch.export.export_for_training(model, args)


def has(name: str) -> bool:
    obj = torch
    for part in name.split("."):
        obj = getattr(obj, part, None)
        if obj is None:
            return False
    return True


def compile_library(model, args, path):
    if has("_inductor.aoti_compile_and_package"):
        return torch._inductor.aoti_compile_and_package(export_ir(model, args), package_path=path)
    warnings.warn("old torch", stacklevel=2)
    return torch._export.aot_compile(model, args)


def main() -> None:
    if sys.version_info < (3, 10):
        raise SystemExit("python 3.10")
    model, args = nn.Linear(2, 2).eval(), (torch.ones(3, 2),)
    run = torch._inductor.aoti_load_package(compile_library(model, args, "v.pt2"))
    print(run(*args), torch.export.Dim.AUTO)
    print(torch._inductor.aoti_load(path="v.so"))


if __name__ == "__main__":
    main()
