import torch


@torch.library.custom_op("host_proof_python::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


class Net(torch.nn.Module):
    def forward(self, x):
        return twice(x) + 1


program = torch.export.export(Net(), (torch.ones(4),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
