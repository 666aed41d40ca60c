"""Exported for float32, called with float64: the bytes are read as other numbers."""

import torch


class Model(torch.nn.Module):
    def forward(self, signal: torch.Tensor) -> torch.Tensor:
        return (signal * 2.0).clamp(-1.0, 1.0).sum(-1)


model = Model().eval()
batch = torch.export.Dim("batch", min=2, max=64)
program = torch.export.export(model, (torch.randn(4, 32),), dynamic_shapes={"signal": {0: batch}})
path = torch._inductor.aoti_compile_and_package(program, package_path="wrong_dtype.pt2")
signal = torch.linspace(-1.0, 1.0, 8 * 32, dtype=torch.float64).reshape(8, 32)
out = torch._inductor.aoti_load_package(path)(signal)
torch.testing.assert_close(out.double(), model(signal), rtol=1e-3, atol=1e-3)
