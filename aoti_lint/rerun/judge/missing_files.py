"""A file to load that is not there, or is no whole archive: which one, and where it is instead."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator

from aoti_lint.files.opener import ARCHIVE, open_regular
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.result import Culprit

NAMES = ("file-missing",)
"""Causes that this tells more of."""
LOOKED = 5000
"""Files that are looked through for one of the same name."""
_POINTER = b"version https://git-lfs"


def told(named: Culprit, seen: Evidence) -> Culprit:
    """A culprit that says that a file cannot be loaded, with the file and what is wrong with it."""
    raised = {(event.pid, event.of) for event in seen.events if event.event == "raised" and event.what == "load"}
    loads = [event for event in seen.events if event.event == "load" and (event.pid, event.number) in raised]
    path = next((event.asked for event in loads if event.asked), None)
    if named.name not in NAMES or path is None:
        return named
    there = seen.there(path)
    what, fix = _absent(path, seen) if not os.path.exists(there) else _broken(path, there, named)
    place = next((event.place for event in loads if event.place is not None), None)
    return named.model_copy(
        update={"name": os.path.relpath(path), "what": what, "fix": fix, "place": place or named.place}
    )


def _absent(path: str, seen: Evidence) -> tuple[str, str]:
    others = sorted(_of_the_name(os.path.basename(path), seen.there(os.getcwd())))
    folder = os.path.dirname(path)
    what = f"there is no file {path}" if os.path.isdir(seen.there(folder)) else f"there is no folder {folder}"
    if others:
        what += f"; one of that name is {others[0]}"
    fix = (
        "A relative path is taken from the folder in which the program runs: build it from __file__, or load the path "
        "that the compile returned."
    )
    return what, fix


def _of_the_name(name: str, top: str) -> Iterator[str]:
    """Files below a folder with a name, from there."""
    looked = 0
    for folder, folders, files in os.walk(top):
        folders[:] = [each for each in folders if not each.startswith(".") and each != "aoti-rerun"]
        looked += len(files)
        if name in files:
            yield os.path.relpath(os.path.join(folder, name), top)
        if looked > LOOKED:
            return


def _broken(path: str, there: str, named: Culprit) -> tuple[str, str]:
    if os.path.isdir(there):
        return f"{path} is a folder", "Load the .pt2 in it."
    try:
        size = os.path.getsize(there)
        with open_regular(there, ARCHIVE) as file:
            start = file.read(len(_POINTER))
            whole = zipfile.is_zipfile(file)
        if start == _POINTER:
            return f"{path} is the pointer of Git LFS, and not the file ({size} bytes)", "Run `git lfs pull`."
        if whole:
            return named.what, named.fix
    except OSError as error:
        return f"{path} cannot be read: {error.strerror or error}", ""
    if start.startswith(b"PK"):
        return (
            f"{path} ({size} bytes) begins as a package does, and its end is missing: it was cut off",
            "Copy it again, and compare size and checksum with where it was compiled. A process that loads it while "
            "another one writes it sees this too: write to another name, then os.replace.",
        )
    return f"{path} ({size} bytes) is no package: a .pt2 is a zip archive", named.fix
