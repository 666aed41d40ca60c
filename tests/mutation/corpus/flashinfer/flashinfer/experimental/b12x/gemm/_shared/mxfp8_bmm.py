from enum import IntEnum
from typing import Optional, Tuple

import torch

from b12x.preparation.types import plan_from_handle, require_prepared


class _BMajor(IntEnum):
    """Contiguous physical axis of the right-hand operand."""

    K = 0
    N = 1


def _coerce_b_major(b_major: str | _BMajor | int) -> _BMajor:
    if isinstance(b_major, str):
        try:
            return {"k": _BMajor.K, "n": _BMajor.N}[b_major.lower()]
        except KeyError as exc:
            raise ValueError(f"b_major must be 'k' or 'n', got {b_major!r}") from exc
    try:
        return _BMajor(int(b_major))
    except (TypeError, ValueError) as exc:
        raise ValueError(f"b_major must be 'k' or 'n', got {b_major!r}") from exc


@torch.library.custom_op("b12x::bmm_mxfp8", mutates_args=("out",))
def _op(
    lhs: torch.Tensor,
    b_values: torch.Tensor,
    b_scales: torch.Tensor,
    out: torch.Tensor,
    b_major: int,
    plan_handle: int,
    stream_int: Optional[int] = None,
) -> None:
    state = require_prepared(plan_from_handle(plan_handle), "gemm.bmm", lhs.device)
    major = _coerce_b_major(b_major).name.lower()
    state.run(
        lhs, (b_values, b_scales), out, b_major=major, sf_axis=major, stream=stream_int
    )


@_op.register_fake
def _fake(
    lhs: torch.Tensor,
    b_values: torch.Tensor,
    b_scales: torch.Tensor,
    out: torch.Tensor,
    b_major: int,
    plan_handle: int,
    stream_int: Optional[int] = None,
) -> None:
    del lhs, b_values, b_scales, out, b_major, plan_handle, stream_int


@torch.library.custom_op("b12x::mla_query_projection_mxfp8", mutates_args=("out",))
def _mla_query_projection_op(
    lhs: torch.Tensor,
    b_values: torch.Tensor,
    b_scales: torch.Tensor,
    q_pe: torch.Tensor,
    q_scale: Optional[torch.Tensor],
    out: torch.Tensor,
    b_major: int,
    plan_handle: int,
    stream_int: Optional[int] = None,
) -> None:
    state = require_prepared(
        plan_from_handle(plan_handle), "gemm.mla_query_projection", lhs.device
    )
    del b_major
    state.run(lhs, (b_values, b_scales), q_pe, out, q_scale=q_scale, stream=stream_int)


@_mla_query_projection_op.register_fake
def _mla_query_projection_fake(
    lhs: torch.Tensor,
    b_values: torch.Tensor,
    b_scales: torch.Tensor,
    q_pe: torch.Tensor,
    q_scale: Optional[torch.Tensor],
    out: torch.Tensor,
    b_major: int,
    plan_handle: int,
    stream_int: Optional[int] = None,
) -> None:
    del lhs, b_values, b_scales, q_pe, q_scale, out, b_major, plan_handle, stream_int
