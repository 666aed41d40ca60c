"""Archives as no torch writes them: real ones with bytes, members, JSON or source text changed at random, and bombs."""

from __future__ import annotations

import copy
import io
import json
import random
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HEADER = 20_000

JUNK: list[Any] = [
    None, True, 0, -1, 2**63, 10**40, 1.5, "", "x" * 5000, "\x1b[31m", "../..", [], {}, [[[]]], {"as_int": "no"},
    {"as_expr": {"expr_str": "(" * 3000}}, {"as_expr": {"expr_str": "Symbol('s0')**9999999999"}},
    {"as_expr": {"expr_str": "+".join(["s0"] * 4000)}}, {"as_tensor": {"name": "nobody"}},
    "Symbol('s0', positive=True)",
]  # fmt: skip


def members(data: bytes) -> dict[str, bytes]:
    """The members of a zip file; of machine code, which is long and not read, only the start."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {
            info.filename: archive.read(info)[: HEADER if info.filename.endswith((".so", ".cubin")) else None]
            for info in archive.infolist()
        }


def pack(files: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """A zip file of these members."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def mutated(path: Path, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """`count` changed copies of the archive at `path`, each with a name that says how."""
    numbers = random.Random(f"{path.name} {seed}")
    data = path.read_bytes()
    files = members(data)
    for index in range(count):
        way = numbers.choice(WAYS)
        yield f"{path.parent.name}-{path.stem}-{index}-{way.__name__.strip('_')}", way(data, files, numbers)


def _bytes(data: bytes, files: dict[str, bytes], numbers: random.Random) -> bytes:
    """Some bytes changed, more often in the directory at the end."""
    made = bytearray(data)
    for _ in range(numbers.choice([1, 3, 30])):
        start = len(made) - 3000 if numbers.random() < 0.6 else 0
        made[numbers.randrange(max(start, 0), len(made))] = numbers.randrange(256)
    return bytes(made)


def _cut(data: bytes, files: dict[str, bytes], numbers: random.Random) -> bytes:
    """Cut short, or with a piece taken out or put in front."""
    at = numbers.randrange(len(data))
    return numbers.choice([data[:at], data[:at] + data[at + 1000 :], b"#!/bin/sh\n" + data, data + data[-at:]])


def _member(data: bytes, files: dict[str, bytes], numbers: random.Random) -> bytes:
    """Members gone, renamed, doubled, swapped, emptied."""
    made = dict(files)
    name = numbers.choice(list(made))
    other = numbers.choice(list(made))
    match numbers.randrange(6):
        case 0:
            del made[name]
        case 1:
            made[numbers.choice(["../" * 6 + "etc/x", "/etc/x", "C:\\x", "a\x01b", name + "/", "é" * 900])] = made.pop(
                name
            )
        case 2:
            made[name], made[other] = made[other], made[name]
        case 3:
            made[name] = b""
        case 4:
            made[name] = numbers.randbytes(2000)
        case _:
            made = {n.partition("/")[2] or n: d for n, d in made.items()}
    return pack(made, numbers.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]))


def _json(data: bytes, files: dict[str, bytes], numbers: random.Random) -> bytes:
    """Values in a JSON member replaced, taken away or moved."""
    tables = [name for name in files if name.endswith(".json")]
    if not tables:
        return _member(data, files, numbers)
    name = numbers.choice(tables)
    value = json.loads(files[name])
    for _ in range(numbers.choice([1, 1, 2, 8])):
        places = list(_places(value))
        if not places:
            break
        parent, key = numbers.choice(places)
        match numbers.randrange(4):
            case 0:
                del parent[key]
            case 1:
                other, where = numbers.choice(places)
                # As text: a value must not come to hold itself.
                text = json.dumps(other[where]) if _has(other, where) else "null"
                # Copies of copies of the whole would not end.
                parent[key] = json.loads(text) if len(text) < 10_000 else None
            case _:
                parent[key] = copy.deepcopy(numbers.choice(JUNK))
    return pack({**files, name: json.dumps(value).encode()})


def _source(data: bytes, files: dict[str, bytes], numbers: random.Random) -> bytes:
    """Lines of a wrapper's source gone, doubled, cut, or filled with what its patterns look for."""
    sources = [name for name in files if name.endswith(".cpp")]
    if not sources:
        return _json(data, files, numbers)
    name = max(sources, key=lambda n: len(files[n]))
    lines = files[name].decode("utf-8", "replace").splitlines()
    for _ in range(numbers.choice([1, 20, 200])):
        at = numbers.randrange(len(lines))
        match numbers.randrange(5):
            case 0:
                del lines[at]
                lines = lines or [""]
            case 1:
                lines.insert(at, numbers.choice(lines))
            case 2:
                lines[at] = lines[at][: numbers.randrange(len(lines[at]) + 1)]
            case 3:
                lines[at] = "".join(numbers.choice("(){}[];=<>,.\"'\\ ab0_9\x00é") for _ in range(60))
            case _:
                lines[at] = numbers.choice([
                    '    constants_info_[99999999].shape = {1, 2};', '    inputs_info_[-1].name = "x";',
                    '    in_spec_ = R"([1, {"type": null}])";', "    int64_t s0 = s1;", "    int64_t s1 = s0;",
                    "    if (99999999999999999999 != arg2_1_size[99999])",
                    'assert_size_stride(arg2_1, {' + "s0*" * 3000 + "s0}, {1L}, \"input\")",
                    "aoti_torch_empty_strided(" * 500,
                ])  # fmt: skip
    return pack({**files, name: "\n".join(lines).encode("utf-8", "replace")})


