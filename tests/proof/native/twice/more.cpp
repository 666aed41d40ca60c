#include <ATen/core/Tensor.h>
#include <torch/library.h>

at::Tensor half(const at::Tensor& x) { return x.div(2); }

TORCH_LIBRARY_FRAGMENT(twice_proof, m) {
  m.def("half(Tensor x) -> Tensor", &half);
}
