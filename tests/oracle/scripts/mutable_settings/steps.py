import conf
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.l(x)


def export_here():
    x = torch.randn(conf.values["rows"], conf.values["width"], device=conf.device)
    return torch.export.export(M().to(conf.device), (x,))
