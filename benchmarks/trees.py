"""The trees that are checked, and a sample of one."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from benchmarks.tools import download

TREE = "torchao==0.18.0"
"""What is checked when no tree is named: about 500 files and 5 MB that are full of torch."""


def default_tree(folder: Path) -> Path:
    """The Python files of `TREE`, downloaded into `folder` unless they are there."""
    tree = folder / "tree"
    if not tree.exists():
        wheel = download(TREE, folder)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tree, [name for name in archive.namelist() if name.endswith(".py")])
        wheel.unlink()
    return tree


def python_files(tree: Path) -> list[Path]:
    """The Python files below `tree`, in the order of their names."""
    return sorted(path for path in tree.rglob("*.py") if path.is_file())


def size(tree: Path) -> int:
    """The bytes of the Python files below `tree`."""
    return sum(path.stat().st_size for path in python_files(tree))


def sample(tree: Path, folder: Path, every: int) -> Path:
    """A copy below `folder` of every so-many-th Python file of `tree` by size: large and small as in the whole."""
    shutil.rmtree(folder, ignore_errors=True)
    by_size = sorted(python_files(tree), key=lambda path: path.stat().st_size)
    for path in by_size[min(every // 2, len(by_size) - 1) :: every]:
        copy = folder / path.relative_to(tree)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return folder