WAYS: list[Callable[[bytes, dict[str, bytes], random.Random], bytes]] = [
    _bytes, _cut, _member, _json, _json, _json, _source,
]  # fmt: skip
"""Each gives a changed archive for its bytes and its members."""


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value, as its container and the key in it."""
    todo = [value]
    while todo:
        current = todo.pop()
        keys = list(current) if isinstance(current, dict) else range(len(current)) if isinstance(current, list) else ()
        for key in keys:
            yield current, key
            todo.append(current[key])


def _has(container: Any, key: Any) -> bool:
    return key in container if isinstance(container, dict) else isinstance(key, int) and key < len(container)


def bombs(path: Path) -> Iterator[tuple[str, bytes]]:
    """Archives that want a reader's memory or time; `path` is a right one to start from."""
    files = members(path.read_bytes())
    program = next(name for name in files if name.endswith("models/model.json"))
    for name, text in {
        "deep lists": b"[" * 5_000_000,
        "deep objects": b'{"a":' * 1_000_000,
        "long number": b'{"a":' + b"9" * 5_000_000 + b"}",
        "many empties": b"[" + b"{}," * 3_000_000 + b"{}]",
        "not text": bytes(range(256)) * 1000,
        "half a surrogate": b'{"graph_module": "\\ud800"}',
    }.items():
        yield name, pack({**files, program: text}, zipfile.ZIP_DEFLATED)
    yield "hundreds of megabytes of zeros", _zeros(program, 400 << 20)
    yield "zeros called source", _zeros("m/data/aotinductor/model/x.wrapper.cpp", 400 << 20)
    yield "many members", _many(300_000)
    yield "as many members as are read", _many(190_000)
    yield "a directory of gigabytes", _claims(directory=3 << 30)
    yield "more members than there are", _claims(members=60_000)
    yield "encrypted", _flagged(pack(files), 0x1)
    yield "unknown compression", _compressed_by(pack(files), 99)
    yield "twice the same", _twice(files, program)
    yield "only a comment", b"PK\x05\x06" + bytes(16) + struct.pack("<H", 40_000) + b"x" * 40_000
    deep = json.loads(files[program])
    spec: dict[str, Any] = {"type": None, "context": None, "children_spec": []}
    for _ in range(400):
        spec = {"type": "builtins.tuple", "context": "null", "children_spec": [spec]}
    deep["graph_module"]["module_call_graph"][0]["signature"]["in_spec"] = json.dumps([1, spec])
    yield "deep arguments", pack({**files, program: json.dumps(deep).encode()})
    wide = json.loads(files[program])
    node = wide["graph_module"]["graph"]["nodes"][0]
    wide["graph_module"]["graph"]["nodes"] = [node] * 60_000
    yield "sixty thousand nodes", pack({**files, program: json.dumps(wide).encode()}, zipfile.ZIP_DEFLATED)


def _zeros(name: str, length: int) -> bytes:
    """A member of `length` zero bytes, packed into some megabytes."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open(name, "w", force_zip64=True) as member,
    ):
        for _ in range(length >> 20):
            member.write(bytes(1 << 20))
    return made.getvalue()


def _many(count: int) -> bytes:
    """A directory of `count` members, all of them the same bytes."""
    name = b"m/models/a.json"
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 0, 0, 0, 0, 0, 0, len(name), 0) + name
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, len(name), 0, 0, 0, 0, 0, 0) + name
    directory = entry * count
    at = len(local) + len(directory)
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(directory), len(local))
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return local + directory + end64 + locator + end


def _claims(*, members: int = 1, directory: int = 46) -> bytes:
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, members, members, directory, 0, 0)
    return b"PK\x03\x04" + bytes(100) + end


def _flagged(data: bytes, flag: int) -> bytes:
    made = bytearray(data)
    at = -1
    while (at := made.find(b"PK\x01\x02", at + 1)) >= 0:
        made[at + 8] |= flag
    return bytes(made)


def _compressed_by(data: bytes, method: int) -> bytes:
    made = bytearray(data)
    for mark, offset in ((b"PK\x01\x02", 10), (b"PK\x03\x04", 8)):
        at = -1
        while (at := made.find(mark, at + 1)) >= 0:
            made[at + offset] = method
    return bytes(made)


def _twice(files: dict[str, bytes], name: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for other, data in files.items():
            archive.writestr(other, data)
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            archive.writestr(name, b"{}")
    return made.getvalue()
