#include <ATen/core/Tensor.h>
#include <torch/library.h>

at::Tensor thrice(const at::Tensor& x) { return x.mul(3); }

TORCH_LIBRARY(twice_proof, m) {
  m.def("thrice(Tensor x) -> Tensor", &thrice);
}
