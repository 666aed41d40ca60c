"""Operations for which the exporter to ONNX by `torch.export` has no translation: each ends in a `ConversionError`.

Each was exported on torch 2.13 with onnxscript 0.7.2: `No ONNX function found for <OpOverload …>`. Those that are taken
apart into others, or translated for some of their arguments only, are not here.
"""

from __future__ import annotations

_OF = {
    "torch": "cdist cholesky cholesky_inverse cholesky_solve copysign cummax cummin cumprod digamma erfinv fmax fmin "
    "frexp gcd geqrf histogram hypot i0 igamma igammac index_reduce inverse kthvalue lcm lgamma lu masked_select "
    "matrix_exp median mode mvlgamma nanmedian nextafter orgqr pca_lowrank pinverse poisson polygamma qr randperm "
    "searchsorted slogdet svd svd_lowrank triangular_solve vander",
    "torch.linalg": "cholesky eig eigh eigvals eigvalsh householder_product inv inv_ex lu lu_factor matrix_exp "
    "matrix_rank pinv qr slogdet solve solve_triangular svd svdvals tensorinv vander",
    "torch.nn.functional": "fractional_max_pool2d pdist rrelu",
    "torch.special": "airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 digamma erfinv gammaln i0 i0e i1 i1e "
    "modified_bessel_i0 ndtri psi",
}
_METHODS = (
    "cholesky cholesky_inverse cholesky_solve copysign cummax cummin cumprod digamma erfinv fmax fmin frexp gcd geqrf "
    "histogram hypot i0 igamma igammac index_reduce inverse kthvalue lcm lgamma lu masked_select matrix_exp median "
    "mode mvlgamma nanmedian nextafter orgqr pinverse polygamma qr slogdet svd triangular_solve"
)
TOLD = {("Tensor", name): f"torch.Tensor.{name}" for name in _METHODS.split()}
"""Methods of tensors, with what a call of one is told as."""
OPERATIONS = frozenset(f"{space}.{name}" for space, names in _OF.items() for name in names.split()) | set(TOLD.values())
"""All of them, by their names."""
