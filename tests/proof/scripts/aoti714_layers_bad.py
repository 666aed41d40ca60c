import torch

LAYERS = {
    "Linear": (torch.nn.Linear(8, 4), (3, 7)),
    "LayerNorm": (torch.nn.LayerNorm(8), (3, 7)),
    "GroupNorm": (torch.nn.GroupNorm(2, 8), (3, 6)),
    "BatchNorm1d": (torch.nn.BatchNorm1d(8), (3, 7)),
    "LSTM": (torch.nn.LSTM(8, 4), (3, 2, 7)),
    "GRUCell": (torch.nn.GRUCell(8, 4), (3, 7)),
    "Conv1d": (torch.nn.Conv1d(8, 4, 1), (2, 1, 5)),
    "Conv2d": (torch.nn.Conv2d(8, 4, 1, groups=2), (2, 6, 5, 5)),
    "ConvTranspose2d": (torch.nn.ConvTranspose2d(8, 4, 1), (2, 7, 5, 5)),
}


def raises(model, shape):
    for strict in (False, True):
        try:
            torch.export.export(model.eval(), (torch.ones(shape),), strict=strict)
        except Exception:
            continue
        return False
    return True


for name, (layer, shape) in LAYERS.items():
    print(name, raises(layer, shape))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(8, 4))

    def forward(self, x):
        return x @ self.weight  # <- AOTI714


torch.export.export(Net(), (torch.randn(3, 4),))
