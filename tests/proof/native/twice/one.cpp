#include <ATen/core/Tensor.h>
#include <torch/library.h>

at::Tensor twice(const at::Tensor& x) { return x.mul(2); }

TORCH_LIBRARY(twice_proof, m) {
  m.def("twice(Tensor x) -> Tensor", &twice);
}
