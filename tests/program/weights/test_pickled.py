"""Files of `torch.save` are read as torch reads them: `saved/` against the views that torch recorded."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.weights.file import Entry, WeightFile
from aoti_lint.program.weights.pickled import read_pickled
from aoti_lint.program.weights.reading import read_weights

HERE = Path(__file__).parent
SAVED = HERE / "saved"
VIEWS: dict[str, Any] = json.loads((SAVED / "views.json").read_text(encoding="utf-8"))["files"]
TORCH_PYTHON = os.environ.get("AOTI_LINT_TORCH_PYTHON") or (
    sys.executable if importlib.util.find_spec("torch") else None
)


def named(file: WeightFile) -> dict[str, Entry]:
    return {entry.name: entry for entry in file.entries}


def check(path: Path, said: dict[str, Any]) -> None:
    """Every field that torch recorded is what was read."""
    if "refused" in said:
        with pytest.raises(Unreadable, match=said["refused"]):
            read_weights(path)
        return
    file = read_weights(path)
    assert file.format == "torch"
    assert list(file.wrapper) == said["way"]
    found = named(file)
    assert list(found) == list(said["names"])
    for name, wanted in said["names"].items():
        entry = found[name]
        assert (entry.tensor is None) == (wanted is None), name
        if entry.tensor is None:
            continue
        assert {
            "dtype": entry.tensor.dtype,
            "shape": list(entry.tensor.shape),
            "strides": list(entry.tensor.strides) if entry.tensor.strides is not None else None,
            "device": entry.tensor.device,
            "layout": entry.tensor.layout,
            "requires_grad": entry.tensor.requires_grad,
            "offset": entry.offset,
            "storage_bytes": entry.storage_bytes,
            "bytes": entry.bytes,
            "tied": entry.tied,
        } == {key: value for key, value in wanted.items() if key not in ("parameter", "class")}, name
        assert entry.what.startswith("parameter") == wanted["parameter"], name
        assert wanted["class"] in ("Tensor", "Parameter") or entry.what.endswith("." + wanted["class"]), name


@pytest.mark.parametrize("name", VIEWS)
def test_saved(name: str) -> None:
    check(SAVED / name, VIEWS[name])


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
def test_saved_now(tmp_path: Path) -> None:
    """The same with the torch that is installed, and with a state dict of thousands of names."""
    command = [str(TORCH_PYTHON), "-m", "tests.program.weights.record_saved", str(tmp_path / "saved")]
    subprocess.run(command, cwd=HERE.parents[2], check=True, capture_output=True, timeout=300)
    views = json.loads((tmp_path / "saved" / "views.json").read_text(encoding="utf-8"))["files"]
    assert set(views) == set(VIEWS)
    for name, said in views.items():
        check(tmp_path / "saved" / name, said)
    begun = time.monotonic()
    assert len(read_weights(tmp_path / "saved" / "big.bin").entries) == 5000
    assert time.monotonic() - begun < 5


def test_within_another_archive() -> None:
    """The weights of programs that torch 2.4 to 2.8 exported are such files inside the archive."""
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        archive.write(SAVED / "state_2.pt", "serialized_state_dict.pt")
    with zipfile.ZipFile(outer) as archive, archive.open("serialized_state_dict.pt") as member:
        found = read_pickled(member, "ep.pt2: serialized_state_dict.pt")  # type: ignore[arg-type]
    assert found.entries == read_weights(SAVED / "state_2.pt").entries


def test_what_is_not_a_tensor_is_named() -> None:
    found = named(read_weights(SAVED / "others_2.pt"))
    assert found["step"].what == "of type int"
    assert found["map"].what == "a dict"
    assert found["device"].what == "of type Device"


def test_names_that_are_numbers_are_reported() -> None:
    assert [problem.message for problem in read_weights(SAVED / "unusual_names_2.pt").problems] == [
        "a key of the state dict is 7, not a name"
    ]


def test_lost_data_is_reported(tmp_path: Path) -> None:
    """A member is missing, as after a broken copy; the description is there all the same."""
    path = tmp_path / "half.pt"
    with zipfile.ZipFile(SAVED / "tied_2.pt") as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            if not info.filename.endswith("data/0"):
                new.writestr(info.filename, old.read(info))
    file = read_weights(path)
    assert len(file.entries) == 5
    assert [problem.message for problem in file.problems] == [
        'the data of "a" (and 4 more tied to it) is missing or cut off'
    ]
