from dataclasses import dataclass

import torch

from b12x.preparation import (
    FrozenMapping,
    MemoryRequirements,
    Plan,
    make_fixed_contract,
)
from b12x.preparation.types import plan_from_handle, require_prepared


@dataclass(frozen=True, kw_only=True)
class Query:
    max_elements: int
    input_dtype: str
    output_dtype: str

    def __post_init__(self):
        if type(self.max_elements) is not int or not 0 <= self.max_elements < 2**63:
            raise ValueError("cast capacity must be a nonnegative Int64 extent")
        if self.input_dtype not in ("bfloat16", "float32") or self.output_dtype not in (
            "bfloat16",
            "float32",
        ):
            raise TypeError("cast requires BF16/FP32 input and output")


TUNING = make_fixed_contract(
    component_id="attention.compressed_sparse_mla.cast",
    query_type=Query,
    backend="cute",
)


@torch.library.custom_op("b12x::compressed_mla_cast", mutates_args=("out",))
def _cast_op(x: torch.Tensor, out: torch.Tensor, plan_handle: int) -> None:
    require_prepared(plan_from_handle(plan_handle), TUNING.component_id, x.device).run(
        x, out=out
    )


@_cast_op.register_fake
def _cast_fake(x: torch.Tensor, out: torch.Tensor, plan_handle: int) -> None:
    return None
