"""What operations do to sizes, data and memory, by their names."""

from __future__ import annotations

READS = frozenset({"item", "tolist", "numpy", "data_ptr", "__bool__", "__int__", "__float__", "__array__"})
"""Methods of a tensor that need its data."""
VIEWS = frozenset({
    "view", "expand", "transpose", "t", "permute", "squeeze", "unsqueeze", "narrow", "select", "chunk", "split",
    "split_with_sizes", "tensor_split", "unbind", "detach", "view_as", "expand_as", "unfold", "diagonal", "movedim",
    "swapaxes", "swapdims", "hsplit", "vsplit", "dsplit", "unflatten", "alias", "as_strided", "adjoint",
})  # fmt: skip
"""Operations whose result shares the memory of their input."""
MAYBE_VIEWS = frozenset({"reshape", "flatten", "contiguous", "to", "type", "float", "half", "bfloat16", "double",
                         "cpu", "cuda", "type_as", "reshape_as", "ravel"})  # fmt: skip
"""Operations that give their input itself, or a view of it, where nothing has to change."""
KEEPING_VALUES = frozenset({
    "unsqueeze", "squeeze", "view", "reshape", "expand", "expand_as", "repeat", "to", "long", "int", "type", "type_as",
    "contiguous", "clone", "detach", "cpu", "cuda", "flip",
})  # fmt: skip
"""Operations whose result has the numbers that their input has, in another form or order."""
BY_DATA = frozenset({"nonzero", "unique", "unique_consecutive", "masked_select", "argwhere", "bincount"})
"""Operations whose result has a size that the data decides."""
