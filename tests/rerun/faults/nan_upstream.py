"""A logarithm of negative numbers makes NaN; two kernels later the result is checked."""

import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(16, 32)
        self.middle = torch.nn.Linear(32, 32)
        self.last = torch.nn.Linear(32, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scores = torch.sigmoid(self.first(x))
        levels = torch.log(scores - 0.5)
        mixed = torch.tanh(self.middle(levels)) + 1.0
        return torch.softmax(self.last(mixed), -1)


torch.manual_seed(0)
program = torch.export.export(Model(), (torch.randn(4, 16),))
path = torch._inductor.aoti_compile_and_package(program, package_path="nan_upstream.pt2")
out = torch._inductor.aoti_load_package(path)(torch.randn(4, 16))
assert not torch.isnan(out).any(), "the probabilities are NaN"
