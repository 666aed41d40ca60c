import torch
from torch.utils.data import DataLoader, TensorDataset


class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 4, 3)

    def forward(self, x):
        return self.conv(x)  # <- AOTI722


data = TensorDataset(torch.randn(16, 1, 8, 8), torch.zeros(16))
batch = next(iter(DataLoader(data, batch_size=4)))
program = torch.export.export(Small(), (batch,))
print(len(program.graph.nodes) > 1, "exported")
