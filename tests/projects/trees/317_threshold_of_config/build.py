import torch
from torch import nn

from config import DEFAULT


class Anomaly(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(6, 4)

    def forward(self, x, threshold: float, top: int):
        score = torch.sigmoid(self.encode(x))
        return (score > threshold).float().topk(top, dim=-1).values


rows = {0: torch.export.Dim("rows", min=2)}
program = torch.export.export(
    Anomaly().eval(), (torch.randn(4, 6), DEFAULT.threshold, DEFAULT.top), dynamic_shapes=(rows, None, None)
)
torch.export.save(program, DEFAULT.path)
