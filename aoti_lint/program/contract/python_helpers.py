"""The functions that a generated Python file ends with, those of them that it calls.

They are text, not code of ours: the file must stand alone. What they take is a tensor by its looks: `shape`, `dtype`,
`device`, and `stride()` or, as numpy has it, `strides` in bytes.
"""

from __future__ import annotations

HELPERS = {
    "_dict": '''
def _dict(problems: list[str], name: str, value: Any, kind: str, keys: list[Any]) -> bool:
    """Whether an argument is a dict with these keys."""
    if type(value).__name__ != kind:
        problems.append(f"{name} is {_kind(value)}; this model takes a {kind} here")
        return False
    if set(value) != set(keys):
        problems.append(f"{name} has the keys {list(value)}; this model takes {keys}")
        return False
    return True
''',
    "_order": '''
def _order(problems: list[str], name: str, value: Any, keys: list[Any]) -> bool:
    """Tell of keys in another order: the package takes the tensors in the order of the dict."""
    given = [key for key in value if key in keys]
    if given != keys:
        problems.append(
            f"{name} has its keys in the order {given}; the package does not look at them, it takes "
            f"the tensors in the order {keys}"
        )
    return True
''',
    "_sequence": '''
def _sequence(problems: list[str], name: str, value: Any, kind: type[Any], count: int) -> bool:
    """Whether an argument is a list or tuple of so many."""
    if type(value) is not kind:
        problems.append(
            f"{name} is {_kind(value)}; this model takes a {kind.__name__} of {count} here"
        )
        return False
    if len(value) != count:
        problems.append(f"{name} has {len(value)} items; this model takes {count}")
        return False
    return True
''',
    "_fields": '''
def _fields(problems: list[str], name: str, value: Any, fields: list[Any]) -> bool:
    """Whether an argument has these fields, as a named tuple or dataclass has."""
    missing = [field for field in fields if isinstance(field, str) and not hasattr(value, field)]
    if missing or hasattr(value, "dtype"):
        problems.append(
            f"{name} is {_kind(value)}; this model takes an object with the fields {fields}"
        )
        return False
    return True
''',
    "_fixed": '''
def _fixed(problems: list[str], name: str, value: Any, fixed: Any) -> None:
    """Tell of a value that is not the one the model was exported with."""
    same = value is fixed or (not hasattr(value, "dtype") and fixed is not None and value == fixed)
    if not same and not (value != value and fixed != fixed):
        shown = f"{value!r:.80}" if not hasattr(value, "dtype") else "tensor"
        problems.append(
            f"{name} was fixed to {fixed!r} when the model was exported; the package ignores the {shown} you pass"
        )
''',
    "_whole": '''
def _whole(problems: list[str], name: str, value: Any) -> None:
    """Tell of something that is no whole number."""
    if not isinstance(value, int):
        problems.append(f"{name} is {type(value).__name__}; this model takes a whole number here")
''',
    "_tensor": '''
def _tensor(
    problems: list[str],
    name: str,
    value: Any,
    dtype: str | None,
    device: str | None,
    sizes: tuple[int | None, ...] | None,
) -> bool:
    """Whether an argument is a tensor with so many dims; tell of whatever else is wrong with it too."""
    if not (hasattr(value, "shape") and hasattr(value, "dtype")):
        problems.append(f"{name} is {_kind(value)}; this model takes a tensor here")
        return False
    if dtype is not None and _word(value.dtype) != dtype:
        problems.append(f"{name} is {_word(value.dtype)}; this model takes {dtype}")
    where = str(getattr(value, "device", "cpu")).partition(":")[0]
    if device is not None and where != device:
        problems.append(f"{name} is on {where}; this model takes it on {device}")
    if _word(getattr(value, "layout", "strided")) != "strided":
        problems.append(
            f"{name} has the layout {_word(value.layout)}; this model takes dense tensors"
        )
        return False
    if sizes is None:
        return True
    shape = tuple(value.shape)
    if len(shape) != len(sizes):
        problems.append(f"{name} has {len(shape)} dims {shape}; this model takes {len(sizes)}")
        return False
    for dim, (size, wanted) in enumerate(zip(shape, sizes)):
        if wanted is not None and size != wanted:
            problems.append(
                f"{name}: dim {dim} is {size}; it was fixed to {wanted} when the model was exported"
            )
    return True
''',
    "_solve": '''
def _solve(problems: list[str], name: str, size: int, factor: int, wanted: str) -> int:
    """What must be multiplied by the factor to give the size; tell if nothing can be."""
    result, rest = divmod(size, factor)
    if rest:
        problems.append(f"{name} does not fit: it must be of the form {wanted}")
    return result
''',
    "_holds": '''
def _holds(condition: Any) -> bool:
    """Whether a condition holds; it does not where it divides by a size of 0."""
    try:
        return bool(condition())
    except ZeroDivisionError:
        return False
''',
    "_strides": '''
def _strides(problems: list[str], name: str, value: Any, wanted: tuple[int | None, ...]) -> None:
    """Tell of a tensor that lies in memory in another way; where a dim has one element, its stride does not matter."""
    shape = tuple(value.shape)
    if 0 in shape or any(problem.startswith(f"{name}: dim ") for problem in problems):
        return  # strides follow from sizes
    strides = (
        value.stride() if hasattr(value, "stride") else [n // value.itemsize for n in value.strides]
    )
    if any(
        size != 1 and has != want and want is not None
        for size, has, want in zip(shape, strides, wanted)
    ):
        problems.append(
            f"{name} has the strides {tuple(strides)}; the model was compiled for {wanted} and reads them so: "
            "copy it into that layout, by .contiguous() if it was compiled for a contiguous one"
        )
''',
    "_kind": '''
def _kind(value: Any) -> str:
    """What something is, in a word or two."""
    if value is None:
        return "None"
    return "a tensor" if hasattr(value, "dtype") else f"of type {type(value).__name__}"
''',
    "_word": '''
def _word(value: Any) -> str:
    """The name of a dtype or layout without that of the library."""
    return str(value).removeprefix("torch.")
''',
}  # fmt: skip
