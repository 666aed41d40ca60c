"""Compiles a model of each kind of launch into the folder it runs in, and calls it once."""

import torch


@torch.library.custom_op("sample::narrow", mutates_args=())
def narrow(x: torch.Tensor) -> torch.Tensor:
    return x[:, :10].clone()


@narrow.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return x.new_empty(x.shape[0], 12)


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(10, 16)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        logs = torch.log(torch.relu(self.linear(x)) - 0.25)
        best, _ = torch.topk(logs, 3)
        return torch.ops.sample.narrow(logs).sin() * 2, best


if __name__ == "__main__":
    torch.manual_seed(0)
    batch = torch.export.Dim("batch", min=2, max=64)
    program = torch.export.export(Model(), (torch.randn(4, 10),), dynamic_shapes={"x": {0: batch}})
    package = torch._inductor.aoti_compile_and_package(program, package_path="sample.pt2")
    torch._inductor.aoti_load_package(package)(torch.randn(5, 10))
