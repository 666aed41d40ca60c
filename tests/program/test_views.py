"""What is read agrees, field by field, with what torch said after loading: archives of all releases that are kept here.

`archives/` has a folder for each release of torch that wrote it; machine code and large weights are zeros there. The
scripts that wrote them stand in `corpus/` and, for CUDA, in `gpu/`.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from aoti_lint.program.read import read
from tests.program.views import disagreements

ARCHIVES = Path(__file__).parent / "archives"
VIEWS = sorted(path for path in ARCHIVES.rglob("*.view.json") if not path.name.startswith("bare"))
BARE = sorted(ARCHIVES.rglob("bare*.zip"))


def archive_of(view: Path) -> Path:
    return Path(str(view).removesuffix(".view.json") + ".pt2")


@pytest.mark.parametrize("path", VIEWS, ids=lambda path: f"{path.parent.name}/{path.name.removesuffix('.view.json')}")
def test_agrees_with_torch(path: Path) -> None:
    view = json.loads(path.read_text())
    archive = read(str(archive_of(path)))
    assert archive.problems == ()
    if "error" not in view:
        assert disagreements(archive, view) == []


def test_modules_are_real_ones() -> None:
    """torch 2.8 names a module that is none for the sizes it looks up first."""
    program = read(str(ARCHIVES / "2.8.0" / "buffers_dim.pt2")).programs[0]
    assert {call.module for call in program.calls} == {"", "emb", "bn", "out"}


def test_the_comparison_can_fail() -> None:
    path = next(path for path in VIEWS if path.name == "shared_dim.view.json")
    archive = read(str(archive_of(path)))
    view = json.loads(path.read_text())
    view["user_inputs"][0]["shape"][0] = 5
    view["ops"]["aten.add.Tensor"] = 77
    view["range_constraints"] = {name: [3, 4] for name in view["range_constraints"]}
    view["input_specs"][0]["target"] = "other.weight"
    assert len(disagreements(archive, view)) >= 4


@pytest.mark.parametrize("path", BARE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_bare_libraries(path: Path, tmp_path: Path) -> None:
    """A library and what torch left beside it; `bare_cache` is its own cache, which keeps no view."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    (library,) = tmp_path.glob("*.so")
    archive_read = read(str(library))
    view = path.with_suffix(".view.json")
    assert archive_read.kind == "library"
    (package,) = archive_read.packages
    assert package.device_type == "cpu"
    assert package.machine == "x86_64"
    if package.readable:
        assert package.inputs
        assert archive_read.problems == ()
    if view.exists():
        assert disagreements(archive_read, json.loads(view.read_text())) == []
