"""Reads what `torch.save` wrote: a zip of one pickle, `data.pkl`, and a member for each storage (since torch 1.6).

The layout is that of `_save` in torch/serialization.py and of `PyTorchStreamReader` in caffe2/serialize: all members
lie in one folder, named after the file when it was written, and the first member tells which.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from math import prod
from typing import BinaryIO

from aoti_lint.program.container.archive import check_directory
from aoti_lint.program.dtypes import ITEM_BYTES
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.facts import Problem, Tensor
from aoti_lint.program.weights.file import Entry, WeightFile
from aoti_lint.program.weights.machine import run
from aoti_lint.program.weights.naming import MAX_NAME, clean, quoted
from aoti_lint.program.weights.rebuild import called, needed_bytes, stored
from aoti_lint.program.weights.state import find_state
from aoti_lint.program.weights.values import Dict, Global, Opaque, SavedTensor, Value

MAX_PICKLE = 256 * 2**20
SAVE_AGAIN = "With a torch that can load it: torch.save(torch.load(file, weights_only=True), new_file)"

_LEGACY = b"\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19"
"""`MAGIC_NUMBER` of torch/serialization.py as LONG1, with which files of before 1.6 begin."""

_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, OverflowError, NotImplementedError,
           RuntimeError, LookupError)  # fmt: skip
"""What `zipfile` raises for damaged, encrypted or unusual archives."""


def read_pickled(stream: BinaryIO, name: str) -> WeightFile:
    """The state dict in a file that `torch.save` wrote, given as a seekable stream; it may lie in another archive.

    `name` is used in messages. Raises Unreadable for every other file, and for a pickle that holds no state dict.
    """
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    start = stream.read(64)
    if not start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        raise Unreadable(_other_kind(start, name))
    try:
        check_directory(stream, size)
    except Unreadable as problem:
        raise Unreadable(f"{name}: {problem}") from None
    try:
        with zipfile.ZipFile(stream) as archive:
            members = _members(archive, name)
            pickle = _pickle(archive, members["data.pkl"], name)
            try:
                top = run(pickle, called, stored)
            except Unreadable as problem:
                raise Unreadable(f"the pickle (data.pkl) of {name} cannot be read: {problem}") from None
    except _BROKEN as problem:
        raise Unreadable(f"{name} is a damaged zip archive: {clean(str(problem))[:200]}") from None
    state, wrapper = find_state(top, name)
    entries, problems = _entries(state, members)
    return WeightFile(file=name, format="torch", entries=entries, wrapper=wrapper, problems=problems)


def _other_kind(start: bytes, name: str) -> str:
    if not start:
        return f"{name} is empty"
    if _LEGACY in start[:16]:
        return (
            f"{name} was saved in the format of before torch 1.6 (or with _use_new_zipfile_serialization=False), "
            f"which is not read. {SAVE_AGAIN}"
        )
    if start.startswith(b"\x80"):
        return f"{name} is a plain pickle, not a file of torch.save. Save the state dict with torch.save(state, file)"
    if start.startswith(b"version https://git-lfs"):
        return f"{name} is a pointer of Git LFS; the weights themselves were not downloaded (git lfs pull)"
    known = {b"GGUF": "a GGUF file", b"\x89HDF": "an HDF5 file", b"\x1f\x8b": "compressed with gzip"}
    for magic, kind in known.items():
        if start.startswith(magic):
            return f"{name} is {kind}, which is not read; safetensors files and files of torch.save are"
    return f"{name} is neither a safetensors file nor one that torch.save wrote"


def _members(archive: zipfile.ZipFile, name: str) -> dict[str, zipfile.ZipInfo]:
    """The members by their name within the one folder. Raises Unreadable if there is no data.pkl among them."""
    infos = archive.infolist()
    folder = infos[0].filename.partition("/")[0] + "/" if infos else ""
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        if not info.filename.startswith(folder):
            continue
        inner = info.filename[len(folder) :]
        if inner in found:
            raise Unreadable(
                f"{name} has two members {quoted(info.filename)}, and programs differ in which of them they read. "
                f"{SAVE_AGAIN}"
            )
        found[inner] = info
    if "constants.pkl" in found:
        raise Unreadable(
            f"{name} is a TorchScript model, not a state dict: torch.save(torch.jit.load(file).state_dict(), new_file)"
        )
    if "archive_format" in found or "serialized_exported_program.json" in {info.filename for info in infos}:
        raise Unreadable(f"{name} is a .pt2 of torch.export or AOTInductor, not a file of weights")
    if "data.pkl" not in found:
        raise Unreadable(f"{name} is a zip archive, but not one of torch.save: it has no data.pkl")
    return found


def _pickle(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    """The content of data.pkl. Checksums are not looked at: torch.save can leave them out (`set_crc32_options`)."""
    with archive.open(info) as member:
        member._expected_crc = None  # type: ignore[attr-defined]
        # The size in the directory may be a lie.
        content = member.read(MAX_PICKLE + 1)
    if len(content) > MAX_PICKLE:
        raise Unreadable(f"the pickle (data.pkl) of {name} is longer than {MAX_PICKLE} bytes; no state dict's is")
    return content


def _entries(state: Dict, members: Mapping[str, zipfile.ZipInfo]) -> tuple[tuple[Entry, ...], tuple[Problem, ...]]:
    entries = []
    problems = []
    first: dict[tuple[object, ...], str] = {}
    short: dict[str, list[str]] = {}
    for key, value in state.items.items():
        name = clean(key) if isinstance(key, str) else None
        if name is None or len(name) > MAX_NAME:
            problems.append(Problem(member=None, message=f"a key of the state dict is {str(key)[:40]}, not a name"))
        elif not isinstance(value, SavedTensor):
            entries.append(Entry(name=name, what=kind_of(value)))
        else:
            entry, identity = _entry(name, value)
            if identity is not None and first.setdefault(identity, name) != name:
                entry = entry.model_copy(update={"tied": first[identity]})
            entries.append(entry)
            if value.storage is not None and (lack := _lack(value, members)):
                short.setdefault(lack, []).append(name)
    if state.dropped:
        problems.append(Problem(member=None, message=f"{state.dropped} keys of the state dict are no names"))
    for lack, names in short.items():
        more = f" (and {len(names) - 1} more tied to it)" if len(names) > 1 else ""
        problems.append(Problem(member=lack, message=f"the data of {quoted(names[0])}{more} is missing or cut off"))
    return tuple(entries), tuple(problems)


def _entry(name: str, value: SavedTensor) -> tuple[Entry, tuple[object, ...] | None]:
    """The entry, and what two names must agree in to be tied."""
    storage = value.storage
    entry = Entry(
        name=name,
        tensor=Tensor(
            dtype=value.dtype,
            shape=value.shape,
            strides=value.strides,
            device=clean(value.device) if value.device is not None else None,
            layout=value.layout,
            requires_grad=value.requires_grad,
        ),
        what=clean(value.what),
        bytes=prod(value.shape) * ITEM_BYTES[value.dtype] if storage is not None else None,
        storage=clean(storage.key) if storage is not None else None,
        storage_bytes=storage.count * ITEM_BYTES[storage.dtype] if storage is not None else None,
        offset=value.offset,
    )
    if storage is None or not prod(value.shape):
        return entry, None
    return entry, (storage.key, value.offset, value.shape, value.strides, value.dtype)


def _lack(value: SavedTensor, members: Mapping[str, zipfile.ZipInfo]) -> str | None:
    """The member that should hold the data and does not hold enough of it."""
    assert value.storage is not None
    member = f"data/{value.storage.key}"
    info = members.get(member)
    # A storage of no bytes may have no member.
    needed = needed_bytes(value)
    return clean(member) if needed > (info.file_size if info is not None else 0) else None


def kind_of(value: Value) -> str:
    """What a value that is not a tensor is, for a message."""
    if isinstance(value, Opaque):
        return clean(value.what[:200])
    if isinstance(value, Global):
        return clean(value.path[:200])
    if isinstance(value, Dict):
        return "a dict"
    return "None" if value is None else f"of type {type(value).__name__}"
