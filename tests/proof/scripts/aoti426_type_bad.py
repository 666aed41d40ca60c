import torch


@torch.library.custom_op("proof::repeat426", mutates_args=())
def repeat(x: torch.Tensor, times: int) -> torch.Tensor:
    return x.repeat(times)


@repeat.register_fake
def _(x, times):
    return x.new_empty(x.shape[0] * times)


class Net(torch.nn.Module):
    def forward(self, x):
        return repeat(x, 4 / 2)  # <- AOTI426


torch.export.export(Net(), (torch.randn(4),))
