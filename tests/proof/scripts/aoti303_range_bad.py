"""A custom op whose output is half as large as its input, with a range in which that is 1."""

import torch

torch.manual_seed(0)


@torch.library.custom_op("proof::halve", mutates_args=())
def halve(x: torch.Tensor) -> torch.Tensor:
    return x[: x.shape[0] // 2].clone()


@halve.register_fake
def _(x):
    return x.new_empty((x.shape[0] // 2, x.shape[1]))


class Net(torch.nn.Module):
    def forward(self, x):
        return halve(x.relu()) + 1


batch = torch.export.Dim("batch", max=64)  # <- AOTI303
program = torch.export.export(Net(), (torch.randn(24, 8),), dynamic_shapes={"x": {0: batch}})
print("ranges", list(program.range_constraints.values()))
