"""Archives as files of a run: named, configured, broken, remembered, suppressed, shown."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.program.read import SUFFIXES
from aoti_lint.source.discovery.archives import stamp
from aoti_lint.source.discovery.discover import ARCHIVE_SUFFIXES
from tests.cli.conftest import Result
from tests.package.archives import place

Lint = Callable[..., Result]


def test_discovery_and_reader_agree_on_the_suffixes() -> None:
    assert ARCHIVE_SUFFIXES == SUFFIXES


def test_an_archive_can_be_named(project: Path, lint: Lint) -> None:
    place("training.pt2", project)
    result = lint("training.pt2")
    assert result.code == 1
    assert "warning[AOTI601]: " in result.out
    assert " --> training.pt2, in training/models/model.json (training-mode)" in result.out
    assert "Analysed 1 of 1 file" in result.out
    assert result.out.isprintable() or all(line.isprintable() for line in result.out.splitlines())


def test_the_json_has_the_top_of_the_archive(project: Path, lint: Lint) -> None:
    place("dist/training.pt2", project)
    document = json.loads(lint("dist/training.pt2", "--output-format", "json").out)
    (item,) = document["diagnostics"]
    assert item["filename"] == "dist/training.pt2"
    assert item["location"] == item["end_location"] == {"row": 1, "column": 1}
    assert item["fingerprint"]


def test_the_configuration_can_name_archives(project: Path, lint: Lint) -> None:
    place("dist/training.pt2", project)
    (project / "script.py").write_text("import torch\n", encoding="utf-8")
    assert lint("script.py").code == 0
    (project / "aoti-lint.toml").write_text('archives = ["dist/*.pt2", "old/*.so"]\n', encoding="utf-8")
    result = lint("script.py")
    assert result.code == 1
    assert " --> dist/training.pt2, in training/models/model.json" in result.out
    assert "Skipped old/*.so: no archive is there." in result.out


def test_an_archive_above_the_project(project: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = project / "app"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[tool.aoti-lint]\narchives = ["../dist/*.pt2"]\n', encoding="utf-8")
    (inner / "script.py").write_text("import torch\n", encoding="utf-8")
    place("dist/training.pt2", project)
    monkeypatch.chdir(inner)
    assert " --> ../dist/training.pt2, in training/models/model.json" in lint("script.py").out


@pytest.mark.parametrize("table", ['archives = "dist"', "archives = [1]"])
def test_a_wrong_setting_is_told(project: Path, lint: Lint, table: str) -> None:
    (project / "aoti-lint.toml").write_text(table, encoding="utf-8")
    result = lint(".")
    assert result.code == 2
    assert "archives must be a list of texts" in result.err


BROKEN = {
    "empty": (b"", "the file is empty"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs pull"),
    "pickle": (b"\x80\x04K\x01.", "a pickle"),
    "text": (b"not an archive", "neither an archive"),
    "cut": (None, "cut short"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_cannot_be_read_is_an_error_and_the_others_are_judged(
    project: Path,
    lint: Lint,
    case: str,
) -> None:
    good = place("training.pt2", project)
    data, message = BROKEN[case]
    (project / "broken.pt2").write_bytes(good.read_bytes()[:1000] if data is None else data)
    result = lint("broken.pt2", "training.pt2")
    assert result.code == 2
    assert "broken.pt2: " in result.out
    assert message in result.out
    assert "AOTI601" in result.out
    assert "Traceback" not in result.out + result.err


def test_every_cut_and_every_flipped_byte_is_survived(project: Path, lint: Lint) -> None:
    data = place("training.pt2", project).read_bytes()
    for step in range(0, len(data), 97):
        (project / "cut.pt2").write_bytes(data[:step])
        flipped = bytearray(data)
        flipped[step] ^= 0x5A
        (project / "flipped.pt2").write_bytes(flipped)
        result = lint("cut.pt2", "flipped.pt2", "--no-cache")
        assert result.code == 2
        assert "Traceback" not in result.out + result.err


def test_a_package_without_its_sources_is_an_error(project: Path, lint: Lint) -> None:
    place("on_gpu.so", project)
    assert lint("on_gpu.so").code == 0
    (project / "on_gpu.wrapper.cpp").unlink()
    result = lint("on_gpu.so")
    assert result.code == 2
    assert "the source of its wrapper is not beside it" in result.out


def test_a_library_that_is_no_model_is_told(project: Path, lint: Lint) -> None:
    (project / "some.so").write_bytes(b"\x7fELF" + bytes(10))
    assert lint("some.so").code == 2


# ---------------------------------------------------------------- the memory of runs


def test_a_run_over_an_archive_is_remembered(project: Path, lint: Lint, analysed: list[str]) -> None:
    path = place("training.pt2", project)
    first = lint("training.pt2")
    assert lint("training.pt2") == first
    assert len(analysed) == 1
    path.write_bytes(place("evaluated.pt2", project).read_bytes())
    assert lint("training.pt2").code == 0
    assert len(analysed) == 2


@pytest.mark.parametrize("table", ["[target]\nmachine = 'aarch64'\n", "[package]\nmax-size = 5\n"])
def test_another_target_is_another_run(
    project: Path,
    lint: Lint,
    analysed: list[str],
    table: str,
) -> None:
    place("static_compiled.pt2", project)
    (project / "aoti-lint.toml").touch()
    assert lint("static_compiled.pt2").code == 0
    (project / "aoti-lint.toml").write_text(table, encoding="utf-8")
    assert lint("static_compiled.pt2").code == 1
    assert len(analysed) == 2


def test_a_stamp_reads_the_end_of_a_file_only(tmp_path: Path) -> None:
    path = tmp_path / "large.pt2"
    with path.open("wb") as file:
        file.truncate(1 << 33)
    before = stamp(str(path))
    assert stamp(str(path)) == before
    os.utime(path, ns=(1, 1))
    assert stamp(str(path)) != before
    assert stamp(str(tmp_path / "none.pt2")) == ""


# ---------------------------------------------------------------- suppression


def test_archives_are_silenced_by_their_path(project: Path, lint: Lint) -> None:
    place("dist/training.pt2", project)
    place("training.pt2", project)
    config = 'per-file-ignores = { "dist/*" = ["training-mode"] }\n'
    (project / "aoti-lint.toml").write_text(config, encoding="utf-8")
    result = lint("dist/training.pt2", "training.pt2", "--output-format", "concise")
    assert [line.partition(":")[0] for line in result.out.splitlines()] == ["training.pt2"]


def test_a_name_cannot_steer_the_terminal(project: Path, lint: Lint) -> None:
    import zipfile

    with zipfile.ZipFile(project / "evil.pt2", "w") as archive:
        archive.writestr("evil/models/\x1b[31mred.json", "{")
        archive.writestr("evil/archive_format", "pt2")
    result = lint("evil.pt2")
    assert result.code == 2
    assert "\x1b" not in result.out
