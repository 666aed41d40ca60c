import torch


@torch.library.custom_op("proof::wave", mutates_args=())  # <- AOTI401
def wave(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.wave(x) + 1


program = torch.export.export(Model(), (torch.randn(2, 8),))
print("shape", tuple(program.module()(torch.randn(2, 8)).shape))
