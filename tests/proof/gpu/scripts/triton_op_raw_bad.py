import torch
import triton
import triton.language as tl


@triton.jit
def double(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


@torch.library.triton_op("proof::raw_twice", mutates_args={})
def twice(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    double[(4,)](x, out, x.numel(), BLOCK=64)  # <- AOTI516
    return out


class Net(torch.nn.Module):
    def forward(self, x):
        return twice(x) + 1


x = torch.ones(8, device="cuda")
print("eager", Net()(x).tolist()[0], flush=True)
torch.export.export(Net(), (x,))
