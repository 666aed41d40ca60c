"""What a tree says of its torch is read in bounds, whatever it says: each of these took longer than anybody waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import find
from aoti_lint.errors import CannotRun
from aoti_lint.torch_api.target import find_target

MUCH = {
    "requirements.txt": "torch>=2" + ",>=2.1" * 600_000,
    "requirements-dev.txt": f"torch==2.{'1' * 5000}\n",
    "uv.lock": "".join(f'name = "torch"\nversion = "2.{number}"\n' for number in range(100_000)),
    "setup.cfg": "".join(f"torch>={number}\n" for number in range(100_000)),
}


@pytest.mark.parametrize("name", MUCH)
def test_more_than_anybody_writes_is_not_read_and_said(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(MUCH[name], encoding="utf-8")
    assert (
        f"{name} has more requirements of torch, or longer ones, than are read"
        in find_target(tmp_path, environ={}).notes
    )


def test_lists_that_name_each_other_are_read_once(tmp_path: Path) -> None:
    for number in range(10):
        lines = "".join(f"-r list{other}.txt\n" for other in range(10)) * 10
        (tmp_path / f"list{number}.txt").write_text(lines, encoding="utf-8")
    (tmp_path / "list9.txt").write_text("torch==2.9.0\n", encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("-r ./list0.txt\n-r requirements.txt\n", encoding="utf-8")
    assert list(find_target(tmp_path, environ={}).versions) == ["2.9"]


@pytest.mark.parametrize("value", ["[" * 100_000, "1" * 10_000, '"2.4' + ",>=2" * 100_000 + '"'])
def test_a_configuration_that_nobody_writes_is_an_error(tmp_path: Path, value: str) -> None:
    (tmp_path / "aoti-lint.toml").write_text(f"torch-version = {value}\n", encoding="utf-8")

    def read() -> None:
        config = find(str(tmp_path))
        find_target(tmp_path, config_version=config.torch_version, config_path=config.path)

    with pytest.raises(CannotRun) as caught:
        read()
    assert len(str(caught.value)) < 500


def test_a_project_whose_table_is_nested_without_end_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f"# torch\nx = {'[' * 100_000}", encoding="utf-8")
    assert not find_target(tmp_path, environ={}).stated
