import torch


@torch.library.custom_op("b12x::engram_lookup", mutates_args=("out",))
def lookup_op(
    plan_handle: int,
    weight: torch.Tensor,
    scale_bytes: torch.Tensor,
    hashes: torch.Tensor,
    num_tokens: torch.Tensor,
    out: torch.Tensor,
    prepared_tokens: int,
    clear_tail: bool,
) -> None:
    from b12x.preparation.types import plan_from_handle, require_prepared

    state = require_prepared(
        plan_from_handle(plan_handle), "sequence.engram", weight.device
    )
    state.run_lookup(
        type(
            "_Binding",
            (),
            {
                "weight": weight,
                "scale_bytes": scale_bytes,
                "hash_ids": hashes,
                "num_tokens": num_tokens,
                "out": out,
            },
        )(),
        prepared_tokens,
        clear_tail=clear_tail,
    )


@lookup_op.register_fake
def _lookup_fake(*args, **kwargs):
    return None
