// Ops whose Meta kernels read what they should not, or what they may. `prove.py` compiles and exports them.
#include <torch/library.h>
#include <ATen/ATen.h>

using at::Tensor;

Tensor kernel(const Tensor& x) { return x * 2; }

// ---------------------------------------------------------------- what specialises

Tensor size_meta(const Tensor& x) {
  return at::empty({x.size(0), 8}, x.options());  // <- AOTI421
}
Tensor sizes_meta(const Tensor& x) {
  return at::empty(x.sizes(), x.options());  // <- AOTI421
}
Tensor static_size_meta(const Tensor& x) {
  return at::empty_symint({x.sym_size(0), x.size(1)}, x.options());  // <- AOTI421
}
Tensor check_meta(const Tensor& x) {
  TORCH_CHECK(x.size(1) == 8, "x has 8 columns");  // <- AOTI421
  return at::empty_like(x);
}
Tensor rank_of_sizes_meta(const Tensor& x) {
  TORCH_CHECK(x.sizes().size() == 2, "x is a matrix");  // <- AOTI421
  return at::empty_like(x);
}
Tensor view_meta(const Tensor& x) {
  const auto y = x.contiguous();
  return at::empty_like(y.view({y.size(0), 4, 2}).reshape({-1, 8}));  // <- AOTI421
}

// ---------------------------------------------------------------- what raises

Tensor numel_meta(const Tensor& x) {
  TORCH_CHECK(x.numel() > 0, "x is not empty");  // <- AOTI421
  return at::empty_like(x);
}
Tensor nbytes_meta(const Tensor& x) {
  TORCH_CHECK(x.nbytes() > 0, "x is not empty");  // <- AOTI421
  return at::empty_like(x);
}
Tensor item_meta(const Tensor& x) {
  return at::full_symint(x.sym_sizes(), x.sum().item<double>() + x.item<double>(), x.options());  // <- AOTI421
}
Tensor data_meta(const Tensor& x) {
  TORCH_CHECK(x.data_ptr<float>() != nullptr, "x has data");  // <- AOTI421
  return at::empty_like(x);
}

// ---------------------------------------------------------------- what is right

Tensor sym_size_meta(const Tensor& x) {
  return at::empty_symint({x.sym_size(0), 8}, x.options());
}
Tensor sym_sizes_meta(const Tensor& x) {
  return at::empty_symint(x.sym_sizes(), x.options());
}
Tensor sym_numel_meta(const Tensor& x) {
  TORCH_CHECK(x.sym_numel() > 0, "x is not empty");
  return at::empty_like(x);
}
Tensor like_meta(const Tensor& x) {
  TORCH_CHECK(x.dim() == 2 && x.is_contiguous(), "x is a matrix");
  return at::empty_like(x.contiguous());
}
Tensor const_data_meta(const Tensor& x) {
  (void)x.const_data_ptr<float>();
  return at::empty_like(x);
}
Tensor strides_meta(const Tensor& x) {
  TORCH_CHECK(x.stride(1) == 1 && x.strides()[0] == 8, "rows lie one after the other");
  return at::empty_like(x);
}

// ---------------------------------------------------------------- kernels that are traced

Tensor composite(const Tensor& x) { return at::zeros(x.sizes(), x.options()); }
Tensor sym_composite(const Tensor& x) { return at::zeros_symint(x.sym_sizes(), x.options()); }

#define EACH(X)                                                                                                   \
  X(size) X(sizes) X(static_size) X(check) X(rank_of_sizes) X(view) X(numel) X(nbytes) X(item) X(data) X(sym_size) \
  X(sym_sizes) X(sym_numel) X(like) X(const_data) X(strides)
#define DEFINE(name) m.def(#name "(Tensor x) -> Tensor");
#define KERNEL(name) m.impl(#name, &kernel);
#define META(name) m.impl(#name, &name##_meta);

TORCH_LIBRARY(native, m) {
  EACH(DEFINE)
  m.def("composite(Tensor x) -> Tensor", &composite);
  m.def("sym_composite", &sym_composite);
  m.def("explicit(Tensor x) -> Tensor");
  m.def("no_fake(Tensor x) -> Tensor");
}
TORCH_LIBRARY_IMPL(native, CPU, m) {
  EACH(KERNEL)
  m.impl("no_fake", &kernel);
}
TORCH_LIBRARY_IMPL(native, Meta, m) { EACH(META) }
TORCH_LIBRARY_IMPL(native, CompositeExplicitAutograd, m) { m.impl("explicit", &composite); }
