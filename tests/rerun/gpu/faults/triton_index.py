"""A Triton kernel mixes up rows and columns: it reads far beyond its table."""

import torch
import triton
import triton.language as tl
from torch.library import triton_op, wrap_triton


@triton.jit
def fetch_kernel(table, rows, out, count, width, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count * width
    row = tl.load(rows + at // width, mask=mask, other=0)
    # It should be row * width + at % width.
    value = tl.load(table + row * width * count * 4096 + at % width, mask=mask, other=0.0)
    tl.store(out + at, value, mask=mask)


@triton_op("fault::fetch", mutates_args={})
def fetch(table: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    out = torch.empty(rows.shape[0], table.shape[1], device=table.device, dtype=table.dtype)
    grid = (triton.cdiv(out.numel(), 128),)
    wrap_triton(fetch_kernel)[grid](table, rows, out, rows.shape[0], table.shape[1], BLOCK=128)
    return out


class Embed(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = torch.nn.Parameter(torch.randn(1000, 64))
        self.mix = torch.nn.Linear(64, 64)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        shifted = (tokens * 7 + 3) % 1000
        found = torch.ops.fault.fetch(torch.tanh(self.table), shifted)
        return torch.relu(self.mix(found)) + 1.0


torch.manual_seed(0)
model = Embed().cuda().eval()
program = torch.export.export(model, (torch.randint(0, 1000, (256,), device="cuda"),))
path = torch._inductor.aoti_compile_and_package(program, package_path="triton_index.pt2")
run = torch._inductor.aoti_load_package(path)
print(run(torch.randint(0, 1000, (256,), device="cuda")).sum().item())
