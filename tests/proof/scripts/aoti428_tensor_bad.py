import torch


@torch.library.custom_op("proof::shift428", mutates_args=())  # <- AOTI428
def shift(x: torch.Tensor, by: torch.Tensor = None) -> torch.Tensor:
    return x + 1 if by is None else x + by


@shift.register_fake
def _(x, by=None):
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return shift(x)


program = torch.export.export(Net(), (torch.ones(3),))
package = torch._inductor.aoti_compile_and_package(program, package_path="net428_tensor.pt2")
print("compiled")
print("result", torch._inductor.aoti_load_package(package)(torch.ones(3)).tolist())
