"""Of the kernels of an encoder, the third makes NaN: a variance that is negative by rounding goes into a root."""

import torch


class Encoder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(32, 64)
        self.second = torch.nn.Linear(64, 64)
        self.third = torch.nn.Linear(64, 64)
        self.head = torch.nn.Linear(64, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.first(x))
        x = torch.tanh(self.second(x))
        x = self.third(x)
        spread = torch.sqrt(x.mean(-1, keepdim=True) ** 2 - (x**2).mean(-1, keepdim=True))
        x = x / (spread + 1e-5)
        return torch.softmax(self.head(x), -1)


torch.manual_seed(0)
model = Encoder().cuda().eval()
batch = torch.export.Dim("batch", min=2, max=4096)
program = torch.export.export(model, (torch.randn(8, 32, device="cuda"),), dynamic_shapes={"x": {0: batch}})
path = torch._inductor.aoti_compile_and_package(program, package_path="third_kernel_nan.pt2")
out = torch._inductor.aoti_load_package(path)(torch.randn(64, 32, device="cuda"))
assert not torch.isnan(out).any(), "the probabilities are NaN"
