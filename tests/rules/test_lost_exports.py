"""AOTI513: variables that a shell exports which ends before it starts anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = "import torch\n\ntorch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),))\n"
STEPS = "jobs:\n  test:\n    steps:\n      - run: |\n          {}\n      - run: python net.py\n"
MAKE = "all:\n\t{}\n\tpython net.py\n"
DOCKER = 'FROM python\nRUN {}\nCMD ["python", "net.py"]\n'
GITLAB = "test:\n  before_script:\n    - {}\n  script:\n    - python net.py\n"
STEP = ".github/workflows/test.yml"


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        (STEP, STEPS, "export TORCH_LOGS=+dynamic"),
        (STEP, STEPS, "mkdir -p out && export TORCH_LOGS=+dynamic"),
        ("Makefile", MAKE, "export TORCH_LOGS=+dynamic"),
        ("Makefile", MAKE, "@export TORCH_LOGS=+dynamic; echo on"),
        ("Dockerfile", DOCKER, "export TORCH_LOGS=+dynamic && mkdir -p /cache"),
    ],
)
def test_a_shell_of_its_own(name: str, text: str, command: str, tmp_path: Path) -> None:
    assert told(tmp_path, name, text.format(command)) == ["AOTI513"]


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        (STEP, STEPS, "export TORCH_LOGS=+dynamic && python other.py"),
        (STEP, STEPS, "export TORCH_LOGS=+dynamic\n          ./run.sh"),
        (STEP, STEPS, 'export TORCH_LOGS=+dynamic; echo "TORCH_LOGS=$TORCH_LOGS" >> "$GITHUB_ENV"'),
        (STEP, STEPS, "export OTHER=1"),
        (STEP, STEPS, 'if [ -n "$DEBUG" ]; then export TORCH_LOGS=+dynamic; fi'),
        ("Makefile", ".ONESHELL:\n" + MAKE, "export TORCH_LOGS=+dynamic"),
        ("Makefile", MAKE, "export TORCH_LOGS=+dynamic; python other.py"),
        ("Dockerfile", DOCKER, "export TORCH_LOGS=+dynamic && pip install ."),
        (".gitlab-ci.yml", GITLAB, "export TORCH_LOGS=+dynamic"),
        ("run.sh", "{}\n", "export TORCH_LOGS=+dynamic"),
    ],
)
def test_somebody_may_see_it(name: str, text: str, command: str, tmp_path: Path) -> None:
    assert told(tmp_path, name, text.format(command)) == []


def told(folder: Path, name: str, text: str) -> list[str]:
    files = {"net.py": SCRIPT, "other.py": SCRIPT, name: text}
    return [one.code for one in lint_files(folder / "run", files, torch="2.13") if one.code == "AOTI513"]
