import os

import torch
from torch import nn

from . import PROGRAM


class Rerank(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.query = nn.Linear(width, width)
        self.document = nn.Linear(width, width)

    def forward(self, query, documents):
        return (self.document(documents) * self.query(query)).sum(-1)


def main():
    os.makedirs(os.path.dirname(PROGRAM), exist_ok=True)
    n = torch.export.Dim("n", min=2, max=1000)
    example = torch.randn(1, 12), torch.randn(50, 12)
    program = torch.export.export(Rerank().eval(), example, dynamic_shapes=(None, {0: n}))
    torch.export.save(program, PROGRAM)


if __name__ == "__main__":
    main()
