import torch
from torch import nn

from framework import Task


class Regress(Task):
    def __init__(self, p=0.5):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(p), nn.Linear(8, 1))

    def example_input(self):
        return torch.randn(3, 4)

    def forward(self, x):
        return self.net(x).squeeze(-1)


class Tuned(Regress):
    """Fine-tuned: the base stays as it is, the head is trained until the export."""

    def on_export(self):
        for parameter in self.parameters():
            parameter.requires_grad_(False)
