import torch


@torch.library.custom_op("proof::shift", mutates_args=())
def shift(x: torch.Tensor, by: int, scale: float = 1.0) -> torch.Tensor:
    return (x + by) * scale


@shift.register_fake
def _(x, by):  # <- AOTI410
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return shift(x, 3, 2.0)


program = torch.export.export(Net(), (torch.randn(4),))
print("shape", tuple(program.module()(torch.randn(4)).shape))
