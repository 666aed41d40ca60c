import torch


@torch.library.custom_op("proof::repeat426", mutates_args=())
def repeat(x: torch.Tensor, times: int, low: float = 0.0) -> torch.Tensor:
    return x.repeat(times).clamp(low)


@repeat.register_fake
def _(x, times, low=0.0):
    return x.new_empty(x.shape[0] * times)


class Net(torch.nn.Module):
    def forward(self, x):
        return repeat(x, 4 // 2, low=1)


program = torch.export.export(Net(), (torch.randn(4),))
print("shape", tuple(program.module()(torch.randn(4)).shape))
