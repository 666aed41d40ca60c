"""`aoti-lint verify` with real torch: what is wrong is found, what is right is not spoken of."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.cli.main import main

SCRIPTS = Path(__file__).parent / "scripts"
MODELS = SCRIPTS / "models.py"

TORCH_PYTHON = os.environ.get("AOTI_LINT_TORCH_PYTHON") or (
    sys.executable if importlib.util.find_spec("torch") else None
)
"""An interpreter that has torch."""

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set"),
]

HEALTHY = (
    "healthy_op", "healthy_dynamic_op", "healthy_declared_write", "healthy_tensor_scalar", "healthy_eval",
    "healthy_nested", "healthy_guard", "healthy_buffer",
)  # fmt: skip

WRONG = {
    # Python values are dropped by the package
    "wrong_scalar": ("accepts", "package", r"Guard failed: k == 2", r"x \(3,\); k=3 instead of 2"),
    # the value of a one-element buffer is compiled in
    "wrong_buffer": ("values differ", "package", r"out\[0\]", r"2 calls with x \(3,\)"),
    # training mode
    "wrong_dropout": ("random", "package", r"dropout is alive in 1", r""),
    "wrong_batch_norm": ("training mode", "program", r"batch norm is in training mode in batch_norm", r""),
    "wrong_autocast": ("dtype differs", "package", r"bfloat16 instead of torch.float32", r""),
    # fake functions that promise something else than the operator does
    "wrong_hard_coded": ("values differ", "package", r"of 40 values differ", r"x \(5, 8\)"),
    "wrong_dtype": (None, "package", r"", r"x \(\d+, 8\)"),
    "wrong_size": (None, "package", r"", r"x \(\d+, 8\)"),
    "wrong_even": (None, "package", r"", r"x \(5, 8\)"),
    "wrong_not_dynamic": (None, "package", r"", r"x \(\d+, 8\)"),
    "wrong_undeclared": ("undeclared write", "program", r"changes the argument x", r""),
}
"""Verdict, who is wrong, and patterns for the text and the smallest case.

None: any verdict, as memory was overwritten; whether the smallest call shows it then hangs on what lies behind.
"""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all programs and packages, compiled in two processes."""
    folder = tmp_path_factory.mktemp("verify")
    names = [*HEALTHY, *WRONG, "outside_equal", "program_baked"]
    builds = [
        subprocess.Popen(
            [str(TORCH_PYTHON), str(SCRIPTS / "build.py"), str(folder), *half],
            env={"TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"), **os.environ, "CUDA_VISIBLE_DEVICES": ""},
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        for half in (names[::2], names[1::2])
    ]  # fmt: skip
    for build in builds:
        _, errors = build.communicate()
        assert build.returncode == 0, errors[-3000:]
    return folder


Verify = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> Verify:
    """Runs the command; gives its exit code and its report."""

    def run(*words: object) -> tuple[int, dict[str, Any]]:
        code = main(["verify", *map(str, words), "--python", str(TORCH_PYTHON), "--output-format", "json"])
        printed = capsys.readouterr()
        assert printed.out, printed.err
        assert "this runs" in printed.err
        report: dict[str, Any] = json.loads(printed.out)
        return code, report

    return run


def package(built: Path, name: str) -> list[object]:
    return [built / f"{name}.pt2", "--program", built / f"{name}.ep.pt2", "--ops", MODELS]


