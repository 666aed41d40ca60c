import torch
from torch import nn

from targets import Target


def compile_for(target: Target):
    model = nn.Linear(12, 3).eval().to(target.value)
    example = torch.randn(6, 12, device=target.value)
    program = torch.export.export(model, (example,), dynamic_shapes=({0: torch.export.Dim("rows", min=2)},))
    torch._inductor.aoti_compile_and_package(program, package_path=target.package("linear"))


for target in Target.available():
    compile_for(target)
