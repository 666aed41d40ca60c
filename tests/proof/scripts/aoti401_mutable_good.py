import torch


@torch.library.custom_op("proof::bump", mutates_args=("x",))
def bump(x: torch.Tensor) -> None:
    x.add_(1)


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        torch.ops.proof.bump(y)
        return y


program = torch.export.export(Model(), (torch.randn(2, 8),))
print("shape", tuple(program.module()(torch.randn(2, 8)).shape))
