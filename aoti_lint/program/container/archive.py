"""Members of a zip file, in bounded memory and time.

Only the central directory and the members that are asked for are read. Nothing is ever written, so a member's name can
do no harm; names that only an attacker or an accident makes are reported all the same.
"""

from __future__ import annotations

import io
import os
import struct
import zipfile
from typing import BinaryIO, cast

from aoti_lint.program.container.window import Window
from aoti_lint.program.errors import Unreadable

MAX_MEMBERS = 200_000
"""torch writes one member for each weight; the largest models have some ten thousand."""

MAX_DIRECTORY = 64 << 20
"""Bytes of the central directory that are read into memory."""

MAX_ODDITIES = 20
"""Odd members that are told of; the rest are only as odd."""

MAX_UNPACKED = 32 << 20
"""Bytes that are unpacked of a library. torch stores it as it is; somebody may have packed the archive again."""

MAX_READ = 256 << 20
"""Bytes that are unpacked of all members together, which may be many and lie over each other."""

_END = struct.Struct("<4s4H2LH")
_END64_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LARGEST_COMMENT = 0xFFFF


class ZipArchive:
    """A zip file that is open for reading. A context manager.

    Raises `Unreadable` when it is none, or when its directory is broken, doubled or too large.
    """

    def __init__(self, file: BinaryIO) -> None:
        size = file.seek(0, os.SEEK_END)
        check_directory(file, size)
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error) as error:
            raise Unreadable(f"the directory of the zip file is broken ({error})") from None
        except UnicodeDecodeError:
            raise Unreadable("the zip file has a member whose name is no valid text") from None
        self.oddities: list[tuple[str, str]] = []
        """Members with names or flags that torch never writes, and what is odd about each."""
        self._members: dict[str, zipfile.ZipInfo] = {}
        self._left = MAX_READ
        for info in self._zip.infolist():
            odd = self._odd(info)
            if odd is not None and len(self.oddities) < MAX_ODDITIES:
                self.oddities.append((_shown(info.filename), odd))
            self._members.setdefault(info.filename, info)

    def __enter__(self) -> ZipArchive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def names(self) -> list[str]:
        """The members, in the order of the directory."""
        return list(self._members)

    def sizes(self, name: str) -> tuple[int, int]:
        """What the directory says of a member: its size in bytes, and as it lies in the archive."""
        info = self._members[name]
        return info.file_size, info.compress_size

    def read(self, name: str, limit: int) -> bytes:
        """The bytes of a member. Raises `Unreadable` when it is longer than `limit` bytes, encrypted or broken."""
        info = self._members[name]
        if info.file_size > limit:
            raise Unreadable(f"{_shown(name)} has {_megabytes(info.file_size)}; up to {_megabytes(limit)} are read")
        data = self.head(name, limit + 1)
        if len(data) != info.file_size:
            raise Unreadable(f"{_shown(name)} does not have the {info.file_size} bytes that the directory says")
        return data

    def head(self, name: str, length: int) -> bytes:
        """The first bytes of a member, all of it if it is shorter. Raises `Unreadable` as `read` does."""
        info = self._members[name]
        if info.flag_bits & 0x1:
            raise Unreadable(f"{_shown(name)} is encrypted")
        try:
            with self._zip.open(info) as member:
                data = member.read(min(length, self._left + 1))
        except Exception as error:
            # zlib, lzma and zipfile have each their own ways to say that data are broken; none of them is our fault.
            raise Unreadable(f"the archive is damaged: {_shown(name)} cannot be read ({_reason(error)})") from None
        self._left -= len(data)
        if self._left < 0:
            raise Unreadable(f"{_shown(name)} is not read: up to {_megabytes(MAX_READ)} of an archive are")
        return data

    def window(self, name: str) -> Window:
        """A member to look into here and there, however long it is. Raises `Unreadable` when it is not there."""
        info = self._members[name]
        file = self._zip.fp
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 0x1 or file is None:
            return Window(io.BytesIO(self.head(name, MAX_UNPACKED)), 0, min(info.file_size, MAX_UNPACKED))
        start = cast(BinaryIO, file)
        start.seek(info.header_offset)
        header = start.read(30)
        if len(header) != 30 or header[:4] != b"PK\x03\x04":
            raise Unreadable(f"{_shown(name)} is not where the directory says")
        name_length, extra_length = struct.unpack_from("<2H", header, 26)
        return Window(start, info.header_offset + 30 + name_length + extra_length, info.file_size)

    def _odd(self, info: zipfile.ZipInfo) -> str | None:
        name = info.filename
        if name in self._members:
            return "is there twice; the first one counts here, torch may read another"
        if name.startswith(("/", "\\")) or name[1:2] == ":":
            return "has an absolute name"
        if ".." in name.replace("\\", "/").split("/"):
            return "has a name that leads out of the archive"
        if "\x00" in info.orig_filename:
            return "has a NUL in its name"
        if info.flag_bits & 0x1:
            return "is encrypted"
        return None


def is_zip(file: BinaryIO) -> bool:
    """Whether a file starts as zip files do. One with something before it is not ours."""
    file.seek(0)
    return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def check_directory(file: BinaryIO, size: int) -> None:
    """Raise `Unreadable` unless the end record is there and asks for no more than the limits.

    `zipfile` reads the directory whole before anybody can object.
    """
    tail = min(size, _END.size + _LARGEST_COMMENT)
    file.seek(size - tail)
    data = file.read(tail)
    at = data.rfind(b"PK\x05\x06")
    if at < 0 or len(data) - at < _END.size:
        raise Unreadable("the archive is damaged: its end is missing, as it is cut short, or still being written")
    _, _, _, _, members, length, _, _ = _END.unpack_from(data, at)
    locator = size - tail + at - _END64_LOCATOR.size
    if locator >= 0:
        file.seek(locator)
        found = file.read(_END64_LOCATOR.size)
        if found[:4] == b"PK\x06\x07":
            offset = _END64_LOCATOR.unpack(found)[2]
            file.seek(min(offset, size))
            record = file.read(_END64.size)
            if len(record) == _END64.size and record[:4] == b"PK\x06\x06":
                fields = _END64.unpack(record)
                members, length = fields[7], fields[8]
    if members > MAX_MEMBERS:
        raise Unreadable(f"the archive has {members} members; up to {MAX_MEMBERS} are read")
    if length > MAX_DIRECTORY:
        raise Unreadable(
            f"the directory of the archive has {_megabytes(length)}; up to {_megabytes(MAX_DIRECTORY)} are read"
        )


def _shown(name: str) -> str:
    """A member's name that cannot disturb a terminal."""
    clean = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name)
    return clean if len(clean) <= 200 else f"{clean[:100]}…{clean[-80:]}"


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def _megabytes(count: int) -> str:
    return f"{count / (1 << 20):.1f} MB" if count >= 1 << 20 else f"{count} bytes"
