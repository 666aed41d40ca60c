import torch


@torch.library.custom_op("proof::bump", mutates_args=())  # <- AOTI401
def bump(x: torch.Tensor) -> None:
    print(x.sum())


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        torch.ops.proof.bump(y)
        return y


program = torch.export.export(Model(), (torch.randn(2, 8),))
print("shape", tuple(program.module()(torch.randn(2, 8)).shape))
