"""Cases of archives, libraries and files of weights: real ones, changed in what they are made of."""

from __future__ import annotations

import io
import json
import pickletools
import struct
import warnings
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

from tests.fuzz.case import OUT, Case
from tests.fuzz.generators import corpus
from tests.fuzz.generators.mutate import changed
from tests.program.mutations import WAYS, members, pack

_NUMBERS = (0, 1, 2, 7, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 1 << 40)
LONGEST = 330_000
"""Bytes of a library; much of a longer one is read by nobody."""
_SCRIPT = b"""import torch

run = torch._inductor.aoti_load_package("model.pt2")
print(run(torch.randn(2, 8)))
program = torch.export.load("other.pt2")
program.module()(torch.randn(3))
run.load_constants(torch.load("weights.pt"), check_full_update=True)
"""


def archives(numbers: Random) -> Case:
    """A program or a package, changed once to some times."""
    path = numbers.choice(corpus.archives())
    data = path.read_bytes()
    for _ in range(numbers.choice((1, 1, 2, 3))):
        data = _archive(data, numbers)
    if not numbers.randrange(8):
        return Case("archives", {"model.pt2": data, "script.py": _SCRIPT, "other.pt2": data, "weights.pt": data}, [
            ["check", *numbers.choice((["."], ["model.pt2"], ["script.py"])), "--no-cache", "--pedantic",
                "--output-format", "json"],
        ])  # fmt: skip
    files = {"model.pt2": data}
    inspect, contract = ["inspect", "model.pt2"], ["contract", "model.pt2"]
    if not numbers.randrange(8):
        files["other.pt2"] = path.read_bytes()
        inspect.append("other.pt2")
        contract += ["--program", "other.pt2"]
    command = numbers.choice((
        [*inspect, "--output-format", "json"], [*inspect, "--output-format", "json", "--graph"], inspect, [*inspect,
            "--all"], contract,
        [*contract, "--output-format", "json"], [*contract, "-o", "-"], [*contract, "-o", f"{OUT}/made.py"],
        [*contract, "--cpp"],
    ))  # fmt: skip
    return Case("archives", files, [command])


def weights(numbers: Random) -> Case:
    """A file of weights, changed, against a package."""
    package, path = numbers.choice(_with_weights()), numbers.choice(corpus.weights())
    data = path.read_bytes()
    for _ in range(numbers.choice((1, 1, 2))):
        data = _safetensors(data, numbers) if path.suffix == ".safetensors" else _pickled(data, numbers)
    name = f"weights{path.suffix}"
    if not numbers.randrange(6):
        script = _SCRIPT.replace(b"weights.pt", name.encode())
        words = ["check", ".", "--no-cache", "--output-format", "json"]
        return Case("weights", {"model.pt2": package.read_bytes(), name: data, "script.py": script}, [words])
    words = ["contract", "model.pt2", "--weights", name, *numbers.choice(([], ["--output-format", "json"]))]
    return Case("weights", {"model.pt2": package.read_bytes(), name: data}, [words])


def libraries(numbers: Random) -> Case:
    """A library of AOTInductor, changed, on its own or with what lies beside it."""
    files = {f"model{name}": data for name, data in numbers.choice(_libraries()).items()}
    chosen = numbers.choice(sorted(files))
    files["model.so"] = _elf(files["model.so"], numbers)
    if chosen != "model.so":
        files[chosen] = changed(files[chosen], numbers)
    words = numbers.choice(
        (["inspect", "model.so"], ["inspect", "model.so", "--output-format", "json"], ["contract", "model.so"])
    )
    return Case("libraries", files, [words])


def _archive(data: bytes, numbers: Random) -> bytes:
    """Changed by one of the ways that there are."""
    more: Sequence[Callable[[bytes, Random], bytes]] = (_zip, _zip, _pickles, _elves, _bytes)
    way = numbers.randrange(len(WAYS) + len(more))
    try:
        return WAYS[way](data, members(data), numbers) if way < len(WAYS) else more[way - len(WAYS)](data, numbers)
    except Exception:
        # What a change before this one left is no archive any more, or not of that kind.
        return _bytes(data, numbers)


