"""The fake of an operator promises more columns than its kernel makes: a kernel after it writes over the heap."""

import torch


@torch.library.custom_op("fault::crop", mutates_args=())
def crop(x: torch.Tensor, width: int) -> torch.Tensor:
    return x[:, :width].clone()


@crop.register_fake
def _(x: torch.Tensor, width: int) -> torch.Tensor:
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(16, 512)
        self.last = torch.nn.Linear(512, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wide = torch.relu(self.first(x))
        narrow = torch.ops.fault.crop(wide, 8)
        return self.last(torch.tanh(narrow) * 3.0)


torch.manual_seed(0)
program = torch.export.export(Model(), (torch.randn(8, 16),))
path = torch._inductor.aoti_compile_and_package(program, package_path="wrong_size_fake.pt2")
run = torch._inductor.aoti_load_package(path)
for _ in range(20):
    out = run(torch.randn(8, 16))
print("done", tuple(out.shape))
