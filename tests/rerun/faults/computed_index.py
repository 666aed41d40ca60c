"""A share of 1.0 falls behind the last of ten bins; the third request has one."""

import torch


class Calibrated(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(8, 4)
        self.register_buffer("table", torch.linspace(0, 1, 10).repeat(4, 1))

    def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        share = torch.sigmoid(self.layer(x) + bias)
        bins = (share * 10).floor().long()
        return torch.gather(self.table, 1, bins.sort(-1).values)


torch.manual_seed(0)
program = torch.export.export(Calibrated(), (torch.randn(4, 8), torch.zeros(4)))
path = torch._inductor.aoti_compile_and_package(program, package_path="computed_index.pt2")
model = torch._inductor.aoti_load_package(path)
for bias in (0.0, 1.0, 50.0):
    print(model(torch.randn(4, 8), torch.full((4,), bias)).sum())
