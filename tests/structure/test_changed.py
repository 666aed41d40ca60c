"""`pytest --changed` runs the tests of what was changed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.changed import ALWAYS, AT_LENGTH, Selection, files
from tests.structure.imports import ROOT

SELECTION = Selection()


@pytest.mark.parametrize(
    ("path", "chosen"),
    [
        # its room, and who imports it from a room above
        (
            "aoti_lint/text/lines.py",
            {"tests/text/test_lines.py", "tests/ir/test_lower.py", "tests/ir/from_libcst/test_spans.py"},
        ),
        # the innermost room that has tests
        (
            "aoti_lint/models/python/containers/dicts.py",
            {f"tests/models/python/test_{name}.py" for name in ("containers", "strings")},
        ),
        ("aoti_lint/models/__init__.py", {"tests/models", "tests/coverage/test_sites.py"}),
        ("aoti_lint/tensors/judge.json", {"tests/tensors/test_tensors.py"}),
        # nearly every test of rules runs the command line, which is about something else
        ("aoti_lint/linking/analysis.py", {"tests/linking/test_unjudged.py", "tests/coverage/test_line.py"}),
        ("aoti_lint/findings/suppress.py", {"tests/findings/test_suppress.py", "tests/findings/test_fingerprint.py"}),
        # those that name its code
        ("rules/device/hidden_gpu.py", {"tests/rules/test_device_rules.py"}),
        # what rules import
        ("rules/flags/_late.py", {"tests/rules/test_flags.py"}),
        ("tests/values/test_symbols.py", {"tests/values/test_symbols.py"}),
        ("tests/tracing/trials.py", {"tests/tracing/test_learned.py", "tests/models/ops/test_op_parameters.py"}),
        ("tests/cli/conftest.py", {"tests/cli"}),
        ("tests/conftest.py", {"tests"}),
        # what tests read
        ("tests/rules/idioms.txt", {"tests/rules/test_idioms.py"}),
        ("tests/truth/scripts/new.py", {"tests/test_truth.py"}),
        ("tests/projects/trees/new/conftest.py", {"tests/test_projects.py"}),
        # elsewhere: who names it or imports it
        ("docs/settings.md", {"tests/torch_api/test_guide.py"}),
        (".ci/run", {"tests/test_readme.py"}),
        ("scripts/measure_moments.py", {"tests/torch_api/test_moments.py"}),
        ("benchmarks/growth.py", {"tests/benchmarks/test_growth.py"}),
    ],
)
def test_what_was_changed_has_tests(path: str, chosen: set[str]) -> None:
    found = {test for test in SELECTION.of(path) if not test.startswith(ALWAYS)}
    assert found >= chosen
    assert found == chosen or len(chosen) > 1


def test_what_takes_minutes_is_left_to_the_whole_suite() -> None:
    """But for a change of itself."""
    chosen = SELECTION.of("aoti_lint/rerun/plan/plan.py")
    assert "tests/rerun/plan/test_plan.py" in chosen
    assert not any(test.endswith(AT_LENGTH) for test in chosen)
    [faults] = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/rerun/**/test_faults.py")}
    assert SELECTION.of(faults) == {faults}


def test_every_module_has_tests() -> None:
    """Of a room, that is: those beside the rooms may have what always runs only."""
    paths = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "aoti_lint").glob("*/**/*.py"))]
    assert [path for path in paths if not SELECTION.of(path)] == []


def test_what_lies_inside_of_what_is_chosen_is_not_named_again() -> None:
    chosen = SELECTION.of_all(["aoti_lint/models/__init__.py", "tests/models/python/test_strings.py"])
    assert "tests/models" in chosen
    assert "tests/models/python/test_strings.py" not in chosen
    assert set(ALWAYS) <= set(chosen)
    assert SELECTION.of_all(["tests/conftest.py"]) == ["tests"]
    assert SELECTION.of_all([]) == sorted(ALWAYS)


# ---------------------------------------------------------------- in a repository

SMALL = {
    "aoti_lint/__init__.py": "",
    "aoti_lint/deep/__init__.py": "",
    "aoti_lint/deep/one.py": "X = 1\n",
    "aoti_lint/high/__init__.py": "from aoti_lint.deep.one import X\n",
    "rules/__init__.py": "",
    "tests/deep/__init__.py": "",
    "tests/deep/test_deep.py": "def test_deep(): pass\n",
    "tests/high/__init__.py": "",
    "tests/high/test_uses.py": "from aoti_lint.deep import one\ndef test_uses(): pass\n",
    "tests/high/test_other.py": "def test_other(): pass\n",
    "tests/rules/__init__.py": "",
    "tests/rules/test_examples.py": "def test_examples(): pass\n",
    "tests/structure/test_structure.py": "def test_structure(): pass\n",
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\ntestpaths = ['tests']\n",
}


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True, capture_output=True
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("needs git")
    for name in ("__init__.py", "conftest.py", "compiler.py", "changed.py", "structure/__init__.py"):
        (tmp_path / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests" / name)
    shutil.copy(ROOT / "tests/structure/imports.py", tmp_path / "tests/structure/imports.py")
    for name, text in SMALL.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / ".gitignore").write_text("__pycache__/\n", encoding="utf-8")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def run(folder: Path, *words: str) -> tuple[int, set[str], str]:
    """Run pytest in a repository: the exit code, which tests ran, and what was said beside it."""
    command = [sys.executable, "-m", "pytest", "-p", "no:aoti_lint", "-p", "no:cacheprovider", "-rp", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    passed = {line.rpartition("::")[2] for line in done.stdout.splitlines() if line.startswith("PASSED")}
    return done.returncode, passed, done.stderr


def test_files_of_a_branch_of_the_index_and_new_ones(repository: Path) -> None:
    assert files(root=repository) == []
    git(repository, "checkout", "-qb", "branch")
    (repository / "aoti_lint/deep/one.py").write_text("X = 2\n", encoding="utf-8")
    git(repository, "commit", "-qam", "second")
    git(repository, "mv", "tests/high/test_other.py", "tests/high/test_moved.py")
    (repository / "new é.txt").touch()
    unsaved = ["new é.txt", "tests/high/test_moved.py", "tests/high/test_other.py"]
    assert files(root=repository) == ["aoti_lint/deep/one.py", *unsaved]
    assert files("HEAD", repository) == unsaved


def test_pytest_runs_them(repository: Path) -> None:
    always = {"test_structure", "test_examples"}
    (repository / "aoti_lint/deep/one.py").write_text("X = 2\n", encoding="utf-8")
    for more in ([], ["-n", "2"]):
        code, ran, told = run(repository, *more, "--changed")
        assert (code, ran) == (0, always | {"test_deep", "test_uses"})
        assert told.startswith("4 files and folders of tests: tests/deep/test_deep.py, tests/high/test_uses.py, ")
    git(repository, "commit", "-qam", "second")
    assert run(repository, "--changed", "HEAD")[:2] == (0, always)
    assert run(repository)[1] == always | {"test_deep", "test_uses", "test_other"}


@pytest.mark.parametrize("words", [("--changed", "nowhere"), ("--changed", "HEAD", "tests/deep")])
def test_what_cannot_be_chosen(repository: Path, words: tuple[str, ...]) -> None:
    code, ran, errors = run(repository, *words)
    assert (code, ran) == (pytest.ExitCode.USAGE_ERROR, set())
    assert "--changed" in errors
