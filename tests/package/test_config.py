"""The tables `target` and `package`."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import load
from aoti_lint.deployment import capability
from aoti_lint.errors import CannotRun


def written(folder: Path, text: str) -> str:
    path = folder / "pyproject.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_everything_is_read(tmp_path: Path) -> None:
    text = """
        [tool.aoti-lint.target]
        device = "cuda"
        platform = "Linux"
        machine = "x86_64"
        cpu-isa = "avx2"
        compute-capability = "8.6"
        [tool.aoti-lint.package]
        device = "cuda"
        architectures = ["x86_64", "sm_86"]
        dynamic = { "model.pt2" = ["x.0", "batch['ids'].1"] }
        debug-code = false
        max-size = "1.5GB"
        custom-ops = ["shop::scale", "vision.nms"]
    """
    config = load(written(tmp_path, text))
    assert config.target.state() == ["86", ["AVX2"], "cuda", "x86_64", "linux"]
    gate = config.package
    assert gate.architectures == ["x86_64", "86"]
    assert gate.dynamic == {"model.pt2": [("x", 0), ("batch['ids']", 1)]}
    assert gate.max_size == 1_500_000_000
    assert gate.custom_ops == ["shop::scale", "vision::nms"]
    assert gate.debug_code is False
    assert gate.asks


def test_nothing_is_asked_by_default(tmp_path: Path) -> None:
    assert not load(written(tmp_path, "[tool.aoti-lint]")).package.asks
    assert load(written(tmp_path, "[tool.aoti-lint.package]\ncustom-ops = []")).package.asks


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("target = 1", "[tool.aoti-lint.target] must be a table"),
        ('target.devise = "cuda"', "there is no setting 'devise'; did you mean 'device'?"),
        ("target.device = 1", 'device must be text such as "cuda"'),
        ('target.device = "GPU"', "device is a type of torch, 'cuda', and not 'GPU'"),
        ('package.device = "gpu"', "device is a type of torch, 'cuda'"),
        ("target.cpu-isa = 1", "cpu-isa must be text"),
        ('target.compute-capability = "ninety"', "compute-capability must be text"),
        ("package.debug-code = 0", "debug-code must be true or false"),
        ('package.max-size = "500 sheep"', "max-size must be text"),
        ('package.dynamic = ["x.0"]', "dynamic must be a table of lists"),
        ('package.dynamic = { "*" = ["x"] }', "must name inputs and dimensions"),
        ('package.custom-ops = "a"', "custom-ops must be a list of texts"),
        ("package.architectures = [1]", "architectures must be a list of texts"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(CannotRun) as caught:
        load(written(tmp_path, f"[tool.aoti-lint]\n{table}\n"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [("9.0", "90"), ("sm_90", "90"), ("90", "90"), (9.0, "90"), (90, "90"), ("sm_90a", "90a"), ("gfx90a", "gfx90a"),
     ("12.0", "120"), ("x86_64", None), ("9", None), (True, None)],
)  # fmt: skip
def test_compute_capabilities(given: object, expected: str | None) -> None:
    assert capability(given) == expected
