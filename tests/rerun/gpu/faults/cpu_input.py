"""A package for a GPU gets a batch that a loader left on the CPU."""

import torch


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(10, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.layers(features).sigmoid()


def batches() -> "torch.utils.data.DataLoader[torch.Tensor]":
    return torch.utils.data.DataLoader(torch.randn(16, 10), batch_size=8)


torch.manual_seed(0)
model = Net().cuda().eval()
program = torch.export.export(model, (torch.randn(8, 10, device="cuda"),))
path = torch._inductor.aoti_compile_and_package(program, package_path="cpu_input.pt2")
run = torch._inductor.aoti_load_package(path)
for batch in batches():
    print(run(batch))
