"""Which torch versions a run judges for, and who said so."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping

from aoti_lint.errors import CannotRun
from aoti_lint.torch_api.environment import installed_torch
from aoti_lint.torch_api.project_files import says
from aoti_lint.torch_api.versions import MINORS, SUPPORTED, Unsupported, VersionSet, release

LONGEST, MOST = 400, 100
"""Characters of a requirement, and requirements of one file, that are read."""


class Target:
    """The versions, who named them ("uv.lock"), and what the user should know about that choice.

    `stated` is False where nobody named any, and all supported versions stand in, and where the project asks for
    `torch>=2.3` or `torch<=2.11`: what is installed for it is the newest that fits, and the oldest is seldom tried.
    `installed` is True where nobody named any and an environment that is there has one.
    `below` has the folders, relative to the root and with "/", whose own files say something else.
    """

    __slots__ = ("below", "installed", "notes", "origin", "stated", "versions")

    def __init__(self, versions: VersionSet, origin: str, notes: tuple[str, ...] = (), *, stated: bool = True) -> None:
        self.versions, self.origin, self.notes, self.stated = versions, origin, notes, stated
        self.below: dict[str, Target] = {}
        self.installed = False

    def __repr__(self) -> str:
        return f"Target({str(self.versions)!r}, {self.origin!r}, {self.notes!r})"


def find_target(
    root: str | os.PathLike[str],
    *,
    torch_version: str | None = None,
    config_version: str | None = None,
    config_path: str | None = None,
    python: str | None = None,
    environ: Mapping[str, str] | None = None,
    files: Iterable[str] = (),
) -> Target:
    """Choose the target versions for the project at `root`, and for those of its `files` that lie elsewhere in it.

    The first that says something decides: `torch_version` (the command line), `python` (an interpreter, environment
    folder or command, named on the command line), `config_version` (from the file `config_path`), the files of the
    project (lock files, constraints, requirements, `environment.yml`, `pyproject.toml`, `setup.cfg`, `setup.py`) in
    `root` or above it in the same repository, the environment `.venv` or `venv` at the root, the active one of
    `environ` (`VIRTUAL_ENV`, `CONDA_PREFIX`), and with none of them all supported versions. Of the files of a project
    those in the nearest folder decide; where they are open at the end (`torch>=2.3`), together with the next that
    are not.

    Versions outside the supported ones become the nearest of them, with a note. Raises `CannotRun` when what the user
    named cannot be read, or names only older versions; files of the project never raise.
    """
    if torch_version is not None:
        return _named(torch_version, "--torch-version")
    if python is not None:
        return _of_python(python)
    if config_version is not None:
        return _named(config_version, os.path.basename(config_path) if config_path else "torch-version")
    top = os.path.abspath(root)
    said = [target for target in (_of_folder(folder, top) for folder in _upwards(top)) if target is not None]
    target = _nearest(said) or _of_environments(top, environ, tuple(note for one in said for note in one.notes))
    inside: dict[str, Target | None] = {}
    for folder in sorted(_folders(files)):
        inside[folder] = _of_folder(os.path.join(top, folder), top)
        if inside[folder] is not None:
            around = (inside[one] for one in ancestors(folder))
            nearest = _nearest([one for one in (*around, *said) if one is not None])
            outer = next((target.below[one] for one in ancestors(folder) if one in target.below), target)
            if nearest is not None and (nearest.versions, nearest.stated) != (outer.versions, outer.stated):
                target.below[folder] = nearest
    return target


def _folders(files: Iterable[str]) -> set[str]:
    """The folders, of paths with "/", in which there is a file or a folder with one; not the root."""
    direct = {path.rpartition("/")[0] for path in files}
    return {folder for one in direct for folder in ancestors(one)}


def ancestors(folder: str) -> Iterator[str]:
    """A folder and those around it, the innermost first, without the root."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def nearest(below: Mapping[str, Target], path: str) -> Target | None:
    """What the nearest of the folders in `below` says of a file, or of what is in it; None where none is around it."""
    if not below:
        return None
    folders = ancestors(path.partition("::")[0].rpartition("/")[0])
    return next((below[folder] for folder in folders if folder in below), None)


def _of_folder(folder: str, top: str) -> Target | None:
    """What the files of one folder say; without versions where none of theirs can be read."""
    found = says(folder)
    if found is None:
        return None
    target = _of_requirements(found[1], os.path.relpath(os.path.join(folder, found[0]), top).replace("\\", "/"))
    target.stated = bool(target.versions) and target.versions.last != MINORS[-1] and any(map(_begins, found[1]))
    return target


