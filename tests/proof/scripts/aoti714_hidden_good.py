import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 8, 2, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(6, 8)
        self.one, self.two = nn.Linear(8, 1), nn.Linear(16, 1)

    def forward(self, x, y):
        _, (hidden, cell) = self.lstm(x)
        _, last = self.gru(y)
        _, flat = self.gru(y[:, 0])
        out = self.one(hidden[-1]) + self.one(cell.view(2, 2, x.shape[0], 8)[-1, 0])
        out = out + self.two(torch.cat([hidden[-2], hidden[-1]], 1))
        out = out + self.two(hidden.transpose(0, 1).reshape(x.shape[0], 32)[:, :16])
        return out + self.one(last.squeeze(0))[:1] + self.one(flat)


batch = torch.export.Dim("batch")
example = torch.randn(2, 7, 6), torch.randn(7, 3, 6)
program = torch.export.export(Net().eval(), example, dynamic_shapes={"x": {0: batch}, "y": None})
print(tuple(program.module()(torch.randn(4, 7, 6), torch.randn(7, 3, 6)).shape))
