"""A custom operator refuses what it is given, when the package calls it."""

import torch


@torch.library.custom_op("fault::windows", mutates_args=())
def windows(x: torch.Tensor, size: int) -> torch.Tensor:
    if x.shape[0] % size:
        raise ValueError(f"{x.shape[0]} rows are no whole number of windows of {size}")
    return x * 1.0


@windows.register_fake
def _(x: torch.Tensor, size: int) -> torch.Tensor:
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(torch.ops.fault.windows(torch.tanh(self.layer(x)), 4))


torch.manual_seed(0)
rows = torch.export.Dim("rows", min=2, max=64)
program = torch.export.export(Model(), (torch.randn(8, 16),), dynamic_shapes={"x": {0: rows}})
path = torch._inductor.aoti_compile_and_package(program, package_path="op_raises.pt2")
print(torch._inductor.aoti_load_package(path)(torch.randn(6, 16)).sum())
