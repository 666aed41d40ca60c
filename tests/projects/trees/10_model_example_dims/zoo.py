import torch
from torch import nn
from torch.export import Dim


class TwoTower(nn.Module):
    def __init__(self, users, items, width=8):
        super().__init__()
        self.users = nn.Embedding(users, width)
        self.items = nn.Embedding(items, width)

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(-1)


def two_tower():
    batch = Dim("batch", min=2, max=1000)
    example = (torch.randint(0, 50, (12,)), torch.randint(0, 80, (12,)))
    return TwoTower(50, 80).eval(), example, ({0: batch}, {0: batch})
