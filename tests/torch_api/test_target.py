"""The target versions: who decides, and what each kind of project file says."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.errors import CannotRun
from aoti_lint.torch_api.target import Target, find_target


def target(root: Path, **named: Any) -> Target:
    return find_target(root, environ={}, **named)


def install(environment: Path, version: str, packages: str = "lib/python3.11/site-packages") -> Path:
    folder = environment / packages
    folder.joinpath(f"torch-{version}.dist-info").mkdir(parents=True)
    folder.joinpath("torch_geometric-2.6.1.dist-info").mkdir()
    return environment


UV = '[[package]]\nname = "torch"\nversion = "{}"\nsource = {{ registry = "x" }}\n'


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("uv.lock", 'version = 1\n[[package]]\nname = "torchvision"\nversion = "0.20"\n' + UV.format("2.9.1"), "2.9"),
        ("uv.lock", UV.format("2.9.1+cpu") + UV.format("2.10.0"), "2.9–2.10"),
        ("uv.lock", (UV.format("2.9.1")).replace("\n", "\r\n"), "2.9"),
        ("uv.lock", UV.format("2.9.1") + "[[[broken", "2.9"),
        ("poetry.lock", '[[package]]\nname = "torch"\nversion = "2.8.0"\ndescription = ""\n', "2.8"),
        ("pdm.lock", '[[package]]\nname = "torch"\nversion = "2.7.1"\n', "2.7"),
        ("pylock.toml", '[[packages]]\nname = "torch"\nversion = "2.6.0"\n', "2.6"),
        ("Pipfile.lock", '{"default": {"torch": {\n "hashes": ["a"], "version": "==2.5.1"}}}', "2.5"),
        ("requirements.txt", "# torch==2.4\ntorch==2.13.0+cpu --hash=sha256:00 \\\n  --hash=sha256:01\n", "2.13"),
        (
            "requirements.txt",
            "torchvision==0.20\nTorch[opt-einsum] >= 2.12 ; python_version > '3.9'  # x\n",
            "2.12–2.15",
        ),
        ("requirements.txt", "torch~=2.8.0\n", "2.8"),
        ("requirements.txt", "torch @ https://host/whl/cu121/torch-2.5.1%2Bcu121-cp311-cp311-linux_x86_64.whl", "2.5"),
        ("requirements.txt", "torch @ git+https://github.com/pytorch/pytorch@v2.9.0", "2.9"),
        ("requirements.txt", "numpy\n-r more.txt", "2.10"),
        ("requirements-gpu.txt", "torch==2.6.0", "2.6"),
        ("environment.yml", "dependencies:\n  - python=3.11\n  - pytorch=2.5.1=py3.11_cuda12.4_0\n", "2.5"),
        ("environment.yaml", 'dependencies:\n  - "conda-forge::pytorch-gpu>=2.14"  # x\n', "2.14–2.15"),
        ("environment.yml", "dependencies:\n  - pip:\n    - torch==2.9.1\n", "2.9"),
        ("pyproject.toml", '[project]\ndependencies = ["numpy", "torch>=2.4"]\n', "2.4–2.15"),
        ("pyproject.toml", "[project]\ndependencies = [\"torch>=2.13,<2.15; sys_platform=='linux'\"]\n", "2.13–2.14"),
        ("pyproject.toml", '[project]\n[project.optional-dependencies]\na = ["x"]\ngpu = ["torch==2.7.*"]\n', "2.7"),
        ("pyproject.toml", '[dependency-groups]\ndev = [{include-group = "x"}, "torch==2.11.0"]\n', "2.11"),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntorch = "^2.14"\n', "2.14–2.15"),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntorch = {version = "~2.8", extras = ["a"]}\n', "2.8"),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntorch = [{version = "2.8"}, {version = "2.9"}]\n', "2.8–2.9"),
        ("pyproject.toml", '[tool.poetry.group.gpu.dependencies]\ntorch = "2.12.1"\n', "2.12"),
        ("setup.cfg", "[options]\ninstall_requires =\n    numpy\n    torch>=2.15\n", "2.15"),
        ("setup.cfg", "[options.extras_require]\ngpu = torch==2.9.1\n", "2.9"),
    ],
)
def test_project_file(tmp_path: Path, name: str, text: str, shown: str) -> None:
    tmp_path.joinpath(name).write_bytes(text.encode())
    tmp_path.joinpath("more.txt").write_text("torch==2.10.0")
    found = target(tmp_path)
    assert (str(found.versions), found.origin, found.notes) == (shown, name, ())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("uv.lock", '[[package]]\nname = "torchvision"\nversion = "2.9"\n'),
        ("requirements.txt", "torch\n"),
        ("requirements.txt", "torch-scatter==2.9\ntorch_geometric==2.6\ntorch.x==2.9\nmytorch==2.9\n"),
        ("requirements.txt", "torch==the newest\n"),
        ("requirements.txt", "-r requirements.txt\n-r missing.txt\n"),
        ("requirements.txt", "torch @ file:///wheels\n"),
        ("pyproject.toml", "[project\ntorch = 2"),
        ("pyproject.toml", 'project = ["torch>=2.9"]\ntool = 3\n'),
        ("pyproject.toml", '[project]\ndependencies = {torch = ">=2.9"}\n[tool.poetry.dependencies]\ntorch = 2.9\n'),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntorch = "*"\n'),
        ("setup.cfg", "[options.package_data]\ntorch = *.json\n"),
        ("environment.yml", "dependencies:\n  - pytorch\n  - pytorch-lightning=2.5\n  - pytorch-cuda=12.4\n"),
        ("poetry.lock", "\x00\xff" * 100),
    ],
)
def test_file_that_says_nothing(tmp_path: Path, name: str, text: str) -> None:
    tmp_path.joinpath(name).write_bytes(text.encode("latin-1"))
    found = target(tmp_path)
    assert (str(found.versions), found.origin, found.notes) == ("2.4–2.15", "all supported versions", ())


def test_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    for name in ("uv.lock", "pyproject.toml", "requirements.txt"):
        tmp_path.joinpath(name).mkdir()
    assert target(tmp_path).origin == "all supported versions"


def test_order_of_the_voices(tmp_path: Path) -> None:
    python = install(tmp_path / "named", "2.14.1")
    install(tmp_path / ".venv", "2.5.1")
    active = install(tmp_path / "active", "2.4.0")
    assert target(tmp_path).origin == "the environment .venv"
    tmp_path.joinpath("setup.cfg").write_text("install_requires = torch==2.6.0")
    assert str(target(tmp_path).versions) == "2.6"
    tmp_path.joinpath("pyproject.toml").write_text('project.dependencies = ["torch==2.7"]')
    assert str(target(tmp_path).versions) == "2.7"
    tmp_path.joinpath("requirements-a.txt").write_text("torch==2.8")
    tmp_path.joinpath("requirements.txt").write_text("torch==2.9")
    assert target(tmp_path).origin == "requirements.txt"
    tmp_path.joinpath("poetry.lock").write_text(UV.format("2.10.0"))
    tmp_path.joinpath("uv.lock").write_text(UV.format("2.11.0"))
    assert target(tmp_path).origin == "uv.lock"
    named: dict[str, str | None] = {"config_version": "2.12..2.13", "config_path": str(tmp_path / "aoti-lint.toml")}
    found = target(tmp_path, **named)
    assert (str(found.versions), found.origin) == ("2.12–2.13", "aoti-lint.toml")
    named["python"] = str(python)
    found = target(tmp_path, **named)
    assert (str(found.versions), found.origin) == ("2.14", f"the environment of {python}")
    named["torch_version"] = ">=2.15"
    found = target(tmp_path, **named)
    assert (str(found.versions), found.origin) == ("2.15", "--torch-version")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert find_target(empty, environ={"VIRTUAL_ENV": str(active)}).origin == "the environment active"
    assert find_target(empty, environ={"CONDA_PREFIX": str(active)}).origin == "the environment active"


def test_upwards_inside_a_repository_only(tmp_path: Path) -> None:
    package = tmp_path / "repo" / "packages" / "one"
    package.mkdir(parents=True)
    tmp_path.joinpath("requirements.txt").write_text("torch==2.5")
    tmp_path.joinpath("repo", "uv.lock").write_text(UV.format("2.9.1"))
    assert target(package).origin == "all supported versions"
    tmp_path.joinpath("repo", ".git").mkdir()
    found = target(package)
    assert (str(found.versions), found.origin) == ("2.9", "../../uv.lock")
    package.joinpath("pyproject.toml").write_text('[project]\nname = "one"\ndependencies = ["torch"]')
    assert target(package).origin == "../../uv.lock"
    package.joinpath("requirements.txt").write_text("torch==2.8.0")
    assert target(package).origin == "requirements.txt"
    tmp_path.joinpath("repo", "uv.lock").unlink()
    package.joinpath("requirements.txt").unlink()
    assert target(package).origin == "all supported versions"


@pytest.mark.parametrize(
    ("spec", "shown", "note"),
    [
        ("==2.16.0", "2.15", "asks for torch 2.16.0, newer than 2.15, the newest known: judged as 2.15"),
        (">=2.16.0.dev20270101", "2.15", "newer than 2.15"),
        ("==2.2.1+cu118", "2.4", "asks for torch 2.2.1+cu118, older than 2.4, the oldest known: judged as 2.4"),
        (">=1.13,<2.4", "2.4", "older than 2.4"),
        (">=2.9,<2.8", "2.4–2.15", "which no version fits"),
    ],
)
def test_unsupported_versions_are_said(tmp_path: Path, spec: str, shown: str, note: str) -> None:
    tmp_path.joinpath("requirements.txt").write_text(f"torch{spec}")
    found = target(tmp_path)
    assert str(found.versions) == shown
    assert len(found.notes) == 1
    assert note in found.notes[0]
    assert found.notes[0].startswith("requirements.txt asks for torch ")


@pytest.mark.parametrize("asked", ["2.17", "2.17..", "2.17..2.18"])
def test_newer_version_on_the_command_line_is_judged_as_the_newest(tmp_path: Path, asked: str) -> None:
    found = target(tmp_path, torch_version=asked)
    assert str(found.versions) == "2.15"
    note = f"--torch-version asks for torch {asked}, newer than 2.15, the newest known: judged as 2.15"
    assert found.notes == (note,)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"torch_version": "2.2"}, "--torch-version: torch 2.2 is outside the supported versions (2.4 to 2.15)"),
        ({"torch_version": "made-9/2.17"}, "--torch-version: 'made-9/2.17' is no torch version: write 2.13"),
        ({"torch_version": "..2.3"}, "--torch-version: torch ..2.3 is outside the supported versions"),
        ({"torch_version": "new"}, "--torch-version: 'new' is no torch version: write 2.13"),
        ({"config_version": "", "config_path": "a/pyproject.toml"}, "pyproject.toml: '' is no torch version"),
        ({"python": "no/such/python"}, "--python: there is no interpreter or environment no/such/python"),
        ({"python": os.curdir}, "--python: no torch is installed in the environment of ."),
    ],
)
def test_bad_named_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: dict[str, str | None], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CannotRun) as caught:
        target(tmp_path, **named)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "packages",
    [
        "lib/python3.11/site-packages",
        "lib/python3/dist-packages",
        "Lib/site-packages",
        "lib64/python3.12/site-packages",
    ],
)
def test_environment_layouts(tmp_path: Path, packages: str) -> None:
    environment = install(tmp_path / "env", "2.14.0a0+git1234567", packages)
    assert str(target(tmp_path, python=str(environment)).versions) == "2.14"


def test_interpreter_of_an_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = install(tmp_path / "env", "2.8.0+cu128")
    python = environment / "bin" / "python3"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    assert str(target(tmp_path, python=str(python)).versions) == "2.8"
    monkeypatch.setenv("PATH", str(python.parent))
    assert str(target(tmp_path, python="python3").versions) == "2.8"


def test_environment_that_shows_the_system_packages(tmp_path: Path) -> None:
    system = install(tmp_path / "system", "2.12.1")
    environment = tmp_path / "env"
    environment.mkdir()
    configuration = environment / "pyvenv.cfg"
    configuration.write_text(f"home = {system / 'bin'}\ninclude-system-site-packages = false\n")
    with pytest.raises(CannotRun, match="no torch is installed"):
        target(tmp_path, python=str(environment))
    configuration.write_text(f"home = {system / 'bin'}\ninclude-system-site-packages = true\n")
    assert str(target(tmp_path, python=str(environment)).versions) == "2.12"


def test_two_installations_count_as_the_newer(tmp_path: Path) -> None:
    environment = install(tmp_path / "env", "2.9.1")
    environment.joinpath("lib/python3.11/site-packages/torch-2.10.0.dist-info").mkdir()
    assert str(target(tmp_path, python=str(environment)).versions) == "2.10"


def test_files_of_one_kind_are_for_different_machines(tmp_path: Path) -> None:
    for name, text in (("camb", "torch<=2.6"), ("cuda", "-r requirements/cuda.txt"), ("docs", "sphinx\ntorch")):
        tmp_path.joinpath(f"requirements_{name}.txt").write_text(text)
    tmp_path.joinpath("requirements").mkdir()
    tmp_path.joinpath("requirements", "cuda.txt").write_text("torch>=2.9,<=2.12.1")
    found = target(tmp_path)
    assert (str(found.versions), found.origin) == ("2.6, 2.9–2.12", "requirements_camb.txt")


def test_of_a_requirement_without_a_lowest_version_beside_others_the_newest_counts(tmp_path: Path) -> None:
    needs = ["torch>=2.8,<2.11; sys_platform != 'darwin'", "torch<2.7.1; sys_platform == 'darwin'"]
    (tmp_path / "pyproject.toml").write_text(f"[project]\ndependencies = {needs!r}\n", encoding="utf-8")
    found = target(tmp_path)
    assert (str(found.versions), found.stated) == ("2.7–2.10", True)


@pytest.mark.parametrize(
    ("around", "inside", "expected"),
    [
        ("torch==2.11", "torch==2.6", "2.6"),
        ("torch>=2.5,<2.12", "torch>=2.8", "2.8–2.11"),
        ("torch==2.6", "torch>=2.8", "2.8–2.15"),
        ("torch>=2.5", "torch>=2.8", "2.8–2.15"),
        ("numpy", "torch==2.6", "2.6"),
        ("torch==2.11", "torch", None),
        ("torch==2.11", "torch==2.11.1", None),
    ],
)
def test_what_a_folder_says_for_itself(tmp_path: Path, around: str, inside: str, expected: str | None) -> None:
    tmp_path.joinpath("requirements.txt").write_text(around)
    folder = tmp_path / "examples" / "one"
    folder.joinpath("src").mkdir(parents=True)
    folder.joinpath("requirements.txt").write_text(inside)
    below = find_target(tmp_path, environ={}, files=["a.py", "examples/b.py", "examples/one/src/c.py"]).below
    said = {folder: (str(own.versions), own.origin) for folder, own in below.items()}
    assert said == ({} if expected is None else {"examples/one": (expected, said["examples/one"][1])})
    # Alone, the folder says the same.
    tmp_path.joinpath(".git").mkdir()
    assert expected is None or str(find_target(folder, environ={}).versions) == expected


def test_a_folder_inside_another_that_says_what_the_project_says(tmp_path: Path) -> None:
    for folder, spec in (("", "==2.11"), ("a", "==2.6"), ("a/b", "==2.11")):
        tmp_path.joinpath(folder).mkdir(exist_ok=True)
        tmp_path.joinpath(folder, "requirements.txt").write_text(f"torch{spec}")
    below = find_target(tmp_path, environ={}, files=["a/b/c/x.py"]).below
    assert {folder: str(own.versions) for folder, own in below.items()} == {"a": "2.6", "a/b": "2.11"}


def test_what_the_user_names_holds_everywhere(tmp_path: Path) -> None:
    tmp_path.joinpath("one").mkdir()
    tmp_path.joinpath("one", "requirements.txt").write_text("torch==2.6")
    assert not find_target(tmp_path, torch_version="2.13", files=["one/a.py"]).below
