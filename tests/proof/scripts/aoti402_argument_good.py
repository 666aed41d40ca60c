import torch


@torch.library.custom_op("proof::groups", mutates_args=())
def groups(x: torch.Tensor, n: int) -> torch.Tensor:
    return x.new_zeros(x.shape[0], n)


@groups.register_fake
def _(x, n):
    # A number in every call: nothing is held.
    parts = [x.new_empty(x.shape[0], 1) for _ in range(int(n))]
    return torch.cat(parts, dim=1)


@torch.library.custom_op("proof::rows", mutates_args=())
def rows(x: torch.Tensor, n: int) -> torch.Tensor:
    return x.new_zeros(n, x.shape[0])


@rows.register_fake
def _(x, n):
    if n == 0:
        raise ValueError("no rows")
    return x.new_empty(n, x.shape[0])


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.prior = torch.nn.Parameter(torch.zeros(5))

    def forward(self, x):
        return groups(x, 5) + rows(self.prior, x.shape[0])


batch = torch.export.Dim("batch", min=2, max=64)
program = torch.export.export(Model(), (torch.randn(6, 5),), dynamic_shapes={"x": {0: batch}})
print("shape", tuple(program.module()(torch.randn(9, 5)).shape))
