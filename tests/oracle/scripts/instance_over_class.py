import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


class Conf:
    batch = 2
    device = "cpu"

    def __init__(self, batch=None):
        if batch:
            self.batch = batch


first, second = Conf(), Conf(5)
Conf.batch = 8
ep = torch.export.export(M(), (torch.randn(first.batch, 4, device=first.device),))
ep.module()(torch.randn(8, 4))
torch.export.export(M(), (torch.randn(second.batch, 4),))
setattr(second, "batch", 11)
torch.export.export(M(), (torch.randn(getattr(second, "batch"), 4),))
vars(first)["batch"] = 3
torch.export.export(M(), (torch.randn(first.batch, 4),))
