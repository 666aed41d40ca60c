"""Reads a file of weights of any kind that is known."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from aoti_lint.files.near import beside
from aoti_lint.files.opener import WEIGHTS, open_regular
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.weights.file import WeightFile
from aoti_lint.program.weights.pickled import read_pickled
from aoti_lint.program.weights.safetensors import looks_like_safetensors, read_safetensors
from aoti_lint.program.weights.sharded import read_sharded


def read_weights(path: str | PathLike[str]) -> WeightFile:
    """What a file of weights holds, told by its content and not its name; an index stands for all the files it lists.

    Nothing in the file is ever called or imported. Raises Unreadable with a message for the user.
    """
    file = Path(path)
    try:
        return _read_index(file) if file.name.endswith(".index.json") else _read_one(file)
    except OSError as problem:
        near = beside(str(path)) if isinstance(problem, FileNotFoundError) else ""
        raise Unreadable(f"cannot read {path}: {problem.strerror or problem}{near}") from None


def _read_index(path: Path) -> WeightFile:
    return read_sharded(path, _read_one)


def _read_one(path: Path) -> WeightFile:
    if path.is_dir():
        raise Unreadable(f"{path} is a folder; name the file of weights in it, or the .index.json of a sharded set")
    with open_regular(path, WEIGHTS) as stream:
        start = stream.read(16)
        size = stream.seek(0, 2)
        stream.seek(0)
        if looks_like_safetensors(start, size) or path.suffix == ".safetensors":
            return read_safetensors(stream, str(path))
        return read_pickled(stream, str(path))
