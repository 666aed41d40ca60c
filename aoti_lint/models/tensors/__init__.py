"""Tensors and arrays: sizes, dtypes, and what operations make of them."""
