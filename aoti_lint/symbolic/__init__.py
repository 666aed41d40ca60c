"""Functions tried on tensors whose sizes are open: the fakes of custom ops, and their kernels."""
