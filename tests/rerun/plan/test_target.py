"""What the words of a command are taken for."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.plan.target import of_command, of_script


@pytest.fixture(autouse=True)
def _in_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("serve.py", "tests/test_net.py", "pkg/__init__.py", "pkg/train.py", "pkg/__main__.py", "net.pt2"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")


@pytest.mark.parametrize(
    ("words", "kind", "scripts"),
    [
        ("python serve.py --fast", "python", ("serve.py",)),
        ("python3.11 -X dev -u serve.py", "python", ("serve.py",)),
        ("python -m pkg.train", "python", ("pkg/train.py",)),
        ("python -m pkg", "python", ("pkg/__main__.py",)),
        ("python -c pass serve.py", "python", ()),
        ("uv run python serve.py", "python", ("serve.py",)),
        ("env A=1 ./serve.py", "python", ("./serve.py",)),
        ("pytest tests/test_net.py::test_export -k export", "pytest", ("tests/test_net.py",)),
        ("python -m pytest -q tests/test_net.py", "pytest", ("tests/test_net.py",)),
        ("pytest tests", "pytest", ()),
        ("torchrun --nproc-per-node 2 serve.py --fast", "launcher", ("serve.py",)),
        ("python -m torch.distributed.run --nproc-per-node 2 -m pkg.train", "launcher", ("pkg/train.py",)),
        ("./serve net.pt2 --script=serve.py", "binary", ()),
    ],
)
def test_commands(words: str, kind: str, scripts: tuple[str, ...]) -> None:
    found = of_command(words.split())
    assert (found.kind, found.scripts) == (kind, scripts)


@pytest.mark.parametrize("there", [True, False])
def test_a_program_without_python_prints_line_by_line(monkeypatch: pytest.MonkeyPatch, there: bool) -> None:
    """PYTHONUNBUFFERED is nothing to it, and what is not written yet is lost when it crashes."""
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}" if there else None)
    first = ("stdbuf", "-oL") if there else ()
    assert of_command(["./serve", "net.pt2"]).after() == (*first, "./serve", "net.pt2")
    assert of_command(["./serve"]).after("gdb", "--args") == (*first, "gdb", "--args", "./serve")
    assert of_command(["stdbuf", "-o0", "./serve"]).after() == ("stdbuf", "-o0", "./serve")
    assert of_command(["python", "serve.py"]).after() == ("python", "serve.py")


def test_debuggers_stand_before_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert of_command(["uv", "run", "python", "a.py"]).after("gdb", "--args")[:4] == ("uv", "run", "gdb", "--args")
    assert of_command(["./serve", "net.pt2"]).after("gdb") == ("gdb", "./serve", "net.pt2")
    assert of_command(["torchrun", "a.py"]).program is None
    assert of_command(["./serve", "net.pt2"]).archives == ("net.pt2",)


def test_variables_before_a_command_need_env() -> None:
    target = of_command(["CUDA_VISIBLE_DEVICES=1", "python", "-c", "pass"])
    assert target.command[:3] == ("env", "CUDA_VISIBLE_DEVICES=1", "python")
    assert target.after("gdb")[:4] == ("env", "CUDA_VISIBLE_DEVICES=1", "gdb", "python")


def test_pytest_shows_what_c_prints() -> None:
    assert of_command(["pytest", "tests"]).after() == ("pytest", "-s", "tests")
    assert of_command(["python", "-m", "pytest", "tests"]).after() == ("python", "-m", "pytest", "-s", "tests")
    assert of_command(["pytest", "-s"]).after() == ("pytest", "-s")


def test_scripts() -> None:
    assert of_script("serve.py", ["--fast"], "py").command == ("py", "serve.py", "--fast")
    with pytest.raises(CannotRun, match=r"missing\.py: there is no such file"):
        of_script("missing.py", [], "py")
    with pytest.raises(CannotRun, match="no Python script"):
        of_script("net.pt2", [], "py")
    with pytest.raises(CannotRun, match="what should be run"):
        of_command([])
