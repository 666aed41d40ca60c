import torch


@torch.library.custom_op("proof::last", mutates_args=())
def last(x: torch.Tensor) -> torch.Tensor:
    return x.relu().contiguous(memory_format=torch.channels_last)


@last.register_fake
def _(x):
    return torch.empty_like(x, memory_format=torch.channels_last)


@torch.compile
def run(x):
    return torch.ops.proof.last(x) + 1


x = torch.randn(2, 3, 4, 5)
print("equal", torch.equal(run(x), x.relu() + 1))
