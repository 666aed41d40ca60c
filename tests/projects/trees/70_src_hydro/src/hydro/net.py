import torch
from torch import nn


class Runoff(nn.Module):
    def __init__(self, hidden=6):
        super().__init__()
        self.rnn = nn.Conv1d(2, hidden, 3, padding=1)
        self.head = nn.Linear(hidden, 1)

    def forward(self, rain):
        return self.head(torch.relu(self.rnn(rain.transpose(1, 2))).mean(-1))
