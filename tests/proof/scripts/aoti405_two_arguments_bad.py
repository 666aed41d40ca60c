"""The fake takes the dtype of one argument, the kernel makes one of both: the calls say whether these are the same."""

import torch


@torch.library.custom_op("proof::added", mutates_args=())
def added(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x + y


@added.register_fake
def _(x, y):
    return torch.empty_like(x)  # <- AOTI405


class Model(torch.nn.Module):
    def forward(self, x, y):
        return added(x, y).sum(0)


x, y = torch.ones(4, 8, dtype=torch.int32), torch.full((4, 8), 0.5)
program = torch.export.export(Model(), (x, y))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="model.pt2"))
print("equal", torch.equal(run(x, y), Model()(x, y)))
