import torch


@torch.compile(backend="eager")
def joined(left, right):
    return left @ right  # <- AOTI521


right = torch.randn(6, 4)
torch._dynamo.mark_dynamic(right, 0)
joined(torch.randn(3, 6), right)
