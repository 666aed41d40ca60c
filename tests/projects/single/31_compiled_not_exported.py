"""torch.compile guards and recompiles: other sizes and devices are its business."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x)


def export(model, args):
    """A local name; it does not export anything."""
    traced = torch.compile(model, backend="eager", dynamic=False)
    traced(*args)
    return traced


if __name__ == "__main__":
    model = export(Net(), (torch.rand(1, 4),))
    for rows in (1, 2, 7):
        print(model(torch.rand(rows, 4)).shape)
