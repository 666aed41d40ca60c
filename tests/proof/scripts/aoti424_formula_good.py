import torch


@torch.library.custom_op("mylib::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


def backward(ctx, grad):
    return grad * 2


twice.register_autograd(backward)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return twice(self.fc(x))


x = torch.randn(2, 8)
module = torch.export.export(Net(), (x,)).module()
optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
print("exported", flush=True)
loss = torch.nn.functional.mse_loss(module(x), torch.zeros(2, 8))
loss.backward()
optimizer.step()
print("trained")
