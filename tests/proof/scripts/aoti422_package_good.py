import torch


@torch.library.custom_op("proof::columns", mutates_args=())
def columns(x: torch.Tensor) -> torch.Tensor:
    return x.sin().t().contiguous().t()


@columns.register_fake
def _(x):
    return torch.empty_like(x.t(), memory_format=torch.contiguous_format).t()


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.columns(x).softmax(-1)


x = torch.randn(4, 8)
program = torch.export.export(Model(), (x,))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="model.pt2"))
print("equal", torch.allclose(run(x), Model()(x)))
