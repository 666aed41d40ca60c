"""Reads the header of a safetensors file: 8 bytes of its length, JSON, then the data (the format's README).

The checks are those the `safetensors` package 0.8 makes, so what passes here can be loaded there.
"""

from __future__ import annotations

from math import prod
from typing import Any, BinaryIO

from aoti_lint.files.formats import Malformed, parse_json
from aoti_lint.program.dtypes import ITEM_BYTES
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.facts import Tensor
from aoti_lint.program.weights.dtypes import SAFETENSORS, SAFETENSORS_BITS
from aoti_lint.program.weights.file import Entry, WeightFile
from aoti_lint.program.weights.naming import MAX_NAME, clean, quoted

MAX_HEADER = 100_000_000
"""`MAX_HEADER_SIZE` of safetensors/src/tensor.rs."""

MAX_COMMAS = 5_000_000
"""About what a header of a million tensors has; JSON with many more values would take gigabytes of memory."""

MAX_DIMS = 64


def looks_like_safetensors(start: bytes, size: int) -> bool:
    """Whether a file of `size` bytes can be one; `start` is its beginning, in which the JSON starts at byte 8."""
    return len(start) >= 9 and start[8:9] == b"{" and int.from_bytes(start[:8], "little") <= min(size, MAX_HEADER)


def read_safetensors(stream: BinaryIO, name: str) -> WeightFile:
    """What the header says. Raises Unreadable, also where the offsets do not fit the file or one another."""
    stream.seek(0, 2)
    size = stream.tell()
    stream.seek(0)
    length = int.from_bytes(stream.read(8), "little")
    if size < 8 or length > size - 8:
        raise Unreadable(
            f"{name} is cut off: its safetensors header should have {length} bytes, and the whole file has {size}"
        )
    if length > MAX_HEADER:
        raise Unreadable(f"{name} has a safetensors header of {length} bytes; the format allows {MAX_HEADER}")
    document = parse_object(stream.read(length), f"the safetensors header of {name}")
    metadata = document.pop("__metadata__", None) or {}
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise Unreadable(f'the "__metadata__" in the safetensors header of {name} is not a map of text to text')
    spans = []
    entries = []
    for key, described in document.items():
        if len(key) > MAX_NAME:
            raise Unreadable(f"the safetensors header of {name} has a name of {len(key)} characters, {quoted(key)}")
        tensor, begin, end = _tensor(key, described, name)
        spans.append((begin, end, key))
        entries.append(Entry(name=clean(key), tensor=tensor, bytes=end - begin))
    _check_spans(sorted(spans), size - 8 - length, name)
    said = {clean(key): clean(value) for key, value in metadata.items()}
    return WeightFile(
        file=name, format="safetensors", entries=tuple(entries), twins=_twins(entries, said), metadata=said
    )


def parse_object(text: bytes, what: str) -> dict[str, Any]:
    """A JSON object out of an untrusted file. `what` names it in the message of Unreadable."""
    if text.count(b",") > MAX_COMMAS:
        raise Unreadable(f"{what} has more than {MAX_COMMAS} values")
    try:
        document = parse_json(text, _without_twins)
    except Malformed as problem:
        raise Unreadable(f"{what} is damaged: {clean(str(problem))[:200]}") from None
    if not isinstance(document, dict):
        raise Unreadable(f"{what} is not a JSON object")
    return document


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"{quoted(twice)} stands there twice")
    return found


def _sizes(value: Any) -> list[int] | None:
    if not isinstance(value, list) or len(value) > MAX_DIMS:
        return None
    return value if all(type(item) is int and 0 <= item < 2**63 for item in value) else None


def _tensor(key: str, described: Any, name: str) -> tuple[Tensor, int, int]:
    """The description, and the place in the data, of one tensor."""
    where = f"{quoted(key)} in the safetensors header of {name}"
    if not isinstance(described, dict):
        raise Unreadable(f"{where} is not described by an object")
    shape, offsets = _sizes(described.get("shape")), _sizes(described.get("data_offsets"))
    dtype = described.get("dtype")
    if shape is None:
        raise Unreadable(f'the "shape" of {where} is not a list of sizes')
    if offsets is None or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise Unreadable(f'the "data_offsets" of {where} are not a start and an end')
    if not isinstance(dtype, str) or (dtype not in SAFETENSORS and dtype not in SAFETENSORS_BITS):
        raise Unreadable(f"the dtype of {where}, {quoted(str(dtype)[:100])}, is none that safetensors 0.8 knows")
    bits = SAFETENSORS_BITS.get(dtype) or 8 * ITEM_BYTES[SAFETENSORS[dtype]]
    if prod(shape) * bits != 8 * (offsets[1] - offsets[0]):
        taken = prod(shape) * bits // 8
        raise Unreadable(f"{where} takes {taken} bytes by its dtype and shape, {offsets[1] - offsets[0]} by offsets")
    if dtype == "F4" and shape:
        shape[-1] //= 2  # torch counts pairs of them
    torch_dtype = SAFETENSORS.get(dtype, dtype)
    tensor = Tensor(dtype=torch_dtype, shape=tuple(shape), strides=contiguous(shape))
    return tensor, offsets[0], offsets[1]


def contiguous(shape: list[int]) -> tuple[int, ...]:
    """The strides of a contiguous tensor, as torch has them (a size of 0 counts as 1)."""
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def _check_spans(spans: list[tuple[int, int, str]], size: int, name: str) -> None:
    """The data must be covered without holes or overlaps, in any order; `spans` are sorted."""
    at, before = 0, ""
    for begin, end, key in spans:
        if begin < at:
            raise Unreadable(f"{name} is damaged: the data of {quoted(key)} overlaps that of {quoted(before)}")
        if begin > at:
            raise Unreadable(f"{name} is damaged: {begin - at} bytes before those of {quoted(key)} belong to no name")
        at, before = end, key
    if at > size:
        raise Unreadable(f"{name} is cut off: its header describes {at} bytes of data, and {size} are there")
    if at < size:
        raise Unreadable(f"{name} is damaged: {size - at} bytes at its end belong to no name")


def _twins(entries: list[Entry], metadata: dict[str, str]) -> dict[str, str]:
    """Names that `safetensors.torch.save_model` left out for a tied one: it writes {left out: kept} to the metadata."""
    held = {entry.name for entry in entries}
    return {key: value for key, value in metadata.items() if value in held and key not in held}
