"""The packages whose files are planted with mistakes: `packages.json` says which versions, nothing of them is kept."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

from tests.sweep.review import SOURCES, unpack

LIST = Path(__file__).with_name("packages.json")


@dataclass(frozen=True)
class Package:
    """A package of the registry in one version; `form` is `sdist` where that holds more, else `wheel`."""

    name: str
    version: str
    form: str

    def __str__(self) -> str:
        return f"{self.name}=={self.version}"


def packages() -> list[Package]:
    """All of the list."""
    return [Package(**one) for one in json.loads(LIST.read_text(encoding="utf-8"))]


def fetch(package: Package, folder: Path) -> Path | None:
    """The folder of the package's sources, which are downloaded where they are missing; None where they cannot be.

    To name the file of an sdist, pip asks the build of the package for its metadata, which runs code of it.
    """
    project = folder / str(package)
    if project.is_dir():
        return project
    only = ["--no-binary=:all:", "--no-build-isolation"] if package.form == "sdist" else ["--only-binary=:all:"]
    archives = folder / "archives" / str(package)
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *only, "--dest", str(archives)]
    if subprocess.run([*words, str(package)], capture_output=True, check=False).returncode:
        return None
    (archive,) = archives.iterdir()
    if package.form == "sdist":
        with tarfile.open(archive) as sources:
            members = [one for one in sources.getmembers() if one.isfile() and one.name.endswith(SOURCES)]
            sources.extractall(project, members, filter="data")
    else:
        unpack(archive, project)
    # So that it is a project of its own, wherever it lies.
    (project / "pyproject.toml").touch()
    return project
