"""A static package and inputs of any length: every call is cut or filled to the size first."""
import torch
import torch.nn.functional as F
from torch import nn

ROWS = 8


class Vote(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc(x).argmax(-1)


def fixed(x):
    if x.shape[0] >= ROWS:
        return x[:ROWS]
    return F.pad(x, (0, 0, 0, ROWS - x.shape[0]))


def chunks(x):
    for start in range(0, x.shape[0], ROWS):
        part = x.narrow(0, start, min(ROWS, x.shape[0] - start))
        if len(part) < ROWS:
            part = torch.cat([part, part.new_zeros(ROWS - len(part), 3)])
        yield part


if __name__ == "__main__":
    vote = torch.export.export(Vote().eval(), (torch.zeros(ROWS, 3),)).module()
    for rows in (3, 8, 30):
        print(vote(fixed(torch.rand(rows, 3)))[:rows].shape)
    print(sum(vote(part).numel() for part in chunks(torch.rand(20, 3))))
    last = torch.rand(5, 3)
    print(vote(last if len(last) == ROWS else fixed(last)).shape)
