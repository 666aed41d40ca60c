"""Finding and reading the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.cli.check.arguments import parser
from aoti_lint.config import _OPTIONS, Config, find, load
from aoti_lint.errors import CannotRun

EVERYTHING = """\
select = ["AOTI1"]
extend-select = ["AOTI201"]
ignore = ["load-on-other-device"]
exclude = ["vendored/"]
torch-version = "2.8..2.11"
per-file-ignores = { "tests/*" = ["AOTI3"] }
severity = { AOTI201 = "error", AOTI302 = "off" }
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["aoti-lint.toml", "pyproject.toml"])
def test_every_setting_is_read(tmp_path: Path, name: str) -> None:
    head = "[tool.aoti-lint]\n" if name == "pyproject.toml" else ""
    path = write(tmp_path / name, head + EVERYTHING)
    config = load(str(path))
    assert config.path == str(path)
    assert config.select == ["AOTI1"]
    assert config.extend_select == ["AOTI201"]
    assert config.ignore == ["load-on-other-device"]
    assert config.exclude == ["vendored/"]
    assert config.torch_version == "2.8..2.11"
    assert config.per_file_ignores == {"tests/*": ["AOTI3"]}
    assert config.severity == {"AOTI201": "error", "AOTI302": "off"}


def test_the_nearest_file_with_our_table_wins(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.aoti-lint]\nignore = ["AOTI1"]\n')
    write(tmp_path / "near/pyproject.toml", "[tool.other]\nignore = 1\n")
    folder = tmp_path / "near/deep"
    folder.mkdir()
    assert find(str(folder)).ignore == ["AOTI1"]
    write(tmp_path / "near/pyproject.toml", '[tool.aoti-lint]\nignore = ["AOTI2"]\n')
    assert find(str(folder)).ignore == ["AOTI2"]
    write(tmp_path / "near/aoti-lint.toml", 'ignore = ["AOTI3"]\n')
    assert find(str(folder)).ignore == ["AOTI3"]


def test_the_table_counts_and_not_the_word(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    write(inner / "pyproject.toml", '[project]\ndependencies = ["aoti-lint"]\n')
    write(tmp_path / "aoti-lint.toml", 'ignore = ["AOTI4"]\n')
    assert find(str(inner)).ignore == ["AOTI4"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "there is no setting 'selct'; did you mean 'select'?"),
        ("extend_select = []", "there is no setting 'extend_select'; did you mean 'extend-select'?"),
        ("path = 'x'", "there is no setting 'path'"),
        ("select = 'AOTI1'", 'select must be a list of texts, such as ["AOTI1"]'),
        ("exclude = [1]", 'exclude must be a list of texts, such as ["build/"'),
        ("error-on = 'certain'", "error-on is no setting, but an option of the command line: --error-on"),
        ("torch-version = 2.13", 'torch-version must be text such as "2.13"'),
        ("per-file-ignores = ['a']", "per-file-ignores must be a table of lists"),
        ("per-file-ignores = {'a' = 'AOTI1'}", "per-file-ignores must be a table of lists"),
        ("severity = 'error'", "severity must be a table"),
        ("severity = {AOTI101 = 'warn'}", "one of error, warning, info, off, not 'warn'; did you mean 'warning'?"),
        ("severity = {AOTI101 = 1}", "severity of AOTI101 must be one of"),
        ("select = [", "this is no valid TOML"),
        ("[tool.aoti-lint]\nselect = []", "the settings stand without the heading [tool.aoti-lint]; only pyproject"),
        ("[aoti-lint]\nselect = []", "the settings stand without the heading [aoti-lint]; only pyproject.toml has one"),
        ("tool = 1", "there is no setting 'tool'"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path / "aoti-lint.toml", text)
    with pytest.raises(CannotRun) as caught:
        find(str(tmp_path))
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["aoti_lint", "aotilint", "AOTI-lint", "'aoti lint'"])
def test_a_table_of_nearly_our_name_is_not_passed_by(tmp_path: Path, name: str) -> None:
    write(tmp_path / "pyproject.toml", f"[tool.{name}]\nignore = []\n")
    with pytest.raises(CannotRun, match=r"is not read: the settings stand in \[tool.aoti-lint\]"):
        find(str(tmp_path))


def test_what_is_an_option_and_no_setting() -> None:
    """All options of a check that say how it is done, and are no settings."""
    options = {one.removeprefix("--") for action in parser()._actions for one in action.option_strings if one[2:]}
    settings = {slot.replace("_", "-") for slot in Config.__slots__}
    assert options - settings >= _OPTIONS


def test_our_table_must_be_a_table(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool]\naoti-lint = 1\n")
    with pytest.raises(CannotRun, match="must be a table"):
        find(str(tmp_path))


def test_a_named_file_must_be_there_and_have_our_table(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="No such file"):
        load(str(tmp_path / "aoti-lint.toml"))
    with pytest.raises(CannotRun, match=r"no \[tool.aoti-lint\] table"):
        load(str(write(tmp_path / "pyproject.toml", "[tool.other]\n")))
