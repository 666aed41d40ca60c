"""Exported for a batch of four, called with eight: the package computes four of them."""

import torch


class Model(torch.nn.Module):
    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        return torch.relu(batch * 2.0).sum(-1)


torch.manual_seed(0)
model = Model().eval()
program = torch.export.export(model, (torch.randn(4, 16),))
path = torch._inductor.aoti_compile_and_package(program, package_path="static_batch.pt2")
batch = torch.randn(8, 16)
out = torch._inductor.aoti_load_package(path)(batch)
assert out.shape == (8,), f"there are {out.shape[0]} results for {batch.shape[0]} inputs"
