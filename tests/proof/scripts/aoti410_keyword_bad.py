import torch

library = torch.library.Library("proof", "DEF")
library.define("shift(Tensor x, *, SymInt by) -> Tensor")
library.impl("shift", lambda x, *, by: x + by, "CPU")


@torch.library.register_fake("proof::shift")
def _(x, *, amount):  # <- AOTI410
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.shift(x, by=3)


program = torch.export.export(Net(), (torch.randn(4),))
print("shape", tuple(program.module()(torch.randn(4)).shape))