def _bytes(data: bytes, numbers: Random) -> bytes:
    made = bytearray(data or b"PK")
    for _ in range(numbers.choice((1, 2, 8))):
        start = max(len(made) - 2000, 0) if numbers.randrange(2) else 0
        made[numbers.randrange(start, len(made))] = numbers.randrange(256)
    return bytes(made)


def _zip(data: bytes, numbers: Random) -> bytes:
    """Numbers in the headers of the zip file changed, or a member twice, or another inside it."""
    match numbers.randrange(4):
        case 0:
            files = members(data)
            made = io.BytesIO()
            with zipfile.ZipFile(made, "w") as archive, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for name, content in files.items():
                    archive.writestr(name, content)
                    if not numbers.randrange(3):
                        archive.writestr(name, numbers.choice(list(files.values())))
            return made.getvalue()
        case 1:
            return pack(
                {**members(data), numbers.choice(("m/data/weights/w.pt", "x.pt2", "m/models/model.json")): data}
            )
    mark, fields = numbers.choice((
        (b"PK\x03\x04", (("<H", 6), ("<H", 8), ("<L", 18), ("<L", 22), ("<H", 26), ("<H", 28))),
        (b"PK\x01\x02", (("<H", 8), ("<H", 10), ("<L", 16), ("<L", 20), ("<L", 24), ("<H", 28), ("<H", 30), ("<H",
            32), ("<L", 42))),
        (b"PK\x05\x06", (("<H", 8), ("<H", 10), ("<L", 12), ("<L", 16), ("<H", 20))),
    ))  # fmt: skip
    places = [at for at in range(len(data)) if data.startswith(mark, at)] if len(data) < 50_000 else [data.rfind(mark)]
    changed_ = bytearray(data)
    for at in numbers.sample(places, min(len(places), numbers.choice((1, 1, 5)))):
        format_, offset = numbers.choice(fields)
        if at >= 0 and at + offset + 4 <= len(data):
            struct.pack_into(
                format_, changed_, at + offset, numbers.choice(_NUMBERS) & (0xFFFF if format_ == "<H" else 0xFFFFFFFF)
            )
    return bytes(changed_)


def _pickles(data: bytes, numbers: Random) -> bytes:
    """Operations of a pickle inside changed."""
    files = members(data)
    pickles = [name for name, content in files.items() if content[:2] in (b"\x80\x02", b"\x80\x04")]
    nested = [name for name, content in files.items() if content[:4] == b"PK\x03\x04"]
    if nested and (not pickles or numbers.randrange(2)):
        name = numbers.choice(nested)
        return pack({**files, name: _archive(files[name], numbers)})
    if not pickles:
        return _bytes(data, numbers)
    name = numbers.choice(pickles)
    return pack({**files, name: _operations(files[name], numbers)})


def _operations(data: bytes, numbers: Random) -> bytes:
    try:
        starts = [at or 0 for _, _, at in pickletools.genops(data)]
    except (ValueError, LookupError, UnicodeError, OverflowError):
        return _bytes(data, numbers)
    parts = [data[at:end] for at, end in zip(starts, [*starts[1:], len(data)], strict=True)]
    for _ in range(numbers.choice((1, 2, 5))):
        at, other = numbers.randrange(len(parts)), numbers.randrange(len(parts))
        match numbers.randrange(6):
            case 0:
                parts[at] = b""
            case 1:
                parts[at] *= numbers.choice((2, 50, 5000))
            case 2:
                parts[at], parts[other] = parts[other], parts[at]
            case 3:
                parts[at] = numbers.choice((
                    b"cos\nsystem\n", b"(lp0\n", b"R", b"2", b"0", b"1", b"h\x00", b"q\x00", b"j\xff\xff\xff\xff",
                        b"J\xff\xff\xff\xff", b"\x8a\xff" + b"\x7f" * 255,
                    b"B\xff\xff\xff\x7f", b"X\x04\x00\x00\x00name", b"(" * 3000, b"]" * 3000, b"}", b"e", b"u",
                    b"b", b"Q", b"G" + bytes(8), b"t", b"\x85", b".", b"\x93", b"\x81", b"\x95" + b"\xff" * 8,
                ))  # fmt: skip
            case 4:
                parts.insert(at, parts[other])
            case _:
                parts[at] = _bytes(parts[at], numbers) if parts[at] else b"N"
    return b"".join(parts)


