import torch


@torch.library.custom_op("proof::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):  # <- AOTI407
    return (torch.empty_like(x),)


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.twice(x) + 1


program = torch.export.export(Model(), (torch.randn(4, 8),))
