import torch


@torch.library.custom_op("proof::twice", mutates_args=(), device_types="cuda")
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return twice(x)


program = torch.export.export(Net(), (torch.randn(4),))
print("shape", tuple(program.module()(torch.randn(4)).shape))  # <- AOTI419
