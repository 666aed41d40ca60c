import torch
from torch import Tensor
from torch.library import custom_op


@custom_op("fairlab::rank_rows", mutates_args=())
def rank_rows(scores: Tensor) -> Tensor:
    return scores.argsort(-1).argsort(-1)


@rank_rows.register_fake
def _(scores):
    return torch.empty_like(scores, dtype=torch.int64)
