"""The headers of a shared library.

Only headers are read: the machine it is for, the libraries it needs, whether it has debug sections.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from aoti_lint.program.container.window import Window
from aoti_lint.program.errors import Unreadable

_MACHINES = {3: "i386", 21: "ppc64", 22: "s390x", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
_MAX_SECTIONS = 10_000
_MAX_TABLE = 16 << 20
_MACH_O = {b"\xcf\xfa\xed\xfe": "darwin", b"\xca\xfe\xba\xbe": "darwin"}
_MACH_MACHINES = {0x0100000C: "arm64", 0x01000007: "x86_64"}
_PE_MACHINES = {0x8664: "AMD64", 0xAA64: "ARM64"}
_NEEDED = 1
_SECTION_STRINGS, _SECTION_DYNAMIC, _SECTION_SYMBOLS = ".dynstr", ".dynamic", ".dynsym"
_WEIGHTS = "_binary_constants_bin_start"
_MAX_WEIGHTS = 1 << 31


@dataclass(frozen=True, slots=True)
class Library:
    """What the headers say. `needed` are names of other libraries; `is_model` whether a model's entry is there."""

    platform: str
    machine: str | None
    needed: tuple[str, ...] = ()
    debug_sections: bool | None = None
    is_model: bool | None = None


def is_library(start: bytes) -> bool:
    """Whether a file that starts so is a shared library of Linux, macOS or Windows."""
    return start[:4] == b"\x7fELF" or start[:4] in _MACH_O or start[:2] == b"MZ"


def read_elf(window: Window) -> Library:
    """The headers of a library. Raises `Unreadable` when they are broken."""
    start = window.read(0, 64)
    if start[:4] in _MACH_O:
        machine = _MACH_MACHINES.get(struct.unpack_from("<I", start, 4)[0]) if len(start) >= 8 else None
        return Library("darwin", machine)
    if start[:2] == b"MZ":
        return Library("windows", _pe_machine(window))
    if start[:4] != b"\x7fELF":
        raise Unreadable("the library is neither of Linux, macOS nor Windows")
    if len(start) < 64 or start[4] != 2 or start[5] != 1:
        raise Unreadable("the library is not for a 64-bit little-endian machine, or is cut short")
    try:
        return _elf(window, start)
    except struct.error:
        raise Unreadable("the headers of the library are broken") from None


def read_weights(window: Window, offset: int, length: int) -> bytes:
    """Bytes of the weights in the library of a model, from `offset` on.

    Raises `Unreadable` when they are not there. Source: `_binary_constants_bin_start` in
    `torch/csrc/inductor/aoti_runtime/model_base.h`.
    """
    start = window.read(0, 64)
    if start[:5] != b"\x7fELF\x02" or len(start) < 64 or length > _MAX_WEIGHTS:
        raise Unreadable("the weights are in no library that can be read here")
    try:
        sections = _sections(window, start)
        symbols, strings = (_section(window, sections[name]) for name in (_SECTION_SYMBOLS, _SECTION_STRINGS))
        for name, _, _, index, address, _ in struct.iter_unpack("<IBBHQQ", symbols[: len(symbols) // 24 * 24]):
            if index and _string(strings, name) == _WEIGHTS:
                inside = next(s for s in sections.values() if s[3] <= address < s[3] + s[5])
                data = window.read(inside[4] + address - inside[3] + offset, length)
                if len(data) == length:
                    return data
    except (struct.error, KeyError, StopIteration):
        pass
    raise Unreadable("the library does not have its weights")


def _sections(window: Window, start: bytes) -> dict[str, tuple[int, ...]]:
    """The headers of the sections by name: name, type, flags, address, offset, size. Empty for a stripped library."""
    (offset,) = struct.unpack_from("<Q", start, 40)
    entry, count, names_at = struct.unpack_from("<3H", start, 58)
    if entry < 64 or count > _MAX_SECTIONS:
        return {}
    table = window.read(offset, entry * count)
    sections = [struct.unpack_from("<2I4Q", table, index * entry) for index in range(len(table) // entry)]
    if names_at >= len(sections):
        return {}
    names = _section(window, sections[names_at])
    return {_string(names, section[0]): section for section in sections}


def _elf(window: Window, start: bytes) -> Library:
    machine = _MACHINES.get(struct.unpack_from("<H", start, 18)[0])
    found = _sections(window, start)
    if not found:
        # A stripped or truncated library: nothing more to say.
        return Library("linux", machine)
    strings = _section(window, found[_SECTION_STRINGS]) if _SECTION_STRINGS in found else b""
    dynamic = _section(window, found[_SECTION_DYNAMIC]) if _SECTION_DYNAMIC in found else b""
    needed = [_string(strings, value) for tag, value in struct.iter_unpack("<2Q", dynamic[: len(dynamic) // 16 * 16])
              if tag == _NEEDED]  # fmt: skip
    return Library(
        "linux",
        machine,
        tuple(filter(None, needed)),
        debug_sections=any(name.startswith(".debug_") for name in found),
        is_model=b"AOTInductorModelContainer" in strings if strings else None,
    )


def _section(window: Window, header: tuple[int, ...]) -> bytes:
    return window.read(header[4], min(header[5], _MAX_TABLE))


def _string(table: bytes, offset: int) -> str:
    end = table.find(b"\x00", offset)
    return table[offset : end if end >= 0 else len(table)][:4096].decode("utf-8", "replace")


def _pe_machine(window: Window) -> str | None:
    header = window.read(0x3C, 4)
    if len(header) < 4:
        return None
    found = window.read(struct.unpack("<I", header)[0], 6)
    return _PE_MACHINES.get(struct.unpack_from("<H", found, 4)[0]) if found[:4] == b"PE\x00\x00" else None
