import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3, 2))

    def forward(self, x):
        x = x.clone().requires_grad_(True)
        energy = torch.nn.functional.silu(x @ self.weight).square().sum(-1).pow(0.5).sum()
        return torch.autograd.grad(energy, x)[0]


model = Net()
program = torch.export.export(model, (torch.ones(4, 3),))
inputs = torch.rand(4, 3)
torch.testing.assert_close(program.module()(inputs), model(inputs))
print("exported")
