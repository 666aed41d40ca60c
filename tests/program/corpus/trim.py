"""Copies what `write.py` and `view.py` made, small enough to keep: `python trim.py FROM TO [--few]`.

Archives are packed; of libraries only headers and small sections stay, the rest and large weights are zeros.
With `--few` only those programs are copied whose archives differ between releases.
"""

import shutil
import struct
import sys
import zipfile
from pathlib import Path

FEW = frozenset({
    "auto", "auto_view", "autocast", "buffers", "buffers_decomp", "channels_last", "cond", "const_attr", "customop",
    "dataclass", "derived_2b", "derived_b1", "dim", "dtypes", "extra_files", "input_mut", "kwargs_all", "mixed",
    "multi", "no_inputs", "scalars", "symint", "tree", "unbacked_item",
})  # fmt: skip
SECTIONS = (
    ".shstrtab", ".dynamic", ".comment", ".note", ".dynstr", ".rodata", ".gnu.version_r", ".dynsym", ".gnu.version",
    ".gnu.hash",
)  # fmt: skip
"""Sections of a library that stay, the first ones first, as long as there is room."""
ROOM = 16 << 10
LARGE_ROOM = 96 << 10
"""Bytes of a library's sections that stay; more of those in `LARGE`, so that some have all."""
LARGE = ("dim.aoti", "buffers.aoti", "buffers_one.aoti", "bare")
LARGEST_WEIGHTS = 4096
_NO_DATA = 8


def trimmed_library(data: bytes, room: int) -> bytes:
    """An ELF file of the same length, with little but its headers."""
    if data[:4] != b"\x7fELF" or data[4] != 2:
        return data
    segments_at, sections_at = struct.unpack_from("<QQ", data, 32)
    segment_size, segment_count, section_size, section_count, names_index = struct.unpack_from("<5H", data, 54)
    kept = [(0, 64), (segments_at, segment_size * segment_count), (sections_at, section_size * section_count)]
    sections = [struct.unpack_from("<2I4Q", data, sections_at + index * section_size) for index in range(section_count)]
    names_at = sections[names_index][4]
    ranked = []
    for name_at, kind, _, _, start, length in sections:
        name = data[names_at + name_at : data.index(b"\x00", names_at + name_at)].decode()
        rank = SECTIONS.index(".note") if name.startswith(".note") else SECTIONS.index(name) if name in SECTIONS else -1
        if rank >= 0 and kind != _NO_DATA:
            ranked.append((rank, name, start, length))
    for _, _, start, length in sorted(ranked):
        if length <= room:
            kept.append((start, length))
            room -= length
    trimmed = bytearray(len(data))
    for start, length in kept:
        trimmed[start : start + length] = data[start : start + length]
    return bytes(trimmed)


def trimmed(member: str, data: bytes, room: int) -> bytes:
    base = member.rpartition("/")[2]
    if base.endswith(".so"):
        return trimmed_library(data, room)
    stored = base.startswith(("weight_", "tensor_")) and not base.endswith(".json")
    if len(data) > LARGEST_WEIGHTS and (stored or base.endswith((".bin", ".blob", ".weights"))):
        return bytes(len(data))
    return data


def pack(path: Path, members: list[tuple[str, bytes]], room: int) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members:
            # A date that is always the same.
            archive.writestr(zipfile.ZipInfo(name), trimmed(name, data, room), zipfile.ZIP_DEFLATED)


def main(source: Path, target: Path, few: bool) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.iterdir()):
        name = path.name.removesuffix(".pt2")
        room = LARGE_ROOM if name in LARGE else ROOM
        if path.suffix == ".pt2":
            if few and not name.endswith(".aoti") and name not in FEW:
                continue
            with zipfile.ZipFile(path) as archive:
                members = [(info.filename, archive.read(info)) for info in archive.infolist()]
            pack(target / path.name, members, room)
        elif path.is_dir():
            files = [file for file in sorted(path.rglob("*")) if file.is_file() and file.suffix != ".o"]
            members = [(file.relative_to(path).as_posix(), file.read_bytes()) for file in files]
            pack(target / f"{name}.zip", members, room)
        else:
            continue
        view = source / f"{name}.view.json"
        if view.exists():
            shutil.copy(view, target)
    if (source / "made.json").exists():
        shutil.copy(source / "made.json", target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), "--few" in sys.argv[3:])
