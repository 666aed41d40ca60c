import torch


@torch.library.custom_op("proof::as_int", mutates_args=())
def as_int(x: torch.Tensor, n: int) -> torch.Tensor:
    return x.new_zeros(n, x.shape[0])


@as_int.register_fake
def _(x, n):
    return x.new_empty(int(n), x.shape[0])  # <- AOTI402


@torch.library.custom_op("proof::by_range", mutates_args=())
def by_range(x: torch.Tensor, n: int) -> torch.Tensor:
    return x.new_zeros(n, x.shape[0])


@by_range.register_fake
def _(x, n):
    return torch.stack([torch.empty_like(x) for _ in range(n)])  # <- AOTI402


library = torch.library.Library("proof", "FRAGMENT")
library.define("by_branch(Tensor x, SymInt n) -> Tensor")
library.impl("by_branch", lambda x, n: x.new_zeros(n, x.shape[0]), "CPU")


@torch.library.register_fake("proof::by_branch")
def _(x, n):
    return x.new_empty(n if n < 30 else 4, x.shape[0])  # <- AOTI402


class Model(torch.nn.Module):
    def __init__(self, op):
        super().__init__()
        self.op = op
        self.prior = torch.nn.Parameter(torch.zeros(5))

    def forward(self, x):
        return x + self.op(self.prior, x.shape[0])


class Branch(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.prior = torch.nn.Parameter(torch.zeros(5))

    def forward(self, x):
        return x + torch.ops.proof.by_branch(self.prior, x.shape[0])


for model in (Model(as_int), Model(by_range), Branch()):
    shapes = {"x": {0: torch.export.Dim.AUTO}}
    program = torch.export.export(model, (torch.randn(6, 5),), dynamic_shapes=shapes)
    print(program.range_constraints or "static")
