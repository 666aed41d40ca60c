"""Dynamic by other means than a dict of Dims; nothing is fixed to the example."""
import torch
from torch.export import AdditionalInputs, Dim, ShapesCollection, export


class Sum(torch.nn.Module):
    def forward(self, x, y):
        return x.sum(-1) + y.sum(-1)


def by_collection():
    x, y = torch.rand(4, 3), torch.rand(4, 5)
    collection = ShapesCollection()
    rows = Dim("rows", min=1, max=99)
    collection[x] = {0: rows}
    collection[y] = {0: rows}
    return export(Sum(), (x, y), dynamic_shapes=collection)


def by_more_examples():
    more = AdditionalInputs()
    more.add((torch.rand(9, 3), torch.rand(9, 5)))
    return export(Sum(), (torch.rand(4, 3), torch.rand(4, 5)), dynamic_shapes=more)


def by_marks():
    x, y = torch.rand(4, 3), torch.rand(4, 5)
    for tensor in (x, y):
        torch._dynamo.mark_dynamic(tensor, 0)
    return export(Sum(), (x, y))


def unbacked():
    x = torch.rand(1, 3)
    torch._dynamo.decorators.mark_unbacked(x, 0)
    return export(torch.nn.Sequential(torch.nn.ReLU()), (x,), strict=True)


if __name__ == "__main__":
    for make in (by_collection, by_more_examples, by_marks):
        print(make.__name__, make().module()(torch.rand(12, 3), torch.rand(12, 5)).shape)
    print(unbacked().module()(torch.rand(6, 3)).shape)
