"""A helper compiles every model to one file, and what the first is called with does not fit the second."""

import torch


def build(model: torch.nn.Module, x: torch.Tensor) -> str:
    program = torch.export.export(model.eval(), (x,))
    return torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")


encoder = build(torch.nn.Linear(8, 4), torch.randn(2, 8))
decoder = build(torch.nn.Linear(4, 3), torch.randn(2, 4))
run = torch._inductor.aoti_load_package(encoder)  # <- AOTI228
print(run(torch.randn(2, 8)))  # <- AOTI301
