from __future__ import annotations

import os
from pathlib import Path

import pytest

from aoti_lint.source.discovery.discover import OTHER, discover, find_root, is_excluded, walk_project


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")


def write(root: Path, name: str, text: str) -> None:
    make(root, name)
    (root / name).write_text(text, encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    make(
        tmp_path,
        "pyproject.toml", "b.py", "a.pyi", "nb.ipynb", "c.txt", "script", "src/é/m.py", "src/é/__init__.py",
        ".venv/x.py", "env/pyvenv.cfg", "env/lib/x.py", "node_modules/x.py", "__pycache__/x.py", "dist/x.py",
        ".hidden/h.py", "dir.py/inner.py",
    )  # fmt: skip
    return tmp_path


FILES = [".hidden/h.py", "a.pyi", "b.py", "dir.py/inner.py", "nb.ipynb", "src/é/__init__.py", "src/é/m.py"]


def test_a_folder(project: Path) -> None:
    found = discover([str(project)])
    assert found.root == str(project)
    assert found.files == FILES
    assert not found.skipped
    assert not found.problems


def test_what_a_template_fills_in(project: Path) -> None:
    make(project, "{{cookiecutter.name}}/{{cookiecutter.name}}/ops.py", "{{name}}.py", "{x}.py")
    assert discover([str(project)]).files == [*FILES, "{x}.py"]
    named = str(project / "{{name}}.py")
    assert discover([named]).files == ["{{name}}.py"]


def test_relative_and_repeated_names(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "src")
    found = discover([".", "../b.py", "é/m.py", "é"])
    assert (found.root, found.files) == (str(project), ["b.py", "src/é/__init__.py", "src/é/m.py"])


def test_named_although_excluded(project: Path) -> None:
    write(project, ".gitignore", "b.py\nsrc/\n")
    named = [str(project / name) for name in ("b.py", "src", ".venv/x.py", ".venv", "env/lib/x.py")]
    found = discover(named, exclude=["b.py"])
    assert found.files == [".venv/x.py", "b.py", "env/lib/x.py"]

    forced = discover(named, exclude=["b.py"], force_exclude=True)
    assert forced.files == []
    assert forced.skipped == [(name, "excluded") for name in named]


def test_exclude(project: Path) -> None:
    found = discover([str(project)], exclude=["*.pyi", "/src/é/", "!keep", ".hidden"])
    assert found.files == ["b.py", "dir.py/inner.py", "nb.ipynb"]
    assert is_excluded(str(project / "src/é/m.py"), str(project), ["/src/é/"])
    assert not is_excluded(str(project / "b.py"), str(project), ["/src/é/"])
    assert not is_excluded("/elsewhere/b.py", str(project), ["*.py"])


def test_gitignore(project: Path) -> None:
    make(
        project, ".git/HEAD", "build/x.py", "sub/build/x.py", "sub/keep.py", "sub/drop.py", "sub/deep/drop.py", "#x.py"
    )
    write(project, ".gitignore", "# comment\n\n/build/\ndrop.py\nsub/k*.py\n.hidden/\n\\#x.py\n")
    write(project, "sub/.gitignore", "!drop.py\n!keep.py\n")
    write(project, "sub/deep/.gitignore", "drop.py\n")
    write(project, ".git/info/exclude", "*.ipynb\n")
    found = discover([str(project)])
    assert found.files == [
        "a.pyi", "b.py", "dir.py/inner.py", "src/é/__init__.py", "src/é/m.py", "sub/build/x.py", "sub/drop.py",
        "sub/keep.py",
    ]  # fmt: skip
    assert discover([str(project / "sub" / "deep")]).files == []


def test_gitignore_above_the_root(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", "packages/one/setup.py", "packages/one/gen/x.py", "packages/one/a.py")
    write(tmp_path, ".gitignore", "gen/\n")
    found = discover([str(tmp_path / "packages" / "one")])
    assert (found.root, found.files) == (str(tmp_path / "packages" / "one"), ["a.py", "setup.py"])


def test_what_cannot_be_used(project: Path) -> None:
    write(project, "tool", "#!/usr/bin/env python3\n")
    named = ["gone.py", "c.txt", "script", "tool", "b.pyw"]
    make(project, "b.pyw")
    found = discover([str(project / name) for name in named])
    assert found.files == ["b.pyw", "tool"]
    assert found.skipped == [(str(project / name), OTHER) for name in ("c.txt", "script")]
    assert [(problem.path, problem.message) for problem in found.problems] == [("gone.py", "no such file or folder")]


def test_a_link_to_nothing(project: Path) -> None:
    os.symlink("two.py", project / "one.py")
    os.symlink("one.py", project / "two.py")
    found = discover([str(project / "one.py")])
    assert [problem.message for problem in found.problems] == ["a link that leads to nothing"]


def test_a_named_folder_that_is_excluded(project: Path) -> None:
    write(project, "made/a.py", "import torch\n")
    folder = str(project / "made")
    assert discover([folder]).skipped == []
    assert discover([folder], exclude=["made/"]).skipped == [(folder, "excluded, with all that is in it")]


def test_links(project: Path) -> None:
    os.symlink(project / "src", project / "linked")
    os.symlink(project, project / "src" / "loop")
    os.symlink(project / "b.py", project / "link.py")
    os.symlink(project / "gone.py", project / "broken.py")
    os.symlink(project / "itself.py", project / "itself.py")
    assert discover([str(project)]).files == sorted([*FILES, "link.py"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_are_not_read(project: Path) -> None:
    os.mkfifo(project / "pipe.py")
    os.mkfifo(project / "pipe")
    found = discover([str(project / "pipe.py"), str(project / "pipe")])
    assert not found.files
    assert {problem.message for problem in found.problems} == {"not a regular file; standard input is named '-'"}
    assert "pipe.py" not in discover([str(project)]).files


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything can be read")
def test_unreadable_folder(project: Path) -> None:
    (project / "src").chmod(0)
    try:
        found = discover([str(project)])
    finally:
        (project / "src").chmod(0o755)
    assert [path for path, _ in found.skipped] == [str(project / "src")]
    assert "src/é/m.py" not in found.files


def test_a_module_of_a_package_may_be_called_setup(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", "pack/__init__.py", "pack/setup.py", "pack/a.py")
    assert find_root([str(tmp_path / "pack/a.py")]) == str(tmp_path)


@pytest.mark.parametrize("marker", ["pyproject.toml", "aoti-lint.toml", ".git", "setup.py", "setup.cfg"])
def test_root_by_marker(tmp_path: Path, marker: str) -> None:
    make(tmp_path, marker, "a/b/c.py", "a/d/e.py")
    assert find_root([str(tmp_path / "a/b/c.py"), str(tmp_path / "a/d")]) == str(tmp_path)
    assert find_root([str(tmp_path / "a/b/c.py"), str(tmp_path)]) == str(tmp_path)


def test_root_without_marker(tmp_path: Path) -> None:
    make(tmp_path, "a/b/c.py", "a/d/e.py")
    assert find_root([str(tmp_path / "a/b/c.py"), str(tmp_path / "a/d/e.py")]) == str(tmp_path / "a")
    assert find_root([str(tmp_path / "a/b/c.py")]) == str(tmp_path / "a/b")
    assert find_root([str(tmp_path / "gone.py")]) == str(tmp_path)


def test_root_without_marker_of_paths_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "p/a/b/c.py", "p/d.py")
    monkeypatch.chdir(tmp_path / "p")
    assert find_root(["a/b/c.py"]) == str(tmp_path / "p")
    assert find_root(["a", "d.py"]) == str(tmp_path / "p")
    assert find_root([str(tmp_path / "p/a/b/c.py")]) == str(tmp_path / "p/a/b")
    monkeypatch.chdir(tmp_path / "p/a")
    assert find_root(["../d.py"]) == str(tmp_path / "p")
    for home in (tmp_path / "p", tmp_path / "p/someone"):
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.chdir(tmp_path / "p")
        assert find_root(["a/b/c.py"]) == str(tmp_path / "p/a/b")


def test_not_below_a_given_root(tmp_path: Path) -> None:
    make(tmp_path, "a/x.py", "b/y.py")
    found = discover([str(tmp_path / "a"), str(tmp_path / "b" / "y.py")], root=str(tmp_path / "a"))
    assert found.files == ["x.py"]
    assert len(found.problems) == 1


def test_walk_project(project: Path) -> None:
    make(project, "k.cu", "sub/k.cpp", "dist/k.cpp")
    paths = [Path(path).relative_to(project).as_posix() for path in walk_project(str(project), (".cu", ".cpp"))]
    assert paths == ["k.cu", "sub/k.cpp"]


def test_a_named_link_to_a_folder_around_it_is_not_walked(tmp_path: Path) -> None:
    (tmp_path / "top" / "src").mkdir(parents=True)
    (tmp_path / "top" / "a.py").touch()
    links = {"all": "/", "up": "..", "self": "."}
    for name, target in links.items():
        os.symlink(target, tmp_path / "top" / name)
    os.symlink("src", tmp_path / "top" / "beside")
    (tmp_path / "top" / "src" / "b.py").touch()
    named = [str(tmp_path / "top" / name) for name in (*links, "beside")]
    found = discover(named, root=str(tmp_path / "top"))
    assert found.files == ["beside/b.py"]
    assert [name for name, reason in found.skipped if "a link to a folder that it lies in" in reason] == named[:-1]
