import torch
from torch import nn
from torch.export import export


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


def export_any(model, *example, **options):
    """Export a model from any number of example tensors."""
    return export(model.eval(), example, **options)


print(export_any(Net(), torch.randn(2, 8), strict=False).graph_signature.user_inputs)
