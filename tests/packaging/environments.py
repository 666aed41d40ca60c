"""Copies of the project, distributions built from them, and environments to install them in."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

PROJECT = Path(__file__).parents[2]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def run(*command: str | Path, cwd: Path, code: int = 0, **variables: str) -> str:
    """Run a command that must end with `code`; gives what it wrote to standard output."""
    # What tells our own tests where the project is must not tell the commands too.
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "FORCE_COLOR")}
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=kept | variables, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == code, f"{words} gave {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def clone(folder: Path) -> Path:
    """A git repository of its own with what git would keep of the present tree."""
    names = run("git", "ls-files", "-co", "--exclude-standard", "-z", cwd=PROJECT).split("\0")
    for name in filter(None, names):
        source, target = PROJECT / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    git = ("git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "core.autocrlf=false")
    run(*git, "init", "-q", cwd=folder)
    run(*git, "add", "-A", cwd=folder)
    run(*git, "commit", "-qm", "A copy", cwd=folder)
    return folder


def build(project: Path, target: str, into: Path) -> Path:
    """Build one distribution with the build backend of this environment; `target` is `wheel` or `sdist`."""
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into, cwd=project)
    (built,) = into.iterdir()
    return built


def small_wheel(name: str, files: dict[str, str], folder: Path) -> Path:
    """A wheel with these files, made by hand."""
    info = f"{name}-1.dist-info"
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
    wheel = folder / f"{name}-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return wheel


class Environment:
    """A virtual environment with the dependencies of the present one, and nothing installed."""

    def __init__(self, folder: Path) -> None:
        run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=PROJECT)
        self.python = folder / SCRIPTS / Path(sys.executable).name
        self.command = folder / SCRIPTS / "aoti-lint"
        where = "import sysconfig; print(sysconfig.get_path('purelib'))"
        self.site = Path(run(self.python, "-c", where, cwd=folder).strip())
        # Our dependencies come from the present environment by path; .pth files in there are not followed, so an
        # aoti-lint that is installed there in editable mode stays out.
        paths = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
        (self.site / "dependencies.pth").write_text("\n".join(paths) + "\n", encoding="utf-8")

    def install(self, *words: str | Path) -> None:
        """`pip install` without dependencies and without build isolation: nothing is fetched."""
        pip = (sys.executable, "-m", "pip", "--python", self.python, "install", "-q", "--no-deps")
        run(*pip, "--no-build-isolation", *words, cwd=PROJECT)
