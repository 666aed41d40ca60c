import torch


@torch.library.custom_op("proof::positive", mutates_args=())
def positive(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0]


@positive.register_fake
def _(x):
    return x.new_empty((torch.library.get_ctx().new_dynamic_size(),))


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.positive(x) + 1


batch = torch.export.Dim("batch", min=2, max=64)
program = torch.export.export(Model(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: batch}})
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="model.pt2"))
x = torch.ones(6, 8)
print("equal", torch.equal(run(x), Model()(x)))
