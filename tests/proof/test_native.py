"""What C++ does that the linter speaks of: Meta kernels, ops that are defined twice, programs that lack an op.

`native/` has the sources, and what was recorded when they ran.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.proof.native import prove_host, prove_twice
from tests.proof.test_proof import TORCH_PYTHON

HERE = Path(__file__).parent / "native"
SOURCE = HERE / "ops.cpp"
RECORDED: dict[str, Any] = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))
DYNAMIC = "['s', 8]"
"""The sizes of an output whose first size is a symbol."""
_KERNEL = re.compile(r"^Tensor (\w+)_meta\(.*?^}", re.MULTILINE | re.DOTALL)


def ops() -> dict[str, bool]:
    """The ops with a Meta kernel of their own, and whether the linter has to speak of it."""
    return {found[1]: "<- AOTI421" in found[0] for found in _KERNEL.finditer(SOURCE.read_text(encoding="utf-8"))}


def test_recorded_as_it_stands_now() -> None:
    sha = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    assert RECORDED["sha"] == sha, "changed since; run native/prove.py again"
    assert set(RECORDED["ops"]) == {*ops(), "composite", "sym_composite", "explicit", "no_fake"}


@pytest.mark.parametrize("op", ops())
def test_what_is_marked_loses_the_size(op: str) -> None:
    found = RECORDED["ops"][op]
    assert (found == {"named": DYNAMIC, "auto": DYNAMIC}) is not ops()[op]


@pytest.mark.parametrize(
    "op", ["size", "sizes", "static_size", "check", "rank_of_sizes", "view", "composite", "explicit"]
)
def test_sizes_are_fixed(op: str) -> None:
    """A named `Dim` is complained of, `Dim.AUTO` is lost without a word."""
    assert RECORDED["ops"][op]["named"].startswith("UserError: Constraints violated (batch)!")
    assert RECORDED["ops"][op]["auto"] == "[5, 8]"


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ("numel", "RuntimeError: Cannot call numel() on tensor with symbolic sizes/strides"),
        ("nbytes", "RuntimeError: Cannot call numel() on tensor with symbolic sizes/strides"),
        ("item", "UnsupportedOperatorException: native.item.default"),
        ("data", "RuntimeError: Cannot access data pointer of Tensor"),
        ("no_fake", "UnsupportedOperatorException: native.no_fake.default"),
    ],
)
def test_what_raises(op: str, message: str) -> None:
    assert RECORDED["ops"][op]["named"].startswith(message)
    assert RECORDED["ops"][op]["auto"].startswith(message)


def test_verdict(tmp_path: Path) -> None:
    # Beside what loads it, and no more of this project.
    for path in (SOURCE, HERE / "prove.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    document = check(
        Options([str(tmp_path / SOURCE.name)], Config(), cache=False, torch_version="2.13", pedantic=True)
    ).document
    found = [(item["location"]["row"], item["code"], item["severity"]) for item in document["diagnostics"]]
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    assert [row for row, _, severity in found if severity == "warning"] == [
        row for row, line in enumerate(lines, 1) if line.endswith("// <- AOTI421")
    ]
    # The strides are those of a matrix with rows of a static size, and no model here calls the other two.
    doubtful = [("x.stride(1)", "AOTI421"), ("Tensor composite(", "AOTI421"), ('m.def("no_fake', "AOTI401")]
    held = [(lines[row - 1], code) for row, code, severity in found if severity == "info"]
    assert len(held) == len(doubtful)
    for (line, code), (words, wanted) in zip(held, doubtful, strict=True):
        assert words in line
        assert code == wanted


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
def test_native_outcome(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(TORCH_PYTHON), str(HERE / "prove.py")], cwd=tmp_path, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout)["ops"] == RECORDED["ops"]


# ---------------------------------------------------------------- defined twice

TWICE: dict[str, Any] = json.loads((HERE / "twice" / "recorded.json").read_text(encoding="utf-8"))
ENDED = {0: [], 1: ["raises at import"], -6: ["crash"]}
"""The outcomes that the linter has to say, by the exit codes of the scripts."""


def test_twice_recorded_as_it_stands_now() -> None:
    assert TWICE["sha"] == prove_twice.sha(), "changed since; run native/prove_twice.py again"
    assert set(TWICE["cases"]) == set(prove_twice.CASES)


@pytest.mark.parametrize("case", prove_twice.CASES)
def test_twice_verdict(case: str, tmp_path: Path) -> None:
    for source in prove_twice.HERE.glob("*.cpp"):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    (tmp_path / "script.py").write_text(prove_twice.HEAD + prove_twice.CASES[case], encoding="utf-8")
    document = check(Options([str(tmp_path)], Config(), cache=False, torch_version="2.13")).document
    found = [item["outcome"] for item in document["diagnostics"] if item["code"] == "AOTI417"]
    assert found == ENDED[TWICE["cases"][case]["rc"]]


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
def test_twice_outcome(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(TORCH_PYTHON), str(HERE / "prove_twice.py")], cwd=tmp_path, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout)["cases"] == TWICE["cases"]


# ---------------------------------------------------------------- programs that load a package

HOSTS: dict[str, Any] = json.loads((HERE / "host" / "recorded.json").read_text(encoding="utf-8"))


def test_hosts_recorded_as_they_stand_now() -> None:
    assert HOSTS["sha"] == prove_host.sha(), "changed since; run native/prove_host.py again"
    assert {(script, host) for script, cases in HOSTS["hosts"].items() for host in cases} == {
        (script, host) for script in prove_host.SCRIPTS for host in prove_host.HOSTS
    }


@pytest.mark.parametrize("script", prove_host.SCRIPTS)
@pytest.mark.parametrize("host", prove_host.HOSTS)
def test_host_verdict(host: str, script: str, tmp_path: Path) -> None:
    for name in ("ops.cpp", "host.cpp", script):
        (tmp_path / name).write_bytes((prove_host.HERE / name).read_bytes())
    (tmp_path / "CMakeLists.txt").write_text(prove_host.HOSTS[host][1], encoding="utf-8")
    document = check(Options([str(tmp_path)], Config(), cache=False, torch_version="2.13")).document
    found = [item["code"] for item in document["diagnostics"]]
    assert found == (["AOTI420"] if HOSTS["hosts"][script][host]["rc"] else [])


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
def test_host_outcome(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(TORCH_PYTHON), str(HERE / "prove_host.py")], cwd=tmp_path, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout)["hosts"] == HOSTS["hosts"]
