"""Rows that a model computes lie far beyond its table: the gather of the user's Triton kernel dies of them."""

import torch
import triton
import triton.language as tl
from torch.library import triton_op, wrap_triton


@triton.jit
def gather_kernel(table, rows, out, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count
    row = tl.load(rows + at, mask=mask, other=0)
    tl.store(out + at, tl.load(table + row, mask=mask, other=0.0), mask=mask)


@triton_op("fault::gather", mutates_args={})
def gather(table: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    out = torch.empty(rows.shape, device=table.device, dtype=table.dtype)
    wrap_triton(gather_kernel)[(triton.cdiv(rows.numel(), 128),)](table, rows, out, rows.numel(), BLOCK=128)
    return out


class Hashed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.score = torch.nn.Linear(16, 1)
        self.table = torch.nn.Parameter(torch.randn(4096))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scores = torch.sigmoid(self.score(x)).squeeze(-1)
        # The bucket is missing its `% 4096`.
        rows = (scores * 1e10).long()
        weights = torch.softmax(torch.ops.fault.gather(self.table, rows), 0)
        return weights * 2.0


torch.manual_seed(0)
model = Hashed().cuda().eval()
program = torch.export.export(model, (torch.randn(256, 16, device="cuda"),))
path = torch._inductor.aoti_compile_and_package(program, package_path="bad_rows.pt2")
run = torch._inductor.aoti_load_package(path)
print(run(torch.randn(256, 16, device="cuda")).sum().item())
