"""The tools that are compared, each installed into an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[1]
# TorchFix names the libcst it can be installed beside; no two newer ones are in its range.
ANCHORS = ("torchfix==0.7.0", "ruff")


@dataclass(frozen=True)
class Tools:
    """Commands to start the tools with. `python` is the interpreter aoti-lint is installed for."""

    python: str
    aoti_lint: str
    ruff: str
    torchfix: str

    def versions(self) -> dict[str, str]:
        """What each tool says its version is."""
        said = {
            tool: _output([command, "--version"]).split()[-1]
            for tool, command in (("aoti-lint", self.aoti_lint), ("ruff", self.ruff), ("torchfix", self.torchfix))
        }
        return {"python": _output([self.python, "--version"]).split()[-1], **said}


def install(folder: Path) -> Tools:
    """Install all tools below `folder`, aoti-lint from this checkout; what is there already is brought up to date."""
    ours, anchors = folder / "aoti-lint", folder / "anchors"
    for place in (ours, anchors):
        if not place.exists():
            venv.create(place, with_pip=True)
    _pip(ours, "install", str(PROJECT))
    _pip(anchors, "install", *ANCHORS)
    return Tools(
        python=_script(ours, "python"),
        aoti_lint=_script(ours, "aoti-lint"),
        ruff=_script(anchors, "ruff"),
        torchfix=_script(anchors, "torchfix"),
    )


def download(requirement: str, folder: Path) -> Path:
    """Download the wheel of a distribution for Linux, without what it depends on."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download", "--no-deps"]
    platform = ["--only-binary=:all:", "--python-version", "3.11", "--platform", "manylinux_2_28_x86_64"]
    subprocess.run([*command, *platform, "--dest", str(folder), requirement], check=True)
    return next(folder.glob("*.whl"))


def _pip(environment: Path, *words: str) -> None:
    pip = [_script(environment, "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *words], check=True)


def _script(environment: Path, name: str) -> str:
    windows = os.name == "nt"
    return str(environment / ("Scripts" if windows else "bin") / (f"{name}.exe" if windows else name))


def _output(words: list[str]) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout
