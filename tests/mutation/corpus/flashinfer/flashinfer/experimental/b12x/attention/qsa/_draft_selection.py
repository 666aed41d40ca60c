from _left_out import _record_kernel
import torch
from b12x._lib.compile_plan import launch_triton as _launch_triton
import triton


@torch.library.custom_op("b12x::qsa_validate_draft_buffers", mutates_args=("mutable",))
def validate_buffers(mutable: list[torch.Tensor], inputs: list[torch.Tensor]) -> None:
    from ._contract import _require_mutation_alias_contract

    _require_mutation_alias_contract(
        mutable=tuple((f"draft buffer {i}", t) for i, t in enumerate(mutable)),
        read_only=tuple((f"draft input {i}", t) for i, t in enumerate(inputs)),
    )


@validate_buffers.register_fake
def _validate_fake(mutable: list[torch.Tensor], inputs: list[torch.Tensor]) -> None:
    return None


@torch.library.custom_op("b12x::qsa_reset_draft_anchors", mutates_args=("storage",))
def reset_anchors(storage: torch.Tensor, count_offset: int) -> None:
    from ._contract import _scratch_view

    _scratch_view(
        storage, offset_bytes=count_offset, shape=(1,), dtype=torch.int32
    ).zero_()


@reset_anchors.register_fake
def _reset_fake(storage: torch.Tensor, count_offset: int) -> None:
    return None


@torch.library.custom_op(
    "b12x::qsa_record_draft_anchors",
    mutates_args=("storage",),
)
def record_anchors(
    positions: torch.Tensor,
    selection: torch.Tensor,
    storage: torch.Tensor,
    source_capacity: int,
    width: int,
    enabled: bool,
) -> None:
    from ._contract import DraftSelectionPlan

    state = DraftSelectionPlan(storage.device, source_capacity, width).bind(
        storage=storage
    )
    rows = int(positions.shape[0])
    _launch_triton(
        _record_kernel,
        (rows,),
        positions,
        state.logical_positions,
        state.num_source_rows,
        selection,
        state.selected_positions,
        rows,
        int(enabled),
        WIDTH=width,
        BLOCK=triton.next_power_of_2(width),
    )


@record_anchors.register_fake
def _record_fake(
    positions: torch.Tensor,
    selection: torch.Tensor,
    storage: torch.Tensor,
    source_capacity: int,
    width: int,
    enabled: bool,
) -> None:
    return None
