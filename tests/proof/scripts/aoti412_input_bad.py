import torch


@torch.library.custom_op("proof::positive", mutates_args=())
def positive(x: torch.Tensor) -> torch.Tensor:  # <- AOTI412
    return x


@positive.register_fake
def _(x):
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.positive(x) + 1


batch = torch.export.Dim("batch", min=2, max=64)
program = torch.export.export(Model(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: batch}})
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="model.pt2"))
run(torch.ones(6, 8))
