import torch
import triton
import triton.language as tl


@triton.jit
def double(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


class Net(torch.nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        torch.library.wrap_triton(double)[(4,)](x, out, x.numel(), BLOCK=64)
        return out + 1


x = torch.ones(8, device="cuda")
program = torch.export.export(Net(), (x,))
print("exported", flush=True)
path = torch._inductor.aoti_compile_and_package(program)
run = torch._inductor.aoti_load_package(path)
print("equal", torch.equal(run(x), x * 2 + 1))
