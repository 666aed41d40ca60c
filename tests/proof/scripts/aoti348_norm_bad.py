import torch


class Net(torch.nn.Module):
    def forward(self, x):
        x = x.clone().requires_grad_(True)
        energy = x.norm(dim=-1).sum()
        return torch.autograd.grad(energy, x)[0]  # <- AOTI348


torch.export.export(Net(), (torch.ones(4, 3),))
