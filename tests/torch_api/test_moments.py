"""When torch reads its variables: the recorded answers, the script that records them, and the torch installed here."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.torch_api import moments
from aoti_lint.torch_api.environment import installed_torch
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet, release

SCRIPTS = Path(__file__).parents[2] / "scripts"
INSTALLED = importlib.util.find_spec("torch")
DATA = json.loads((SCRIPTS.parent / "aoti_lint" / "torch_api" / "moments.json").read_text(encoding="utf-8"))

CONFIGS = {"torch._dynamo.config", "torch._inductor.config"}


MEASURED = moments.verified()
EARLY = VersionSet(["2.5"])
"""Here `import torch` imports torch._inductor.config (2.5.1, torch/_subclasses/functional_tensor.py:9)."""


def test_every_supported_release_was_measured() -> None:
    assert MEASURED == SUPPORTED
    assert {".".join(map(str, release(text)[:2])): text for text in moments.releases().values()} == moments.releases()


@pytest.mark.parametrize(
    "action",
    [
        "attribute torch._dynamo",
        "import torch._dynamo",
        "torch.export.export",
        "torch.compile",
        "torch.compiler.reset",
        "torch.optim.SGD",
    ],
)
def test_in_every_release_measured_the_configuration_is_read_by(action: str) -> None:
    loaded = moments.loaded_by(action)
    assert loaded["torch._dynamo.config"] == MEASURED
    assert loaded["torch._inductor.config"] == MEASURED - EARLY


@pytest.mark.parametrize(
    "action",
    [
        "torch._inductor",
        "torch._inductor.not_in_the_data",
        "attribute torch._inductor.not_in_the_data",
        "import torch._inductor",
        "import torch._inductor.not_in_the_data",
    ],
)
def test_naming_inductor_reads_its_configuration_since_2_6_and_that_of_dynamo_since_2_8(action: str) -> None:
    loaded = moments.loaded_by(action)
    assert loaded["torch._inductor.config"] == MEASURED - VersionSet(["2.4", "2.5"])
    assert loaded["torch._dynamo.config"] == MEASURED - VersionSet(["2.4", "2.5", "2.6", "2.7"])


@pytest.mark.parametrize(
    "action",
    [
        "import torch.export",
        "from torch.export import export",
        "attribute torch.export.export",
        "torch.export.Dim",
        "torch.library.custom_op",
        "torch.nn.Module.__call__",
        "torch.manual_seed",
    ],
)
def test_in_no_release_the_configuration_is_read_by(action: str) -> None:
    assert moments.measured(action) == MEASURED
    assert not CONFIGS & set(moments.loaded_by(action))


def test_one_release_reads_the_configuration_of_inductor_with_torch_itself() -> None:
    loaded = moments.loaded_by("import torch")
    assert loaded["torch._inductor.config"] == EARLY
    assert "torch._dynamo.config" not in loaded


def test_variables_of_the_logs_are_read_with_torch_itself() -> None:
    assert moments.read_at_import("TORCH_LOGS")["torch"] == MEASURED
    assert moments.loaded_by("import torch")["torch"] == MEASURED
    assert moments.read_at_import("TORCHINDUCTOR_NAN_ASSERTS") == {"torch._inductor.config": MEASURED}


def test_variables_read_when_something_runs() -> None:
    assert moments.read_late("TORCHINDUCTOR_CACHE_DIR") == MEASURED
    assert moments.read_when_run("torch.compile")["TORCHINDUCTOR_CACHE_DIR"]
    assert not moments.read_late("TORCHINDUCTOR_NAN_ASSERTS")
    assert not moments.read_late("NO_SUCH_VARIABLE")


def test_what_was_not_tried() -> None:
    assert not moments.measured("torch.no_such_call")
    assert moments.loaded_by("torch.no_such_call") == {}
    assert moments.read_at_import("NO_SUCH_VARIABLE") == {}


def test_other_packages() -> None:
    assert moments.loaded_by("import numpy") == {}
    assert moments.measured("import torchvision") == VersionSet(["2.13"])
    assert "torch" in moments.loaded_by("import torchvision")


@pytest.mark.parametrize(
    ("package", "inductor"), [("timm", True), ("lightning", True), ("torchaudio", False), ("accelerate", False)]
)
def test_other_packages_that_read_the_configuration(package: str, inductor: bool) -> None:
    loaded = moments.loaded_by(f"import {package}")
    assert moments.releases()["2.13"] == DATA["third party"]["beside"]
    assert "torch" in loaded
    assert ("torch._inductor.config" in loaded) == inductor


def test_every_span_can_be_read() -> None:
    for action in DATA["actions"]:
        ran = moments.measured(action)
        assert ran <= moments.verified()
        found = {**moments.loaded_by(action), **moments.read_when_run(action)}
        assert all(minors and minors <= ran for minors in found.values()), action
    for variable in DATA["variables"]:
        assert moments.read_at_import(variable)


@pytest.fixture(scope="module")
def script() -> Any:
    sys.path.insert(0, str(SCRIPTS))
    try:
        import measure_moments

        return measure_moments
    finally:
        sys.path.remove(str(SCRIPTS))


def answer(*loads: str, reads: tuple[str, ...] = (), variables: dict[str, list[str]] | None = None) -> dict[str, Any]:
    return {"loads": list(loads), "reads": list(reads), "variables": variables or {}, "torch": True}


def test_merging_makes_spans(script: Any) -> None:
    old, new = "torch.compile", "torch.export.export"
    measurements = [
        {"torch": "2.5.1+cu124", "actions": {old: answer("a", "b"), new: {"failed": "no"}}},
        {"torch": "2.4.1", "actions": {old: answer("a", variables={"a": ["X"]}), new: {"failed": "no"}}},
        {"torch": "2.8.0", "actions": {old: answer("a", reads=("Y",)), new: answer()}},
    ]
    assert script.merged(measurements) == {
        "format": 1,
        "releases": {"2.4": "2.4.1", "2.5": "2.5.1", "2.8": "2.8.0"},
        "actions": {
            old: {"ran": "2.4..2.5||2.8", "loads": {"2.4..2.5||2.8": "a", "2.5": "b"}, "reads": {"2.8": "Y"}},
            new: {"ran": "2.8"},
        },
        "variables": {"X": {"2.4": "a"}},
    }
    assert json.dumps(script.merged(measurements[::-1])) == json.dumps(script.merged(measurements))


def test_merging_keeps_what_was_not_measured_anew(script: Any) -> None:
    old = {"torch": "2.4.1", "actions": {"torch.compile": answer("a", variables={"a": ["X"], "b": ["X", "Y"]})}}
    new = {"torch": "2.5.1", "actions": {"torch.compile": answer("b", reads=("Y",))}}
    here = {"version": "timm 1", **answer("a")}
    package = {"beside torch": "2.13.0", "imports": {"import timm": here, "import no": {"failed": "no"}}}
    both = script.merged([old, new, package])
    assert script.updated(script.merged([old, package]), [new]) == both
    assert script.updated(script.merged([old]), [package, new]) == both
    assert script.updated(both, [{**new, "torch": "2.5.0"}])["releases"] == {"2.4": "2.4.1", "2.5": "2.5.0"}
    assert script.updated(DATA, []) == DATA


def test_merging_refuses_packages_beside_two_releases(script: Any) -> None:
    with pytest.raises(ValueError, match=r"beside torch 2\.13\.0 and 2\.15\.0"):
        script.merged([{"beside torch": version, "imports": {}} for version in ("2.15.0", "2.13.0")])


def test_merging_refuses_a_minor_measured_twice(script: Any) -> None:
    with pytest.raises(ValueError, match=r"torch 2\.4 was measured twice"):
        script.merged([{"torch": "2.4.0", "actions": {}}, {"torch": "2.4.1", "actions": {}}])


@pytest.mark.skipif(INSTALLED is None, reason="needs torch")
def test_the_installed_torch_agrees() -> None:
    """The reading modules a handful of actions load, by `sys.modules` alone and in new processes."""
    version = installed_torch(sys.prefix)
    assert version
    minor = ".".join(map(str, release(version)[:2]))
    if moments.releases().get(minor) != version.partition("+")[0]:
        pytest.skip(f"torch {version} is not a release that was measured")
    actions = {
        "import torch.export": "import torch.export",
        "attribute torch._inductor": "torch._inductor",
        "torch.export.Dim": "torch.export.Dim('batch')",
        "torch.optim.SGD": "torch.optim.SGD(torch.nn.Linear(1, 1).parameters(), lr=0.1)",
        "torch.compiler.is_compiling": "torch.compiler.is_compiling()",
    }
    for action, statement in actions.items():
        loaded = {module for module, minors in moments.loaded_by(action).items() if minor in minors}
        known = {module for name in DATA["variables"] for module in moments.read_at_import(name)}
        code = f"import sys, torch\nbefore = set(sys.modules)\n{statement}\nprint(*sorted(set(sys.modules) - before))"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert set(run.stdout.split()) & (known | CONFIGS) == loaded, action
