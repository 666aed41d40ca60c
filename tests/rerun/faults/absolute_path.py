"""The package has an absolute path; its square root of negative numbers makes NaN."""

import os

import torch

PACKAGE = os.path.abspath("absolute_path.pt2")


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        distances = torch.sqrt((x @ y) - 1.0)
        return torch.cumsum(distances, 0).max()


torch.manual_seed(0)
program = torch.export.export(Model(), (torch.randn(6, 6), torch.randn(6, 6)))
torch._inductor.aoti_compile_and_package(program, package_path=PACKAGE)
assert os.path.isfile(PACKAGE)
out = torch._inductor.aoti_load_package(PACKAGE)(torch.randn(6, 6), torch.randn(6, 6))
if torch.isnan(out):
    raise FloatingPointError("the largest distance is NaN")
