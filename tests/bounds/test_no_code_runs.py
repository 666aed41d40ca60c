"""No file of a tree is imported by the commands that do not run the user's code.

The tree has a module of every name that any of our processes imports or looks for, and each notes that it was imported.
Some cannot be kept out by us, as Python itself imports them before our first line: those that it imports for a program
that does nothing, started in the same way.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

from aoti_lint.isolated import boot
from aoti_lint.report.document import empty_document
from tests.cli.scripts import CUDA_PACKAGE, DEPRECATED

PROJECT = Path(__file__).parents[2]
COMMANDS = Path(__file__).with_name("commands.py")
ARCHIVE = PROJECT / "tests/program/archives/2.9.1/symint.pt2"
PACKAGE = PROJECT / "tests/program/contract/archives/guards.aoti.pt2"
TENSOR = PROJECT / "tests/program/weights/saved/bare_tensor.pt"
LOG = PROJECT / "tests/triage/public/package-without-device.log"

MARKER = """\
import sys
with open({log!r}, "a") as file:
    file.write(__name__ + "\\n")
kept = sys.path[:]
sys.path[:] = [path for path in kept if path not in ("", {tree!r})]
del sys.modules[__name__]
try:
    __import__(__name__)
finally:
    sys.path[:] = kept
"""
"""Goes on with the real module, so that what comes after is seen too."""

GROUPS = ("aoti_lint.rules", "pydantic", "torch.backends", "pytest11", "console_scripts")
ENTRY_POINTS = "".join(f"[{group}]\nevil = evil\n" for group in GROUPS)


def commands(tree: str) -> list[list[str]]:
    """What is said not to run code; files are named below `tree`."""
    script = os.path.join(tree, "script.py")
    return [
        ["check", tree, "--output-format", "json"],
        ["check", script, "build.sh" if tree == "." else f"{tree}/build.sh"],
        ["check", script, "--why-silent", "3"],
        ["check", "-", "--stdin-filename", script],
        ["inspect", f"{tree}/model.pt2"],
        ["inspect", f"{tree}/model.pt2", f"{tree}/package.pt2"],
        ["contract", f"{tree}/package.pt2"],
        ["triage", f"{tree}/run.log"],
        ["explain", "all"],
        ["explain", "TORCH_LOGS"],
        ["merge", f"{tree}/report.json"],
        ["schema", "check"],
        *(["rerun", script, "--output-format", form] for form in ("sh", "python", "json")),
        ["rerun", script, "--symptom", "nan", "--from-log", f"{tree}/run.log"],
        ["tensors", tree],
    ]


def files(folder: Path) -> None:
    """A project with something for each command."""
    (folder / "deprecated.py").write_text(DEPRECATED, encoding="utf-8")
    # Syntax that Python may be too old for.
    (folder / "newer.py").write_text(f"{DEPRECATED}lazy import json\n", encoding="utf-8")
    (folder / "script.py").write_text(CUDA_PACKAGE, encoding="utf-8")
    (folder / "build.sh").write_text("export TORCH_LOGS=+dynamo\npython script.py\n", encoding="utf-8")
    (folder / "workflow.yml").write_text("jobs: {}\n", encoding="utf-8")
    (folder / "ops.cpp").write_text('TORCH_LIBRARY(shop, m) { m.def("sum(Tensor x) -> Tensor"); }\n', encoding="utf-8")
    shutil.copy(ARCHIVE, folder / "model.pt2")
    shutil.copy(PACKAGE, folder / "package.pt2")
    shutil.copy(LOG, folder / "run.log")
    (folder / "report.json").write_text(json.dumps(empty_document()), encoding="utf-8")
    shutil.copy(TENSOR, folder / "before_launch_triton_poi_fused_add_relu_0_buf12.pt")


def start(command: Iterable[str | Path], cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    cache = {"XDG_CACHE_HOME": str(cwd / ".none"), "FORCE_COLOR": "1"}
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env={**kept, **cache, **variables}, input=DEPRECATED,
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip


class Tree:
    """The tree, and what in it was imported."""

    def __init__(self, folder: Path) -> None:
        self.work, self.tree, self.log = folder, folder / "tree", folder / "imported.txt"
        clean = folder / "clean"
        for made in (clean, self.tree):
            made.mkdir()
            files(made)
        self.commands = folder / "commands.json"
        # Python starts with those: they come before any code of others, and some could not note anything.
        first = start([sys.executable, "-I", "-S", "-c", "import site, sys; print(*sys.modules)"], clean).stdout
        self.names = self._noted(clean) - set(first.split())
        for name in (*self.names, "sitecustomize", "usercustomize", "conftest", "evil", "evil_pth"):
            marker = MARKER.format(log=str(self.log), tree=str(self.tree))
            (self.tree / f"{name}.py").write_text(marker, encoding="utf-8")
        (self.tree / "evil.pth").write_text("import evil_pth\n", encoding="utf-8")
        (self.tree / "evil-1.dist-info").mkdir()
        (self.tree / "evil-1.dist-info/METADATA").write_text("Name: evil\nVersion: 1\n", encoding="utf-8")
        (self.tree / "evil-1.dist-info/entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
        (folder / "nothing").mkdir()
        (folder / "nothing/__init__.py").touch()
        (folder / "nothing/__main__.py").touch()

    def _noted(self, clean: Path) -> set[str]:
        """The modules that our processes import or look for, without those of aoti-lint."""
        noted = self.work / "names.txt"
        self.commands.write_text(json.dumps(commands(".")), encoding="utf-8")
        done = start([sys.executable, COMMANDS, PROJECT, self.commands, noted], clean)
        codes = [line.split(maxsplit=3) for line in done.stderr.splitlines() if line.startswith("exit code ")]
        assert [words for _, _, code, words in codes if code not in "01"] == [], done.stderr
        names = set(noted.read_text("utf-8").split())
        assert {"libcst", "json", "struct", "pydantic", "subprocess", "torch"} <= names
        return {name.partition(".")[0] for name in names} - {"aoti_lint", "__main__", "tests"}

    def imported(self, command: Iterable[str | Path], cwd: Path | None = None, **variables: str) -> set[str]:
        """Start a command, in the tree if nothing else is said; gives what was imported of the tree."""
        self.log.unlink(missing_ok=True)
        self.said = start(command, cwd or self.tree, **variables)
        return set(self.log.read_text("utf-8").split()) if self.log.exists() else set()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return Tree(tmp_path_factory.mktemp("bounds"))


def listed(tree: Tree, where: str) -> list[str | Path]:
    tree.commands.write_text(json.dumps(commands(where)), encoding="utf-8")
    return [sys.executable, COMMANDS, PROJECT, tree.commands, "-"]


def test_the_markers_mark(tree: Tree) -> None:
    program = "import struct, libcst, evil"
    assert {"struct", "libcst", "evil"} <= tree.imported([sys.executable, "-c", program])
    assert {"struct", "sitecustomize"} <= tree.imported([sys.executable, "-c", "import struct"], PYTHONPATH=".")


def test_as_a_command(tree: Tree) -> None:
    assert tree.imported(listed(tree, ".")) == set()
    assert tree.said.stderr.count("exit code") == len(commands("."))
    installed = shutil.which("aoti-lint", path=os.path.dirname(sys.executable))
    if installed is not None:
        assert tree.imported([installed, "deprecated.py"]) == set()
        assert tree.said.returncode == 1


@pytest.mark.parametrize("python_path", [".", "tree"])
def test_what_python_path_says_is_not_taken_from_a_tree(tree: Tree, python_path: str) -> None:
    where, cwd = (".", tree.tree) if python_path == "." else (str(tree.tree), tree.work)
    nothing = tree.imported([sys.executable, tree.work / "nothing/__main__.py"], cwd, PYTHONPATH=python_path)
    assert "sitecustomize" in nothing
    assert tree.imported(listed(tree, where), cwd, PYTHONPATH=python_path) == nothing
    assert tree.said.stderr.count("exit code") == len(commands("."))


def test_as_a_module(tree: Tree) -> None:
    words = ["-m", "aoti_lint", "deprecated.py"]
    path = str(PROJECT)
    nothing = tree.imported([sys.executable, "-m", "nothing"], PYTHONPATH=str(tree.work))
    assert tree.imported([sys.executable, *words], PYTHONPATH=path) == nothing
    assert tree.said.returncode == 1
    if sys.version_info >= (3, 11):
        assert tree.imported([sys.executable, "-P", *words], PYTHONPATH=path) == set()
        assert tree.said.returncode == 1


def test_as_the_readme_says_and_as_the_hook(tree: Tree) -> None:
    """Isolated mode: nothing of the tree at all, whatever the environment says."""
    installed = subprocess.run([sys.executable, "-I", "-c", "import aoti_lint"], cwd=tree.work, check=False)
    if installed.returncode:
        pytest.skip("aoti-lint is not installed")
    (hook,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    python, *words = hook["entry"].split()
    assert (python, words[0]) == ("python", "-I")
    assert tree.imported([sys.executable, *words, "script.py", "deprecated.py"], PYTHONPATH=".") == set()
    assert tree.said.returncode == 1


def test_a_process_for_the_users_code_begins_without_it(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree.tree)
    variables = {"PYTHONPATH": "."}
    command = boot.opening(sys.executable, "aoti_lint.probe.child", variables)
    assert variables == {}
    assert tree.imported(command) == set()
    assert "JSONDecodeError" in tree.said.stderr  # what came in was no task