def _elves(data: bytes, numbers: Random) -> bytes:
    files = members(data)
    found = [name for name, content in files.items() if content[:4] == b"\x7fELF"]
    if not found:
        return _zip(data, numbers)
    name = numbers.choice(found)
    return pack({**files, name: _elf(files[name], numbers)})


def _elf(data: bytes, numbers: Random) -> bytes:
    """Numbers of the header, of a section's header, of a symbol changed."""
    made = bytearray(data)
    sections = struct.unpack_from("<Q", data, 40)[0]
    for _ in range(numbers.choice((1, 2, 5))):
        at = numbers.choice(
            (numbers.randrange(16, 64), sections + 4 * numbers.randrange(512), numbers.randrange(len(made)))
        )
        format_ = numbers.choice(("<H", "<L", "<Q"))
        if at + 8 <= len(made):
            value = numbers.choice((*_NUMBERS, numbers.getrandbits(16))) & ((1 << 8 * struct.calcsize(format_)) - 1)
            struct.pack_into(format_, made, at, value)
    return bytes(made) if numbers.randrange(8) else bytes(made[: numbers.randrange(len(made))])


def _pickled(data: bytes, numbers: Random) -> bytes:
    try:
        return _pickles(data, numbers)
    except Exception:
        return _archive(data, numbers)


def _safetensors(data: bytes, numbers: Random) -> bytes:
    """The JSON of its header changed, with or without the length in front of it."""
    length = int.from_bytes(data[:8], "little")
    header, rest = data[8 : 8 + length], data[8 + length :]
    match numbers.randrange(3):
        case 0:
            return _bytes(data, numbers)
        case 1:
            header = changed(header, numbers)
        case _:
            try:
                made = json.loads(header)
                for name in numbers.sample(sorted(made), min(len(made), 2)):
                    one = made[name]
                    key = numbers.choice(("dtype", "shape", "data_offsets", "x"))
                    one[key] = numbers.choice(
                        (
                            [],
                            [0],
                            [-1],
                            [1 << 63] * 3,
                            [0, 1 << 40],
                            "F32",
                            "X",
                            None,
                            1,
                            {},
                            [[1]],
                            [1.5],
                            [2] * 70,
                            True,
                        )
                    )
                    if not numbers.randrange(3):
                        made[numbers.choice(("__metadata__", "", "\u202e", "x" * 3000, "a.b"))] = made.pop(name)
                header = json.dumps(made).encode()
            except (ValueError, TypeError, AttributeError, RecursionError):
                header = changed(header, numbers)
    size = len(header) if numbers.randrange(5) else numbers.choice(_NUMBERS)
    return size.to_bytes(8, "little") + header + rest


@cache
def _with_weights() -> Sequence[Path]:
    return [path for path in corpus.archives() if "aoti" in path.name or "compiled" in path.name]


@cache
def _libraries() -> Sequence[dict[str, bytes]]:
    """Libraries with what torch writes beside them, by their endings."""
    found = []
    for path in _with_weights():
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith(".so") and archive.getinfo(name).file_size < LONGEST:
                    made = {".so": archive.read(name)}
                    for ending in (".cpp", "_metadata.json", ".json"):
                        beside = name.removesuffix(".so") + ending
                        if beside in archive.namelist():
                            made[ending] = archive.read(beside)
                    found.append(made)
    return found
