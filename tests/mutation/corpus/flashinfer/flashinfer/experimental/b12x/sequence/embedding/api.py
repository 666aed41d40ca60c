import torch

from b12x.preparation.types import plan_from_handle, require_prepared


@torch.library.custom_op("b12x::embedding_out", mutates_args=("out",))
def _embedding_out(
    weight: torch.Tensor,
    ids: torch.Tensor,
    out: torch.Tensor,
    plan_handle: int,
    num_rows: torch.Tensor | None = None,
) -> None:
    require_prepared(
        plan_from_handle(plan_handle), "sequence.embedding", weight.device
    ).run(
        weight,
        ids,
        out=out,
        num_rows=num_rows,
    )


@_embedding_out.register_fake
def _embedding_out_fake(
    weight: torch.Tensor,
    ids: torch.Tensor,
    out: torch.Tensor,
    plan_handle: int,
    num_rows: torch.Tensor | None = None,
) -> None:
    return None
