"""Broken and hostile archives: refused in words or read in part, in bounded memory and time, and nothing is written."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from tests.program.mutations import bombs, mutated
from tests.program.test_views import ARCHIVES

ROOT = Path(__file__).parents[2]
SECONDS = 20.0
"""CPU time for one archive; only the largest need more than one."""

FIRST = ARCHIVES / "2.13.0" / "kwargs_all.pt2"
SOME = [
    FIRST,
    *(ARCHIVES / "2.13.0" / f"{name}.pt2" for name in ("tree", "buffers", "auto_view", "cond", "shared_dim.aoti",
                                                        "customop.aoti", "buffers.aoti")),
    *(ARCHIVES / release / "buffers.pt2" for release in ("2.4.1", "2.5.1", "2.7.1", "2.8.0", "2.15.0")),
    ARCHIVES / "2.7.1" / "dim.aoti.pt2",
    *(ARCHIVES / "2.11.0-cuda" / f"{name}.pt2" for name in ("mixed_devices.aoti", "triton.aoti")),
]  # fmt: skip
COPIES = 40
"""Of each archive in `SOME`."""


def ended(paths: list[Path]) -> list[tuple[str, float]]:
    """How each was ended, and the CPU seconds it took."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.program.survive"], input="\n".join(map(str, paths)), cwd=ROOT, check=False,
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"{paths[len(rows)].name}: {done.stderr[-2000:]}"
    return [(how, float(seconds)) for _, how, seconds in rows]


def test_changed_archives(tmp_path: Path) -> None:
    paths = []
    for archive in SOME:
        for name, data in mutated(archive, COPIES, seed=3):
            paths.append(tmp_path / name)
            paths[-1].write_bytes(data)
    assert len(paths) >= 500
    found = ended(paths)
    assert len(found) == len(paths)
    counts = Counter(how for how, _ in found)
    assert counts.keys() <= {"read", "parts", "refused"}
    # Changes that all are noticed, or none, would be of one kind.
    assert min(counts["read"], counts["parts"], counts["refused"]) > len(paths) // 50
    assert max(seconds for _, seconds in found) < SECONDS


@pytest.fixture(scope="module")
def hostile() -> dict[str, bytes]:
    return dict(bombs(FIRST))


def test_bombs(tmp_path: Path, hostile: dict[str, bytes]) -> None:
    harmless = {"deep arguments", "sixty thousand nodes"}
    for name, data in hostile.items():
        path = tmp_path / "bomb.pt2"
        path.write_bytes(data)
        ((how, seconds),) = ended([path])
        assert how in (("read", "parts") if name in harmless else ("parts", "refused")), name
        assert seconds < SECONDS, name


def test_the_command_says_what_is_wrong(
    tmp_path: Path, hostile: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bomb.pt2"
    for name, data in hostile.items():
        if name in ("as many members as are read", "sixty thousand nodes", "deep arguments"):
            continue
        path.write_bytes(data)
        assert main(["inspect", str(path)]) == 2, name
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        assert "problem:" in said.out or "aoti-lint: error: " in said.err, name


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"hello", "neither an archive"),
        (b"PK\x03\x04", "the archive is damaged: its end is missing"),
        (b"\x80\x04N.", "pickle"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        (b"\x7fELF" + bytes(100), "64-bit"),
    ],
)
def test_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, words: str) -> None:
    path = tmp_path / "model.pt2"
    path.write_bytes(data)
    assert main(["inspect", str(path)]) == 2
    assert words in capsys.readouterr().err
    assert main(["inspect", str(tmp_path / "nowhere.pt2")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert main(["inspect", str(tmp_path)]) == 2


def test_a_damaged_archive_is_no_error_of_syntax(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as made:
        made.writestr("m/version", "0")
        made.writestr("m/models/model.json", "{" * 4_000)
    at = whole.getvalue().index(b"{{{{")
    bad = {"cut": whole.getvalue()[:60], "flipped": whole.getvalue()[:at] + b"?" + whole.getvalue()[at + 1 :]}
    for name, data in bad.items():
        path = tmp_path / f"{name}.pt2"
        path.write_bytes(data)
        assert main(["--output-format", "concise", "--no-cache", str(path)]) == 2
        (told, *_) = capsys.readouterr().out.splitlines()
        assert "error AOTI002 unreadable-file: the archive is damaged: " in told
        assert told.count("model.json") <= 2