def cases(report: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [ran for ran in report["cases"] if ran["case"]["kind"] == kind]


@pytest.mark.parametrize("name", HEALTHY)
def test_what_is_right_agrees(name: str, built: Path, verify: Verify) -> None:
    code, report = verify(*package(built, name), "--skip", "outside")
    assert report["failures"] == []
    assert code == 0
    assert {ran["finding"]["verdict"] for ran in report["cases"]} == {"agrees"}
    assert len(report["cases"]) >= 8


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found(name: str, built: Path, verify: Verify) -> None:
    verdict, subject, text, smallest = WRONG[name]
    code, report = verify(*package(built, name), "--skip", "outside")
    assert code == 1
    found = report["failures"]
    matching = [failure for failure in found if verdict in (None, failure["verdict"])]
    assert matching, found
    first = matching[0]
    assert first["subject"] == subject
    assert re.search(text, first["text"]), first
    assert re.search(smallest, first["smallest"]), first
    assert first["why"]


def test_a_reproduction_runs_and_shows_the_same(built: Path, verify: Verify, tmp_path: Path) -> None:
    _, report = verify(*package(built, "wrong_buffer"), "--only", "repeat")
    script = tmp_path / "repro.py"
    script.write_text(report["failures"][0]["code"], encoding="utf-8")
    done = subprocess.run([str(TORCH_PYTHON), script], capture_output=True, text=True, check=True)
    lines = [line.split(" ", 1) for line in done.stdout.splitlines()]
    assert [name for name, _ in lines] == ["program", "program", "package", "package"]
    assert lines[0][1] == lines[2][1]
    assert lines[1][1] != lines[3][1]


def test_silence_beyond_the_contract_is_information(built: Path, verify: Verify) -> None:
    code, report = verify(*package(built, "outside_equal"), "--only", "example,outside")
    assert code == 0
    assert report["failures"] == []
    silent = {ran["case"]["name"] for ran in cases(report, "outside") if ran["silent"]}
    assert {
        "x: transposed in memory",
        "x: shape[1] is 4 instead of 3",
        "x: shape[0] is 3 where the others go with 4",
        "x: float64 instead of float32",
    } <= silent
    code, _ = verify(*package(built, "outside_equal"), "--only", "example,outside", "--strict")
    assert code == 1


def test_the_module_a_package_was_made_from_is_a_reference(built: Path, verify: Verify) -> None:
    code, report = verify(built / "healthy_nested.pt2", "--script", f"{MODELS}:make_nested", "--skip", "outside")
    assert (code, report["compared"]) == (0, ["module", "package"])
    assert {ran["finding"]["verdict"] for ran in report["cases"]} == {"agrees"}


def test_a_program_that_a_function_makes_is_a_reference(built: Path, verify: Verify) -> None:
    code, report = verify(built / "wrong_scalar.pt2", "--script", f"{MODELS}:wrong_scalar", "--only", "scalar")
    assert (code, report["compared"]) == (1, ["program", "package"])


def test_a_size_that_was_baked_in_is_seen_against_the_module(built: Path, verify: Verify) -> None:
    code, report = verify(built / "program_baked.ep.pt2", "--script", f"{MODELS}:make_baked")
    assert code == 0
    other = next(ran for ran in cases(report, "outside") if ran["case"]["name"] == "x: shape[0] is 5 instead of 4")
    assert other["finding"]["verdict"] == "rejected"
    assert "Guard failed" in other["finding"]["text"]


@pytest.mark.parametrize("forks", [True, False])
def test_a_crash_is_a_result_and_the_rest_still_runs(
    forks: bool, built: Path, verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not forks:
        monkeypatch.setenv("AOTI_LINT_NO_FORK", "1")
    code, report = verify(
        built / "healthy_op.pt2", "--program", built / "healthy_op.ep.pt2", "--script", f"{MODELS}:make_dies",
        "--only", "example,size",
    )  # fmt: skip
    assert code == 1
    failure = report["failures"][0]
    assert (failure["verdict"], failure["subject"], failure["smallest"]) == ("crash", "module", "x (7, 8)")
    assert "SIGSEGV" in failure["text"]
    assert report["cases"][-1]["case"]["name"] not in failure["cases"]


def test_a_hang_is_a_result(built: Path, verify: Verify) -> None:
    code, report = verify(
        built / "healthy_op.pt2", "--program", built / "healthy_op.ep.pt2", "--script", f"{MODELS}:make_hangs",
        "--only", "example,size", "--timeout", "2",
    )  # fmt: skip
    assert code == 1
    assert ("hang", "module") in [(failure["verdict"], failure["subject"]) for failure in report["failures"]]
    assert any(ran["finding"]["verdict"] == "agrees" for ran in report["cases"])


def test_a_model_of_an_archive_with_several_is_compared_with_the_program_beside_it(built: Path, verify: Verify) -> None:
    mixed = built / "mixed.pt2"
    with zipfile.ZipFile(mixed, "w") as archive:
        for part in ("healthy_buffer.ep", "healthy_buffer"):
            for model in ("one", "two"):
                with zipfile.ZipFile(built / f"{part}.pt2") as source:
                    for name in source.namelist():
                        inside = re.sub(r"(?<=/)model(?=[/._])", model, name.partition("/")[2])
                        if f"mixed/{inside}" not in archive.namelist():
                            archive.writestr(f"mixed/{inside}", source.read(name))
    code, report = verify(mixed, "--model", "two", "--skip", "outside")
    assert (code, report["compared"]) == (0, ["program", "package"])
    assert main(["verify", str(mixed)]) == 2


def test_missing_operators_are_said(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [built / "healthy_op.pt2", "--program", built / "healthy_op.ep.pt2", "--python", TORCH_PYTHON]
    assert main(["verify", *map(str, words)]) == 2
    assert "--ops" in capsys.readouterr().err
