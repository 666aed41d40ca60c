"""The fake has a dimension less than the kernel, for tensors of the dimensions that the op is called with."""

import torch


@torch.library.custom_op("proof::scaled", mutates_args=())
def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
    return x * factor


@scaled.register_fake
def _(x, factor):
    return x.new_empty(x.shape[0])  # <- AOTI404


class Model(torch.nn.Module):
    def forward(self, x):
        return scaled(x, 2.0) + 1


batch = torch.export.Dim("batch", min=2, max=64)
program = torch.export.export(Model(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: batch}})
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="model.pt2"))
x = torch.randn(6, 8)
print("equal", torch.equal(run(x), Model()(x)))
