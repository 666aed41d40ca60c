"""A collection is filled, and then not handed over."""
import torch
from torch.export import Dim, ShapesCollection, export


class Sum(torch.nn.Module):
    def forward(self, x, y):
        return x.sum(-1) + y.sum(-1)


def by_collection():
    x, y = torch.rand(4, 3), torch.rand(4, 5)
    collection = ShapesCollection()
    rows = Dim("rows", min=1, max=99)
    collection[x] = {0: rows}
    collection[y] = {0: rows}
    return export(Sum(), (x, y))


if __name__ == "__main__":
    print(by_collection().module()(torch.rand(12, 3), torch.rand(12, 5)).shape)
