"""A small project in which there is one of each kind of step."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FILES: Final = {
    "export.py": '''\
import os
import torch
import torch._inductor.config as config

os.environ["TORCHINDUCTOR_FREEZING"] = "1"
config.max_autotune = True


@torch.library.custom_op("demo::scale", mutates_args=())
def scale(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * by


@scale.register_fake
def _(x, by):
    return torch.empty_like(x)


@torch.library.custom_op("demo::unused", mutates_args=())
def unused(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, x):
        return torch.ops.demo.scale(self.layer(x), 2.0)


class Small(torch.nn.Module):
    def forward(self, x):
        return x + 1


def main():
    batch = torch.export.Dim("batch", min=2, max=64)
    program = torch.export.export(Net(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: batch}})
    torch._inductor.aoti_compile_and_package(program, package_path="net.pt2", inductor_configs={"max_autotune": True})
    torch.export.save(program, "program.pt2")
    small = torch.export.export(Small(), (torch.randn(2, 3),))
    torch._inductor.aoti_compile_and_package(small, package_path="small.pt2")


main()
''',
    "deploy/serve.py": '''\
import torch

model = torch._inductor.aoti_load_package("net.pt2")
model(torch.randn(100, 8))
again = torch.export.load("program.pt2")
torch._inductor.aoti_compile_and_package(again, package_path="again.pt2")
torch.export.load("again.pt2")
small = torch._inductor.aoti_load_package("small.pt2")
small(torch.randn(3, 3))
''',
    "csrc/main.cpp": """\
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
int main() {
  torch::inductor::AOTIModelPackageLoader loader("net.pt2");
}
""",
}  # fmt: skip


def place(folder: Path, files: dict[str, str]) -> None:
    """Write the files into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
