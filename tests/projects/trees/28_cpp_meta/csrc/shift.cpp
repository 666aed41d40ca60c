// Operators of the package; the Meta kernels live here too, so Python registers nothing.
#include <torch/extension.h>
#include <torch/library.h>

namespace {

at::Tensor band_shift(const at::Tensor& x, int64_t by) {
  return at::roll(x, {by}, {-1}).contiguous();
}

at::Tensor band_shift_meta(const at::Tensor& x, int64_t by) {
  return at::empty_symint(x.sym_sizes(), x.options());
}

}  // namespace

TORCH_LIBRARY(bands, m) {
  m.def("shift(Tensor x, int by) -> Tensor");
}

TORCH_LIBRARY_IMPL(bands, CPU, m) {
  m.impl("shift", &band_shift);
}

TORCH_LIBRARY_IMPL(bands, Meta, m) {
  m.impl("shift", &band_shift_meta);
}
