"""The parts of a compiled model that a script is made of: its sources, its calls through torch, its weights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from aoti_lint.files.opener import ARCHIVE, open_regular
from aoti_lint.program.compiled.compiled import MAX_SOURCE
from aoti_lint.program.compiled.wrapper import Wrapper, items, read_wrapper
from aoti_lint.program.container.archive import ZipArchive
from aoti_lint.program.container.library import read_weights
from aoti_lint.program.container.texts import MAX_JSON, parse_json
from aoti_lint.program.errors import Unreadable
from aoti_lint.rerun.wrapper.errors import NoRepro

_MEMBER = re.compile(r"(?:.*/)?data/aotinductor/([^/]+)/(.+)")


@dataclass(frozen=True, slots=True)
class Weight:
    """Where a weight lies among the bytes of all, and how. `device` is its type."""

    offset: int
    length: int
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    device: str


@dataclass(frozen=True, slots=True)
class Model:
    """One compiled model of a package.

    `nodes` are its calls through torch's dispatcher, by their numbers, `lines` its `kernel_information.json`: what
    INDUCTOR_PROVENANCE=1 says of the lines that each launch was made from.
    """

    path: str
    wrapper: str
    kernels: str
    nodes: tuple[dict[str, Any], ...]
    facts: Wrapper
    library: str | None
    lines: dict[str, Any]

    def weight(self, index: int) -> Weight:
        """The weight that the wrapper calls `constants_->at(index)`. Raises `NoRepro` where it is not told."""
        offset = 0
        for number, constant in enumerate(self.facts.constants):
            fields = constant.fields
            folded = fields.get("from_folded") == "true"
            length = int(fields.get("data_size", "0"))
            if number == index:
                if folded:
                    raise NoRepro("a weight that the model folds when it is loaded is nowhere in the package")
                dtype = re.search(r"dtype_(\w+)", fields.get("dtype", ""))
                device = re.search(r"device_type_(\w+)", fields.get("device_type", ""))
                if dtype is None:
                    break
                shape, strides = (
                    tuple(int(item.rstrip("L")) for item in items(fields.get(key, ""))) for key in ("shape", "stride")
                )
                return Weight(offset, length, dtype[1], shape, strides, device[1] if device is not None else "cpu")
            offset += 0 if folded else length
        raise NoRepro(f"the package does not describe its weight number {index}")

    def bytes_of(self, weight: Weight) -> bytes:
        """The bytes of a weight. Raises `NoRepro` when the library does not have them."""
        if self.library is None or self.facts.weights_in_library is False:
            raise NoRepro("the weights are not in the library of the package")
        with _opened(self.path) as archive:
            try:
                return read_weights(archive.window(self.library), weight.offset, weight.length)
            except Unreadable as error:
                raise NoRepro(str(error)) from None


@contextmanager
def _opened(path: str) -> Iterator[ZipArchive]:
    try:
        with open_regular(path, ARCHIVE) as file, ZipArchive(file) as archive:
            yield archive
    except (OSError, Unreadable) as error:
        raise NoRepro(f"{path}: {error}") from None


def models(path: str) -> list[Model]:
    """The compiled models of a package. Raises `NoRepro` when it cannot be read."""
    with _opened(path) as archive:
        found: dict[str, dict[str, str]] = {}
        for name in archive.names:
            if match := _MEMBER.fullmatch(name):
                found.setdefault(match[1], {})[match[2]] = name
        return [_model(path, archive, members) for members in found.values()]


def _model(path: str, archive: ZipArchive, members: dict[str, str]) -> Model:
    def text(ending: str) -> str:
        name = next((members[inside] for inside in members if inside.endswith(ending)), None)
        return "" if name is None else archive.read(name, MAX_SOURCE).decode("utf-8", "replace")

    wrapper = text(".wrapper.cpp")
    nodes: list[dict[str, Any]] = []
    for inside, name in members.items():
        if inside.endswith((".wrapper.json", "extern_nodes.json")):
            listed = parse_json(archive.read(name, MAX_JSON), inside).get("nodes")
            nodes += [entry.get("node", {}) for entry in listed] if isinstance(listed, list) else []
    library = next((members[inside] for inside in members if inside.endswith(".so")), None)
    known = text("kernel_information.json")
    lines = parse_json(known.encode(), "kernel_information.json") if known else {}
    return Model(path, wrapper, text(".kernel.cpp"), tuple(nodes), read_wrapper(wrapper), library, lines)