def _nearest(said: list[Target]) -> Target | None:
    """What holds, of what is said in a folder and in those around it, the innermost first."""
    said = [target for target in said if target.versions]
    if not said or said[0].stated:
        return said[0] if said else None
    closed = next((target for target in said if target.stated), None)
    both = said[0].versions & closed.versions if closed is not None else VersionSet()
    if closed is None or not both:
        return said[0]
    return Target(both, closed.origin, closed.notes)


def _of_environments(top: str, environ: Mapping[str, str] | None, notes: tuple[str, ...]) -> Target:
    active = os.environ if environ is None else environ
    for place in (os.path.join(top, ".venv"), os.path.join(top, "venv"), active.get("VIRTUAL_ENV"),
                  active.get("CONDA_PREFIX")):  # fmt: skip
        version = installed_torch(place) if place else None
        if place and version:
            target = _of_requirements([f"=={version}"], f"the environment {os.path.basename(place)}")
            found = Target(target.versions, target.origin, notes + target.notes)
            found.installed = True
            return found
    return Target(SUPPORTED, "all supported versions", notes, stated=False)


def _upwards(folder: str) -> list[str]:
    """`folder` and those above it up to the top of its repository; only itself outside of any repository."""
    folders = [folder]
    while not os.path.exists(os.path.join(folders[-1], ".git")):
        parent = os.path.dirname(folders[-1])
        if parent == folders[-1]:
            return [folder]
        folders.append(parent)
    return folders


def _named(text: str, origin: str) -> Target:
    if len(text) > LONGEST:
        raise CannotRun(f"{origin}: versions of torch have no more than {LONGEST} characters")
    try:
        return Target(VersionSet.parse(text), origin)
    except ValueError as error:
        if isinstance(error, Unsupported) and _all_newer(text):
            return Target(VersionSet([MINORS[-1]]), origin, (_newer(origin, text),))
        raise CannotRun(f"{origin}: {error}") from None


def _of_python(place: str) -> Target:
    path = place
    if not os.path.exists(path):
        from shutil import which

        path = which(place) or ""
    if not path:
        raise CannotRun(f"--python: there is no interpreter or environment {place}")
    version = installed_torch(path)
    if version is None:
        raise CannotRun(f"--python: no torch is installed in the environment of {place}")
    return _of_requirements([f"=={version}"], f"the environment of {place}")


def _of_requirements(specs: list[str], origin: str) -> Target:
    """The versions that fit one of the requirements; empty when none can be read, with a note when none makes sense.

    Of one that has no lowest version, beside one that has, the newest counts: that is installed.
    """
    versions, notes = VersionSet(), []
    begin = any(map(_begins, specs))
    if len(specs) > MOST or any(len(spec) > LONGEST for spec in specs):
        notes.append(f"{origin} has more requirements of torch, or longer ones, than are read")
        specs = [spec for spec in specs if len(spec) <= LONGEST][:MOST]
    for spec in specs:
        try:
            fitting = VersionSet.parse(spec)
            versions |= fitting if _begins(spec) or not begin else VersionSet([fitting.last])
            continue
        except ValueError:
            numbers = _numbers(spec)
        if _all_newer(spec):
            versions |= VersionSet([MINORS[-1]])
            notes.append(_newer(origin, spec))
        elif numbers and max(numbers)[:2] <= release(MINORS[0]):
            versions |= VersionSet([MINORS[0]])
            notes.append(
                f"{origin} asks for torch {_shown(spec)}, older than {MINORS[0]}, the oldest known: "
                f"judged as {MINORS[0]}"
            )
        elif numbers:
            notes.append(f"{origin} asks for torch {_shown(spec)}, which no version fits")
    return Target(versions, origin, tuple(notes))


def _begins(spec: str) -> bool:
    """Whether a requirement says how old torch may be at most, as `<2.11` alone does not."""
    return any(not part.strip().startswith(("<", "!")) for part in spec.split(","))


def _all_newer(text: str) -> bool:
    numbers = _numbers(text)
    return bool(numbers) and min(numbers)[:2] > release(MINORS[-1])


def _numbers(text: str) -> list[tuple[int, ...]]:
    return [release(number) for number in re.findall(r"(?<![\w.+])v?(\d+(?:\.\d+)*)", text)]


def _newer(origin: str, text: str) -> str:
    return f"{origin} asks for torch {_shown(text)}, newer than {MINORS[-1]}, the newest known: judged as {MINORS[-1]}"


def _shown(spec: str) -> str:
    return spec.strip().lstrip("=")
