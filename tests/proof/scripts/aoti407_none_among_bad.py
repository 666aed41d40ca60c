"""None in the place of one of several outputs: the export goes through, and the compile does not."""

import torch


@torch.library.custom_op("proof::both", mutates_args=())
def both(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x * 2, x + 1


@both.register_fake
def _(x):  # <- AOTI407
    return torch.empty_like(x), None


class Model(torch.nn.Module):
    def forward(self, x):
        return both(x)[0] + 1


program = torch.export.export(Model(), (torch.randn(4, 8),))
print("exported")
torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
