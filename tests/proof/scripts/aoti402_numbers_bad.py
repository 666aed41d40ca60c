import torch


@torch.library.custom_op("proof::by_int", mutates_args=())
def by_int(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@by_int.register_fake
def _(x):
    return x.new_empty((int(x.shape[0]), x.shape[1]))  # <- AOTI402


@torch.library.custom_op("proof::by_len", mutates_args=())
def by_len(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@by_len.register_fake
def _(x):
    return x.new_empty((len(x), x.shape[1]))  # <- AOTI402


@torch.library.custom_op("proof::by_range", mutates_args=())
def by_range(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@by_range.register_fake
def _(x):
    rows = [x.new_empty((1, x.shape[1])) for _ in range(x.shape[0])]  # <- AOTI402
    return torch.cat(rows)


@torch.library.custom_op("proof::by_format", mutates_args=())
def by_format(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@by_format.register_fake
def _(x):
    name = "%d rows" % x.shape[0]  # <- AOTI402
    return torch.empty_like(x, memory_format=torch.contiguous_format if name else None)


class Model(torch.nn.Module):
    def __init__(self, op):
        super().__init__()
        self.op = op

    def forward(self, x):
        return self.op(x) + 1


for op in (by_int, by_len, by_range, by_format):
    shapes = {"x": {0: torch.export.Dim.AUTO}}
    program = torch.export.export(Model(op), (torch.randn(4, 8),), dynamic_shapes=shapes)
    print("open" if program.range_constraints else "static", op)
