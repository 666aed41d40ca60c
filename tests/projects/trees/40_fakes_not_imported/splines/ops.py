import torch


@torch.library.custom_op("splines40::evaluate", mutates_args=())
def evaluate(knots: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
    place = (at * (knots.shape[0] - 1)).clamp(0, knots.shape[0] - 1.001)
    low = place.long()
    return torch.lerp(knots[low], knots[low + 1], place - low)
