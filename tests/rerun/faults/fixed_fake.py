"""The fake of an operator promises the rows of the example input, whatever it is given: nothing reports the rest."""

import torch


@torch.library.custom_op("fault::scale", mutates_args=())
def scale(x: torch.Tensor) -> torch.Tensor:
    return x * x.abs().max()


@scale.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return x.new_empty(4, x.shape[1])


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.fault.scale(x.relu()).sin() + 1


torch.manual_seed(0)
program = torch.export.export(Model(), (torch.randn(4, 6),), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
path = torch._inductor.aoti_compile_and_package(program, package_path="fixed_fake.pt2")
out = torch._inductor.aoti_load_package(path)(torch.randn(9, 6))
print(tuple(out.shape))
