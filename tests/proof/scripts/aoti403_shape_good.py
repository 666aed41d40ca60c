import torch


@torch.library.custom_op("proof::clip", mutates_args=())
def clip(x: torch.Tensor) -> torch.Tensor:
    return x.clamp(max=x.mean().item())


@clip.register_fake
def _(x):
    if x.dim() != 2 or x.dtype != torch.float32:
        raise ValueError("a matrix of float32")
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.clip(x) + 1


program = torch.export.export(Model(), (torch.randn(4, 8),))
print("shape", tuple(program.module()(torch.randn(4, 8)).shape))
