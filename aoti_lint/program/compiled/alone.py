"""A compiled model that is a shared library without an archive around it, with what was written beside it."""

from __future__ import annotations

import os
import re
from typing import BinaryIO

from aoti_lint.files.opener import ARCHIVE, open_regular
from aoti_lint.program import facts
from aoti_lint.program.compiled.compiled import MAX_SOURCE, describe
from aoti_lint.program.container.library import read_elf
from aoti_lint.program.container.texts import MAX_JSON, parse_json
from aoti_lint.program.container.window import Window
from aoti_lint.program.errors import Unreadable


def read_library(file: BinaryIO, name: str, size: int) -> facts.Archive:
    """A library on its own, with the sources and the metadata that lie beside it, as far as they do."""
    library = read_elf(Window(file, 0, size))
    problems: list[facts.Problem] = []
    beside = _beside(name)

    def data(part: str, limit: int) -> bytes | None:
        path = beside.get(part)
        if path is None:
            return None
        with open_regular(path, ARCHIVE) as neighbour:
            found = neighbour.read(limit + 1)
        if len(found) > limit:
            problems.append(
                facts.Problem(member=os.path.basename(path), message=f"longer than {limit} bytes: not read")
            )
            return None
        return found

    def table(part: str) -> dict[str, object]:
        found = data(part, MAX_JSON)
        if found is None:
            return {}
        try:
            return parse_json(found, os.path.basename(beside[part]))
        except Unreadable as error:
            problems.append(facts.Problem(member=os.path.basename(beside[part]), message=str(error)))
            return {}

    source, kernel = data("source", MAX_SOURCE), data("kernel", MAX_SOURCE)
    if source is None and library.is_model is False:
        raise Unreadable("this shared library is no model compiled by AOTInductor")
    if source is None:
        problems.append(
            facts.Problem(member=None, message="the source of its wrapper is not beside it: its inputs are not known")
        )
    package = describe(
        "model",
        None if source is None else source.decode("utf-8", "replace"),
        None if kernel is None else kernel.decode("utf-8", "replace"),
        table("metadata"),
        table("proxies"),
        library,
        [os.path.basename(path) for path in beside.values()],
        None if source is None else os.path.basename(beside["source"]),
    )
    members = [facts.Member(name=os.path.basename(name), bytes=size, stored=size)]
    for path in beside.values():
        length = os.path.getsize(path)
        members.append(facts.Member(name=os.path.basename(path), bytes=length, stored=length))
    return facts.Archive(
        file=name, kind="library", bytes=size, packages=(package,), members=tuple(members), problems=tuple(problems)
    )


_PARTS = (
    ("source", ".wrapper.cpp"), ("source", ".cpp"), ("kernel", ".kernel.cpp"), ("metadata", ".wrapper_metadata.json"),
    ("metadata", "_metadata.json"), ("proxies", ".wrapper.json"), ("proxies", ".json"),
)  # fmt: skip
_LINKED = re.compile(rb"^// Link cmd\n// .* -o (\S+)", re.M)
_MAX_NEIGHBOURS = 200


def _beside(name: str) -> dict[str, str]:
    """The files that were written with a library, by what they are.

    torch names them after the library in its own cache (`<hash>.wrapper.so`), and after their contents where the user
    chose the library's name; then the wrapper that says it was linked into this name is the one.
    """
    folder, base = os.path.split(name)
    stems = [base.removesuffix(".so").removesuffix(".wrapper")]
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return {}
    wrappers = [n for n in names if n.endswith(".wrapper.cpp")][:_MAX_NEIGHBOURS]
    if f"{stems[0]}.wrapper.cpp" not in wrappers and f"{stems[0]}.cpp" not in names:
        stems += [n.removesuffix(".wrapper.cpp") for n in wrappers if _linked_into(os.path.join(folder, n)) == base]
    found: dict[str, str] = {}
    for stem in stems[: 2 if len(stems) == 2 else 1]:
        for part, ending in _PARTS:
            # Not a pipe, which might never end.
            if part not in found and stem + ending in names and os.path.isfile(os.path.join(folder, stem + ending)):
                found[part] = os.path.join(folder, stem + ending)
    return found


def _linked_into(path: str) -> str | None:
    """The name of the library that a wrapper's last lines say it was linked into."""
    try:
        with open_regular(path, ARCHIVE) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 50_000))
            match = _LINKED.search(file.read())
    except OSError:
        return None
    return os.path.basename(match[1].decode("utf-8", "replace")) if match is not None else None
