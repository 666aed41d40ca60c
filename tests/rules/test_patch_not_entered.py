"""AOTI513: `config.patch(…)` that nothing enters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = "import contextlib\nimport torch\nimport torch._inductor.config as config\n\nstack = contextlib.ExitStack()\n"
NOT_ENTERED = [
    "config.patch(max_autotune=True)", 'config.patch("max_autotune", True)', 'config.patch({"max_autotune": True})',
    "torch._dynamo.config.patch(suppress_errors=True)", "def f():\n    config.patch(max_autotune=True)\nf()",
]  # fmt: skip
ENTERED = [
    "with config.patch(max_autotune=True):\n    pass", "held = config.patch(max_autotune=True)\nheld.__enter__()",
    "config.patch(max_autotune=True).__enter__()", "stack.enter_context(config.patch(max_autotune=True))",
    "@config.patch(max_autotune=True)\ndef f():\n    pass\nf()",
    "def f():\n    return config.patch(max_autotune=True)\nwith f():\n    pass",
]  # fmt: skip


@pytest.mark.parametrize("line", [*NOT_ENTERED, *ENTERED])
def test_said(line: str, tmp_path: Path) -> None:
    said = [one.code for one in lint_files(tmp_path / "run", {"run.py": HEAD + line + "\n"}, torch="2.13")]
    assert said == ["AOTI513"] * (line in NOT_ENTERED)
