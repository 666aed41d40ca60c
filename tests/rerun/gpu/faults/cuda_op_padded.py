"""An operator in CUDA takes the stride of a padded layout for rows that have none: it writes far beyond its tensor."""

import torch
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>

__global__ void prefix_rows(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int column = 0; column < columns; column++) {
    out[row * (columns << 14) + column] = sum;
    sum += in[row * columns + column];
  }
}

at::Tensor prefix(const at::Tensor& in) {
  auto out = at::empty_like(in);
  int rows = in.size(0), columns = in.size(1);
  prefix_rows<<<(rows + 127) / 128, 128, 0, c10::cuda::getCurrentCUDAStream()>>>(
      in.data_ptr<float>(), out.data_ptr<float>(), rows, columns);
  return out;
}

TORCH_LIBRARY(fault, m) { m.def("prefix(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(fault, CUDA, m) { m.impl("prefix", &prefix); }
"""

load_inline("fault_prefix_padded", cpp_sources="", cuda_sources=SOURCE, is_python_module=False, with_cuda=True)


@torch.library.register_fake("fault::prefix")
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


class Sums(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(64, 128)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.fault.prefix(torch.sigmoid(self.layer(x))).sin() + 1


torch.manual_seed(0)
model = Sums().cuda().eval()
x = torch.randn(512, 64, device="cuda")
program = torch.export.export(model, (x,))
path = torch._inductor.aoti_compile_and_package(program, package_path="cuda_op_padded.pt2")
out = torch._inductor.aoti_load_package(path)(x)
torch.cuda.synchronize()
print(out.shape)
