"""Reads a set of files that an index lists: `model.safetensors.index.json`, `pytorch_model.bin.index.json`.

The index is `{"metadata": {…}, "weight_map": {name: file}}`, as Hugging Face's libraries write it beside the files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath

from aoti_lint.files.opener import INDEX, read_file
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.facts import Problem
from aoti_lint.program.weights.file import Entry, WeightFile
from aoti_lint.program.weights.naming import clean, quoted, several
from aoti_lint.program.weights.safetensors import parse_object

MAX_FILES = 10_000


def read_sharded(index: Path, read_one: Callable[[Path], WeightFile]) -> WeightFile:
    """All names of the set. Raises Unreadable if the index, or a file it lists, cannot be read."""
    document = parse_object(read_file(index, INDEX), f"the index {index}")
    weights = document.get("weight_map")
    if not isinstance(weights, dict) or not all(isinstance(value, str) for value in weights.values()):
        raise Unreadable(f'{index} is no index of weights: it has no "weight_map" of names to files')
    listed = {clean(name): file for name, file in weights.items()}
    files = sorted(set(listed.values()))
    if len(files) > MAX_FILES:
        raise Unreadable(f"{index} lists {len(files)} files; {MAX_FILES} at most are read")
    entries: list[Entry] = []
    twins: dict[str, str] = {}
    problems: list[Problem] = []
    formats = set()
    for file in files:
        part = read_one(_beside(index, file))
        formats.add(part.format)
        twins.update(part.twins)
        problems += part.problems
        here = [entry for entry in part.entries if listed.get(entry.name) == file]
        own = {entry.name for entry in here}
        for entry in here:
            # A storage is shared within one file only.
            storage = f"{file}:{entry.storage}" if entry.storage is not None else None
            tied = entry.tied if entry.tied in own else None
            entries.append(entry.model_copy(update={"part": file, "storage": storage, "tied": tied}))
        held = {entry.name for entry in part.entries}
        if absent := [name for name, where in listed.items() if where == file and name not in held]:
            text = f"{index.name} says that {several(absent)} would be in {quoted(file)}, but it is not there"
            problems.append(Problem(member=file, message=text))
        if extra := sorted(held - {name for name, where in listed.items() if where == file}):
            text = f"{quoted(file)} also holds {several(extra)}, which {index.name} does not list there: not counted"
            problems.append(Problem(member=file, message=text))
    return WeightFile(
        file=str(index),
        format="torch" if formats == {"torch"} else "safetensors",
        entries=tuple(entries),
        twins=twins,
        problems=tuple(problems),
    )


def _beside(index: Path, file: str) -> Path:
    """The listed file, which must lie in the folder of the index or below."""
    if "\0" in file or ".." in PurePosixPath(file).parts or ".." in PureWindowsPath(file).parts:
        raise Unreadable(f"{index} lists {quoted(file)}, which is not in its folder")
    if not file or file.endswith(".index.json") or PurePosixPath(file).is_absolute() or PureWindowsPath(file).anchor:
        raise Unreadable(f"{index} lists {quoted(file)}, which is not a file in its folder")
    path = index.parent / clean(file)
    if not path.is_file():
        raise Unreadable(f"{index} lists {quoted(file)}, which is not there; download or copy the whole set")
    return path
