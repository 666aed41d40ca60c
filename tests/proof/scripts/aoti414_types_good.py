import torch

from typing import List, Optional, Sequence


@torch.library.custom_op("proof::scale_", mutates_args={"x", "others"})
def scale_(
    x: torch.Tensor,
    others: List[torch.Tensor],
    by: int,
    sizes: Sequence[int],
    bias: Optional[torch.Tensor] = None,
    mode: str = "mean",
    dtype: torch.dtype = torch.float32,
    device: torch.device | None = None,
    names: "Optional[List[float]]" = None,
) -> None:
    x.mul_(by)


scale_(x := torch.ones(2), [], 3, [1, 2])
print("schema", torch.ops.proof.scale_.default._schema)
