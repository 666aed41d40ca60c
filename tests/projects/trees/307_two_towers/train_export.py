import torch

from shapes import dims_for
from towers import Ranking, Retrieval


def export(model, rows):
    inputs = tuple(torch.randn(n, f) for n, f in zip(rows, (12, 20)))
    return torch.export.export(model.eval(), inputs, dynamic_shapes=dims_for("queries", "documents"))


retrieval = export(Retrieval(), (4, 30))
print(retrieval.module()(torch.randn(3, 12), torch.randn(8, 20)).shape)
ranking = export(Ranking(), (4, 4))
print(ranking.module()(torch.randn(6, 12), torch.randn(6, 20)).shape)
