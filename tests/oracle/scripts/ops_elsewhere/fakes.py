import ops
import torch


@torch.library.register_fake(ops.NAMESPACE + "::scaled")
def scaled_fake(x, factor):
    return torch.empty_like(x)
