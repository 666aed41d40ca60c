"""The shell steps of `action.yml`, run one after the other as GitHub's runner does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.packaging.environments import PROJECT

_EXPRESSION = re.compile(r"\$\{\{ (\S+) \}\}")


def action() -> dict[str, Any]:
    """What `action.yml` holds."""
    held: dict[str, Any] = yaml.safe_load((PROJECT / "action.yml").read_text(encoding="utf-8"))
    return held


class Done(NamedTuple):
    """What a step gave."""

    code: int
    out: str
    err: str
    outputs: dict[str, str]


class Runner:
    """A machine with the folder of a job; the steps that are other actions' did what they are asked for."""

    def __init__(self, temporary: Path, workspace: Path) -> None:
        self._temporary, self._workspace, self._action = temporary, workspace, action()

    def step(self, name: str, **inputs: str) -> Done:
        """Run a step with these inputs; the others are as they are by default."""
        (step,) = [one for one in self._action["runs"]["steps"] if one.get("name") == name]
        known = {f"inputs.{key}": str(one["default"]) for key, one in self._action["inputs"].items()}
        known |= {f"inputs.{key.replace('_', '-')}": value for key, value in inputs.items()}
        known |= {"steps.python.outputs.python-path": sys.executable}
        written = self._temporary / "output"
        written.write_text("", encoding="utf-8")
        given = {key: _EXPRESSION.sub(lambda found: known[found[1]], text) for key, text in step["env"].items()}
        runners = {
            "RUNNER_TEMP": self._temporary, "GITHUB_ACTION_PATH": PROJECT, "GITHUB_OUTPUT": written,
            "GITHUB_WORKSPACE": self._workspace,
        }  # fmt: skip
        kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "FORCE_COLOR")}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self._workspace, capture_output=True, text=True, encoding="utf-8",
            env=kept | given | {key: str(value) for key, value in runners.items()},
        )  # fmt: skip
        lines = written.read_text(encoding="utf-8").splitlines()
        return Done(done.returncode, done.stdout, done.stderr, dict(line.split("=", 1) for line in lines))
