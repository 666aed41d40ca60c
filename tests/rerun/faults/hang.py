"""A custom operator that looks for a fixed point, and for some numbers never finds it."""

import torch


@torch.library.custom_op("fault::settle", mutates_args=())
def settle(x: torch.Tensor) -> torch.Tensor:
    now = x.clone()
    while True:
        following = 3.9 * now * (1.0 - now)
        if torch.equal(following, now):
            return now
        now = following.clamp(0.0, 1.0)


@settle.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.fault.settle(torch.sigmoid(x)).sum(-1)


torch.manual_seed(0)
program = torch.export.export(Model(), (torch.randn(4, 8),))
path = torch._inductor.aoti_compile_and_package(program, package_path="hang.pt2")
print(torch._inductor.aoti_load_package(path)(torch.randn(4, 8)))
