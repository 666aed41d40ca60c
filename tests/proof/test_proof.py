"""Every claim of a rule, run: the script does what the rule says, and the linter tells it from its working twin."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.catalogue.registry import load
from tests.judging import lint_files, split
from tests.preloaded import Preloaded

HERE = Path(__file__).parent
SCRIPTS = sorted((HERE / "scripts").glob("*.py"))
OUTCOMES: dict[str, dict[str, Any]] = json.loads((HERE / "outcomes.json").read_text(encoding="utf-8"))
GPU_SCRIPTS = sorted((HERE / "gpu" / "scripts").glob("*.py"))
GPU_OUTCOMES: dict[str, dict[str, Any]] = json.loads((HERE / "gpu" / "outcomes.json").read_text(encoding="utf-8"))
PROVED_ELSEWHERE = {
    "AOTI106": "a GPU is needed: tests/proof/gpu",
    "AOTI107": "two GPUs are needed: tests/proof/gpu",
    "AOTI108": "a GPU is needed: tests/proof/gpu",
    "AOTI109": "two GPUs are needed: tests/proof/gpu",
    "AOTI336": "advice only; what a smaller batch does, AOTI301 proves",
    "AOTI421": "C++ only: tests/native",
    "AOTI507": "the minifier runs for minutes",
    "AOTI509": "a flag left on harms nothing that one run shows",
    "AOTI514": "CUDA graphs: tests/proof/gpu",
    "AOTI516": "Triton kernels: tests/proof/gpu",
}
"""Rules about scripts without a script here, and why."""

TORCH_PYTHON = os.environ.get("AOTI_LINT_TORCH_PYTHON") or (
    sys.executable if importlib.util.find_spec("torch") else None
)
"""An interpreter that has torch."""


@cache
def is_installed(package: str) -> bool:
    """Whether that interpreter has a package."""
    asked = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
    return subprocess.run([str(TORCH_PYTHON), "-c", asked], check=False).returncode == 0


def marks(text: str) -> list[dict[str, Any]]:
    """What the comments `# <- CODE …` ask for."""
    return [
        {"code": code, "line": row}
        for row, line in enumerate(text.splitlines(), 1)
        if (found := re.search(r"# <- (.+)$", line))
        for code in found[1].split()
    ]


def check_verdict(script: Path, folder: Path, torch: str, wanted: Mapping[str, Any]) -> None:
    """The linter says what the marks ask for, perhaps what the outcome allows (`may`), and nothing else aloud."""
    text = script.read_text(encoding="utf-8")
    found = [item for item in lint_files(folder, {script.name: text}, torch=torch) if item.severity != "info"]
    missing, extra = split(found, marks(text))
    extra = [item for item in extra if item.code not in wanted.get("may", ())]
    assert not missing, f"missing {missing}; said {[str(item) for item in found]}"
    assert not extra, f"wrongly said {[str(item) for item in extra]}"


def check_outcome(wanted: Mapping[str, Any], rc: int, printed: str, errors: str) -> None:
    """The script ended as `outcomes.json` says."""
    story = f"exit code {rc}\n{printed[-1000:]}\n{errors[-3000:]}"
    assert rc == wanted["rc"], story
    assert re.search(wanted.get("stdout", ""), printed), story
    assert re.search(wanted.get("stderr", ""), errors), story
    assert "stderr_not" not in wanted or not re.search(wanted["stderr_not"], errors), story


# ---------------------------------------------------------------- CPU


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_verdict(script: Path, tmp_path: Path) -> None:
    check_verdict(script, tmp_path / "run", "2.13", OUTCOMES[script.name])


Runs = dict[str, "Future[subprocess.CompletedProcess[str]]"]
OWN_PROCESS = re.compile(r"environ|putenv|torch\._C|sys\.modules")
"""What only a fresh process shows: when torch reads a variable, and what it has imported."""


TORCH = (
    "torch._inductor.compile_fx", "torch.export._trace", "setuptools", "torch.utils.cpp_extension",
    "torch._inductor.package", "torch._inductor.codegen.cpp_wrapper_cpu_array_ref",
    "torch._inductor.codegen.common:init_backend_registration", "torch._inductor.fx_passes.joint_graph:lazy_init",
)  # fmt: skip
"""What torch.export and AOTInductor import when they are first used."""


@pytest.fixture(scope="session")
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """The scripts of the tests that were asked for, run two at a time: most of the time one waits for a compiler.

    Those that run one after another share a cache, as most compile the same model. Two at a time may not: one would
    pack files that the other is writing.
    """
    asked = [item for item in request.session.items if isinstance(item, pytest.Function)]
    wanted = [Path(str(i.callspec.params["script"])) for i in asked if i.originalname == "test_outcome"]
    here = threading.local()
    servers: list[Preloaded] = []

    def run(script: Path) -> subprocess.CompletedProcess[str]:
        folder = tmp_path_factory.mktemp(script.stem)
        if not hasattr(here, "environment"):
            cache = tmp_path_factory.mktemp("inductor_cache")
            here.environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(cache), "CUDA_VISIBLE_DEVICES": ""}
        environment: dict[str, str] = here.environment
        if OWN_PROCESS.search(script.read_text(encoding="utf-8")):
            command = [str(TORCH_PYTHON), str(script)]
            return subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
            )
        if not hasattr(here, "server"):
            here.server = Preloaded(TORCH, environment, str(TORCH_PYTHON))
            servers.append(here.server)
        server: Preloaded = here.server
        return server.run([str(script)], folder, folder)

    with ThreadPoolExecutor(max_workers=2) as pool:
        yield {script.name: pool.submit(run, script) for script in wanted}
        pool.shutdown(cancel_futures=True)
    for server in servers:
        server.close()


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_outcome(script: Path, runs: Runs) -> None:
    needed = OUTCOMES[script.name].get("needs")
    if needed is not None and not is_installed(needed):
        pytest.skip(f"{needed} is not installed beside torch")
    done = runs[script.name].result()
    check_outcome(OUTCOMES[script.name], done.returncode, done.stdout, done.stderr)


def test_every_rule_has_a_proof_and_a_twin() -> None:
    """Each rule has a script it speaks of and one of the same subject it does not speak of."""
    assert set(OUTCOMES) == {path.name for path in SCRIPTS}
    spoken = {path.name: {want["code"] for want in marks(path.read_text(encoding="utf-8"))} for path in SCRIPTS}
    every = {rule.code for rule in load()}
    of_artefacts_or_the_tool = {code for code in every if re.match("AOTI[06]", code)} - {"AOTI616"}
    for code in every - of_artefacts_or_the_tool - PROVED_ELSEWHERE.keys():
        assert any(code in codes for codes in spoken.values())
        own = [name for name in spoken if name.startswith(code.lower())]
        assert any(code in spoken[name] for name in own)
        assert any(code not in spoken[name] and OUTCOMES[name]["rc"] == 0 for name in own)
    for name, codes in spoken.items():
        # "bad" is what its rule speaks of, "good" works and its rule is silent
        rule = name.split("_")[0].upper()
        assert ("_bad" in name) == (rule in codes), name
        assert "_good" not in name or OUTCOMES[name]["rc"] == 0, name


# ---------------------------------------------------------------- GPU


def recording() -> dict[str, Any]:
    """What happened on a GPU machine."""
    found: dict[str, Any] = json.loads((HERE / "gpu" / "recorded.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("script", GPU_SCRIPTS, ids=lambda path: path.stem)
def test_gpu_verdict(script: Path, tmp_path: Path) -> None:
    release = ".".join(str(recording()["torch"]).split(".")[:2])
    check_verdict(script, tmp_path / "run", release, GPU_OUTCOMES[script.name])


@pytest.mark.parametrize("script", GPU_SCRIPTS, ids=lambda path: path.stem)
def test_gpu_outcome(script: Path) -> None:
    """The script was recorded as it stands now, and ended as `gpu/outcomes.json` says."""
    found = recording()["scripts"][script.name]
    assert found["sha"] == hashlib.sha256(script.read_bytes()).hexdigest()[:16], (
        "changed since; run gpu/record.py again"
    )
    check_outcome(GPU_OUTCOMES[script.name], found["rc"], "\n".join(found["printed"]), "\n".join(found["errors"]))


def test_gpu_outcomes_are_complete() -> None:
    assert set(GPU_OUTCOMES) == {path.name for path in GPU_SCRIPTS}
