"""Puts the archives of the tests where a test wants them."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

HERE = Path(__file__).parent / "archives"


def place(name: str, folder: Path, *, age: float = 0.0) -> Path:
    """Copy an archive into `folder`, `age` seconds old.

    A library (`on_gpu.so`) is taken out of the package of that name, with the sources torch writes beside it.
    """
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    source = HERE / Path(name).name
    if source.suffix == ".so":
        with zipfile.ZipFile(source.with_suffix(".pt2")) as archive:
            for inside in archive.namelist():
                for ending in (".wrapper.so", ".wrapper.cpp", ".wrapper_metadata.json", ".wrapper.json"):
                    if inside.endswith(ending):
                        beside = target if ending.endswith(".so") else target.with_name(target.stem + ending)
                        beside.write_bytes(archive.read(inside))
    else:
        shutil.copyfile(source, target)
    if age:
        moment = target.stat().st_mtime - age
        os.utime(target, (moment, moment))
    return target
