"""Lists of another length: export and compile go through, and the package raises at its first call."""

import torch


@torch.library.custom_op("proof::both", mutates_args=())
def both(x: torch.Tensor) -> list[torch.Tensor]:
    return [x * 2, x + 1]


@both.register_fake
def _(x):  # <- AOTI407
    return [torch.empty_like(x)]


class Model(torch.nn.Module):
    def forward(self, x):
        return both(x)[0] + 1


program = torch.export.export(Model(), (torch.randn(4, 8),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="model.pt2"))
run(torch.randn(4, 8))
