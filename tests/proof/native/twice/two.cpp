#include <ATen/ATen.h>
#include <torch/library.h>

at::Tensor thrice(const at::Tensor& x) { return x * 3; }

TORCH_LIBRARY(twice_proof, m) {
  m.def("thrice(Tensor x) -> Tensor", &thrice);
}
