import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 1)

    def forward(self, x):
        x = x.detach().requires_grad_(True)
        energy = torch.nn.functional.silu(self.layer(x)).sum()
        return torch.autograd.grad(energy, [x], create_graph=True)[0]  # <- AOTI348


torch.export.export(Net(), (torch.ones(4, 3),))
