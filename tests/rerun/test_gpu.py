"""What reruns on a GPU said of planted faults (`gpu/record.py`), and what their logs are read as."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.rerun.judge.autotuning import by_tuning
from aoti_lint.rerun.judge.debuggers import sanitizer
from aoti_lint.rerun.judge.reading import Reading
from aoti_lint.rerun.read import events
from aoti_lint.rerun.result import Launch
from aoti_lint.rerun.wrapper.launches import Program
from tests.rerun.judge.test_debuggers import evidence_of

GPU = Path(__file__).parent / "gpu"
DATA = Path(__file__).parent / "data" / "gpu"
"""Of torch 2.11 on an H200."""
LABELS: dict[str, dict[str, Any]] = json.loads((GPU / "labels.json").read_text(encoding="utf-8"))
RECORDED: dict[str, dict[str, Any]] = json.loads((GPU / "recorded.json").read_text(encoding="utf-8"))["scripts"]


def test_every_fault_has_a_label_and_a_record() -> None:
    assert {path.name for path in (GPU / "faults").glob("*.py")} == LABELS.keys()
    assert RECORDED.keys() == LABELS.keys()


@pytest.mark.parametrize("script", sorted(RECORDED))
def test_the_culprit_was_named(script: str) -> None:
    label, record = LABELS[script], RECORDED[script]
    assert record["sha"] == hashlib.sha256((GPU / "faults" / script).read_bytes()).hexdigest()[:16], "record it again"
    assert record["found"]
    first = record["culprits"][0]
    assert (first["kind"], first["sure"]) == (label["kind"], True)
    assert first["name"].startswith(label["name"])
    assert label["line"] in first["lines"]


def test_a_kernel_that_a_compile_dies_in(tmp_path: Path) -> None:
    (culprit,) = by_tuning(read("triton_index", tmp_path))
    assert (culprit.name, culprit.sure) == ("fetch_kernel_0", True)
    assert culprit.place is not None
    assert culprit.place.function == "fetch_kernel"


def test_a_kernel_that_makes_indices_outside_of_everything(tmp_path: Path) -> None:
    maker, victim = by_tuning(read("bad_rows", tmp_path))
    assert (maker.name, maker.sure) == ("triton_poi_fused__to_copy_addmm_mul_sigmoid_squeeze_0", True)
    assert "from 1391010048 to 9579416576" in maker.what
    assert maker.place is not None
    assert maker.place.line == 33
    assert (victim.name, victim.sure) == ("gather_kernel_0", False)


def test_kernels_that_end_well_are_not_blamed(tmp_path: Path) -> None:
    found = [event for event in read("bad_rows", tmp_path) if event.event == "tune" or event.what == "tune"][:2]
    assert [event.event for event in found] == ["tune", "returned"]
    assert by_tuning(found) == []


def read(name: str, folder: Path) -> list[events.Event]:
    """The events of a recorded run."""
    (folder / "1.jsonl").write_bytes((DATA / f"{name}.jsonl").read_bytes())
    return events.read(str(folder))


LINES = (DATA / "compute_sanitizer.txt").read_text(encoding="utf-8").splitlines()


def test_compute_sanitizer_names_the_operator_behind_a_kernel() -> None:
    """`fault::prefix` is in C++; that `prefix` launched the kernel is in the stack of the host."""
    names = ("other::sums", "fault::prefix")
    launches = [Launch(number=at, name=name, kind="op") for at, name in enumerate(names, 1)]
    reading = Reading(program=Program(launches=launches))
    (says,) = sanitizer(reading, evidence_of("sanitizer", LINES), "illegal-memory-access")
    (culprit,) = reading.culprits
    assert (culprit.kind, culprit.name, culprit.sure) == ("op", "fault::prefix", True)
    assert culprit.what == (
        "compute-sanitizer: Invalid __global__ write of size 4 bytes, 1 bytes after the nearest allocation at "
        "0x7f413c910a00 of size 262,144 bytes, in its kernel prefix_rows"
    )
    assert culprit.what in says


def test_compute_sanitizer_names_a_kernel_of_the_package() -> None:
    launches = [Launch(number=1, name="prefix_rows_0", kind="kernel"), Launch(number=2, name="a::b", kind="op")]
    reading = Reading(program=Program(launches=launches))
    sanitizer(reading, evidence_of("sanitizer", LINES), "illegal-memory-access")
    (culprit,) = reading.culprits
    assert (culprit.kind, culprit.name) == ("kernel", "prefix_rows_0")


def test_compute_sanitizer_names_a_kernel_that_nobody_knows() -> None:
    reading = Reading()
    sanitizer(reading, evidence_of("sanitizer", LINES), "illegal-memory-access")
    (culprit,) = reading.culprits
    assert (culprit.kind, culprit.name) == ("kernel", "prefix_rows")
