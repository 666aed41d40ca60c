"""Any file that torch writes a program or a compiled model into."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, BinaryIO, TypeVar

from aoti_lint.files.opener import ARCHIVE, open_regular
from aoti_lint.program import facts
from aoti_lint.program.container.archive import ZipArchive, is_zip
from aoti_lint.program.container.texts import MAX_JSON, parse_json
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.exported.exported import Payload, payloads_of, read_program

SUFFIXES = (".pt2", ".so", ".dylib", ".dll", ".pyd")
"""Files that are read when they are named."""

_T = TypeVar("_T")

MAX_MODELS = 32
"""Programs, and compiled models, of one archive that are read."""

_MODEL = re.compile(r"models/([^/]+)\.json")
_AOTI = re.compile(r"data/aotinductor/([^/]+)/(.+)")
_FLAT = "serialized_exported_program.json"
_SMALL = 1 << 20


def read(path: str) -> facts.Archive:
    """What the file at `path` says.

    What of it is broken stands in `problems`, beside what could be read. Raises `Unreadable` when nothing could be, and
    `OSError` when the file cannot be opened.
    """
    with open_regular(path, ARCHIVE) as file:
        return read_file(file, path)


def read_file(file: BinaryIO, name: str) -> facts.Archive:
    """The same for a file that is open; `name` is what the result calls it."""
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        raise Unreadable("the file is empty")
    if is_zip(file):
        with ZipArchive(file) as archive:
            return _Reader(archive).archive(name, size)
    file.seek(0)
    start = file.read(64)
    if start.startswith(b"version https://git-lfs"):
        raise Unreadable("this is a Git LFS pointer, not the file itself; run 'git lfs pull'")
    from aoti_lint.program.compiled.alone import read_library
    from aoti_lint.program.container.library import is_library

    if is_library(start):
        return read_library(file, name, size)
    if start.startswith(b"\x80"):
        raise Unreadable("this is a pickle, not an archive of torch.export or AOTInductor; it is not opened")
    raise Unreadable("this is neither an archive of torch.export or AOTInductor nor a shared library")


class _Reader:
    """Reads what a zip file holds, by the layouts torch has had.

    Sources: `torch/export/__init__.py` (`save`, 2.4–2.7), `torch/export/pt2_archive/constants.py` and `_package.py`
    (2.8–2.15), `torch/_inductor/package/package.py`.
    """

    def __init__(self, archive: ZipArchive) -> None:
        self._archive = archive
        names = archive.names
        self._root = _root(names)
        self._inside = {name[len(self._root) :]: name for name in names if name.startswith(self._root)}
        self._problems = [facts.Problem(member=name, message=text) for name, text in archive.oddities]

    def archive(self, name: str, size: int) -> facts.Archive:
        packages = self._packages()
        programs = self._flat() if _FLAT in self._inside else self._programs()
        if not programs and not packages and not self._problems:
            raise Unreadable(self._what_else())
        kinds = {(True, False): "exported program", (False, True): "package", (True, True): "mixed"}
        return facts.Archive(
            file=name,
            kind=kinds.get((bool(programs), bool(packages)), "empty"),  # type: ignore[arg-type]
            bytes=size,
            archive_version=self._word("archive_version") or self._word("version"),
            layout=self._layout(),
            byteorder=self._word("byteorder"),
            programs=tuple(programs),
            packages=tuple(packages),
            extra_files=tuple(n[len(p) :] for n in self._inside for p in ("extra/", "extra_files/") if n.startswith(p)),
            members=tuple(facts.Member(name=n, bytes=b, stored=s) for n in self._archive.names
                          for b, s in [self._archive.sizes(n)]),
            problems=tuple(self._problems),
        )  # fmt: skip

    def _programs(self) -> list[facts.Program]:
        found = []
        matches = [match for match in map(_MODEL.fullmatch, self._inside) if match is not None]
        for match in self._first(matches, "programs"):
            inside, model = match[0], match[1]
            payloads = {**self._payloads("weights", model), **self._payloads("constants", model)}
            payloads = payloads or self._pickled(f"data/weights/{model}.pt", f"data/constants/{model}.pt")
            program = self._program(inside, model, payloads, f"data/sample_inputs/{model}.pt")
            if program is not None:
                found.append(program)
        return found

    def _flat(self) -> list[facts.Program]:
        """The layout up to 2.7: everything at the top, weights and examples as pickles."""
        payloads = self._pickled("serialized_state_dict.pt", "serialized_constants.pt")
        program = self._program(_FLAT, "model", payloads, "serialized_example_inputs.pt")
        return [] if program is None else [program]

    def _program(self, inside: str, model: str, payloads: Mapping[str, Payload], examples: str) -> facts.Program | None:
        has_examples = None
        if examples in self._inside:
            has_examples = self._has_examples(examples)
        elif inside != _FLAT:
            has_examples = False
        member = self._inside[inside]
        try:
            data = parse_json(self._archive.read(member, MAX_JSON), inside)
            return read_program(data, model, payloads=payloads, example_inputs=has_examples, member=member)
        except Unreadable as error:
            self._problems.append(facts.Problem(member=member, message=str(error)))
            return None

    def _has_examples(self, inside: str) -> bool | None:
        """Whether example inputs were saved. For a program without any, every release leaves an empty file there."""
        size, _ = self._archive.sizes(self._inside[inside])
        return size > 0

    def _payloads(self, kind: str, model: str) -> dict[str, Payload]:
        inside = f"data/{kind}/{model}_{kind}_config.json"
        config = self._json(inside)
        try:
            return payloads_of(config) if config is not None else {}
        except Unreadable as error:
            self._problems.append(facts.Problem(member=self._inside[inside], message=str(error)))
            return {}

    def _pickled(self, *insides: str) -> dict[str, Payload]:
        """The weights and constants in files of `torch.save`, as torch kept them up to 2.8; not unpickled."""
        found: dict[str, Payload] = {}
        for inside in filter(self._inside.__contains__, insides):
            name = self._inside[inside]
            if self._archive.sizes(name)[0] == 0:
                continue
            from aoti_lint.program.weights.pickled import read_pickled

            try:
                saved = read_pickled(self._archive.window(name).file(), inside)
            except Unreadable:
                # No state dict is in it: a program may have no constants, or objects of other kinds.
                continue
            for entry in saved.entries:
                if entry.tensor is not None:
                    found[entry.name] = Payload(entry.tensor, (inside, entry.tied or entry.name))
        return found

    def _packages(self) -> list[facts.Package]:
        models: dict[str, dict[str, str]] = {}
        for inside, name in self._inside.items():
            match = _AOTI.fullmatch(inside)
            if match is not None:
                models.setdefault(match[1], {})[match[2]] = name
        if not models:
            return []
        from aoti_lint.program.compiled.compiled import read_package

        found = self._first(sorted(models.items()), "compiled models")
        return [read_package(self._archive, model, files, self._problems) for model, files in found]

    def _first(self, found: list[_T], what: str) -> list[_T]:
        """As many as are read."""
        if len(found) > MAX_MODELS:
            message = f"the archive has {len(found)} {what}; the first {MAX_MODELS} are read"
            self._problems.append(facts.Problem(member=None, message=message))
        return found[:MAX_MODELS]

    def _json(self, inside: str) -> dict[str, Any] | None:
        if inside not in self._inside:
            return None
        try:
            return parse_json(self._archive.read(self._inside[inside], MAX_JSON), inside)
        except Unreadable as error:
            self._problems.append(facts.Problem(member=self._inside[inside], message=str(error)))
            return None

    def _word(self, inside: str) -> str | None:
        if inside not in self._inside:
            return None
        try:
            return self._archive.read(self._inside[inside], _SMALL).decode("utf-8", "replace").strip()[:100]
        except Unreadable as error:
            self._problems.append(facts.Problem(member=self._inside[inside], message=str(error)))
            return None

    def _layout(self) -> str | None:
        if _FLAT in self._inside:
            return "2.4–2.7"
        if any(name.endswith(("weights_config.json", "constants_config.json")) for name in self._inside):
            return "2.9 and later"
        if any(_MODEL.fullmatch(name) for name in self._inside):
            return "2.8"
        return None

    def _what_else(self) -> str:
        names = self._inside
        if "data.pkl" in names and "constants.pkl" in names:
            return "this is a TorchScript archive (torch.jit.save), not one of torch.export or AOTInductor"
        if "data.pkl" in names:
            return "this holds tensors or a pickled object (torch.save), not an exported program"
        return "this zip file holds neither an exported program nor a compiled model"


def _root(names: list[str]) -> str:
    """The folder everything stands in, with its slash; none for the layout up to 2.7 and for archives made by hand."""
    first = names[0].partition("/")[0] if names else ""
    prefix = f"{first}/"
    return prefix if all(name.startswith(prefix) for name in names) else ""
