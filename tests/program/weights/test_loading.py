"""What is said of a state dict is what `load_constants` of torch did with it: `loading.json`, and torch itself."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.program.facts import Weight
from aoti_lint.program.weights.compare import compare
from aoti_lint.program.weights.file import WeightFile

HERE = Path(__file__).parent
RECORDED: dict[str, Any] = json.loads((HERE / "loading.json").read_text(encoding="utf-8"))
CASES = [(way, case) for way, recorded in RECORDED["ways"].items() for case in recorded["outcomes"]]
TORCH_PYTHON = os.environ.get("AOTI_LINT_TORCH_PYTHON") or (
    sys.executable if importlib.util.find_spec("torch") else None
)

LUCKY = {
    "larger": "what lay behind it was copied after it",
    "same count": "the elements lie in the order they are wanted in",
    "fewer dimensions": "the same",
    "more dimensions": "the same",
    "transposed in a kernel": "it is read by a function that takes strides from the tensor",
    "view at the front of a larger storage": "what lay behind it was copied after it",
}
"""Cases that are spoken of though they came out right, and why they did."""

WORSE = {"raises": 1, "silent": 2, "crash": 3}
VAGUE = ("larger", "much larger", "view ", "float64", "sparse")
"""Cases that read or write other memory: what comes of that depends on what is there."""


def grade(said: str) -> str:
    """An outcome of the record in the words of `WeightProblem`."""
    if "dies of signal" in said:
        return "crash"
    if said.startswith(("load_constants raises", "the call raises")):
        return "raises"
    return "fine" if said.split(" / ")[0] == "right" else "silent"


@pytest.mark.parametrize(("way", "case"), CASES)
def test_recorded(way: str, case: str) -> None:
    """The worst that is said of a case is the worst that came of it, with and without the check."""
    recorded = RECORDED["ways"][way]
    wanted = [Weight.model_validate(weight) for weight in recorded["wanted"]]
    file = WeightFile.model_validate(recorded["files"][case])
    found = compare(wanted, file, weights_at=recorded["weights_at"])
    said = max((problem.outcome for problem in found), key=lambda outcome: WORSE.get(outcome, 0), default="fine")
    came = [grade(recorded["outcomes"][case][how]) for how in ("checked", "unchecked")]
    if way == "folded" and case == "inlined":
        # Nothing is inlined in this way of compiling: the case loads a head.bias of its own, and it is used.
        assert (said, came) == ("fine", ["silent", "silent"])
    elif case in LUCKY:
        assert (came, bool(found)) == (["fine", "fine"], True)
    elif "fine" in came:
        assert (set(came), said in ("fine", "harmless")) == ({"fine"}, True)
    elif case.startswith(VAGUE):
        assert (said, set(came) <= {"silent", "crash"}) == ("crash", True)
    elif any(problem.kind in ("missing", "tied") and problem.outcome != "raises" for problem in found):
        # A name that is missing may hide behind one that is unexpected, which always raises.
        assert said == max(came, key=lambda outcome: WORSE[outcome]) or set(came) == {"raises"}
    else:
        assert set(came) == {said}


def test_the_record_is_whole() -> None:
    assert len(CASES) > 90
    assert not any(
        "recorder:" in said for way, case in CASES for said in RECORDED["ways"][way]["outcomes"][case].values()
    )
    assert {case for _, case in CASES} > set(LUCKY)


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
def test_recorded_now(tmp_path: Path) -> None:
    """The torch that is installed does the same, where that does not depend on what lies in memory."""
    command = [str(TORCH_PYTHON), "-m", "tests.program.weights.record_loading", str(tmp_path / "loading.json")]
    subprocess.run(
        command,
        cwd=HERE.parents[2],
        env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache"), "CUDA_VISIBLE_DEVICES": ""},
        check=True,
        capture_output=True,
        timeout=1200,
    )
    now = json.loads((tmp_path / "loading.json").read_text(encoding="utf-8"))["ways"]
    for way, case in CASES:
        if not case.startswith(VAGUE):
            was = {how: grade(said) for how, said in RECORDED["ways"][way]["outcomes"][case].items()}
            assert {how: grade(said) for how, said in now[way]["outcomes"][case].items()} == was, (way, case)
            assert now[way]["files"][case] == RECORDED["ways"][way]["files"][case]
