# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project

import torch


@torch.library.custom_op(
    "vllm::modelopt_block_embedding_chunked", mutates_args=("out",)
)
def _modelopt_block_embedding_chunked(
    weight: torch.Tensor, ids: torch.Tensor, out: torch.Tensor, plan_handle: int
) -> None:
    from b12x.preparation.types import plan_from_handle
    from b12x.sequence import embedding

    plan = plan_from_handle(plan_handle)
    capacity = plan.query.max_rows
    for start in range(0, ids.numel(), capacity):
        embedding.run(
            weight,
            ids[start : start + capacity],
            out=out[start : start + capacity],
            plan=plan,
        )


@_modelopt_block_embedding_chunked.register_fake
def _modelopt_block_embedding_chunked_fake(
    weight: torch.Tensor, ids: torch.Tensor, out: torch.Tensor, plan_handle: int
) -> None:
    return None
