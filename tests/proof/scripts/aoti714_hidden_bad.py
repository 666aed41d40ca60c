import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(6, 8, batch_first=True)
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        _, hidden = self.rnn(x)
        return self.head(hidden[-1])  # <- AOTI714


torch.export.export(Net().eval(), (torch.randn(2, 7, 6),))
