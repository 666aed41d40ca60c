import torch

from registration import direct_register_custom_op


def gather_pages(cache: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    return cache[table].flatten(1, 2)


def gather_pages_fake(cache: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    return cache.new_empty((table.shape[0], table.shape[1] * cache.shape[1], cache.shape[2]))


def score_pages(query: torch.Tensor, pages: torch.Tensor) -> torch.Tensor:
    return torch.einsum("bd,bnd->bn", query, pages) * query.shape[-1] ** -0.5


direct_register_custom_op("gather_pages", gather_pages, fake_impl=gather_pages_fake)
direct_register_custom_op(
    op_name="score_pages",
    op_func=score_pages,
    mutates_args=[],
)
