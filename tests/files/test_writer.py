"""What is written: all of it or nothing, and never over what the user has."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from aoti_lint.errors import CannotRun
from aoti_lint.files import writer
from aoti_lint.files.opener import SOURCE
from aoti_lint.files.writer import Target, encoded

MARK = b"# made by aoti-lint"
OLD, NEW = "# made by aoti-lint\nold\n", "# made by aoti-lint\nnew\n"


def ours(head: bytes) -> bool:
    return head.startswith(MARK)


def put(path: Path | str, text: str = NEW, *, force: bool = False, executable: bool = False) -> None:
    Target(str(path), ours, force=force).write(text, executable=executable)


def refused(path: Path | str) -> str:
    with pytest.raises(CannotRun) as caught:
        put(path)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_new_file_has_the_mode_that_the_user_gives_files(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        put(tmp_path / "a")
        put(tmp_path / "b", executable=True)
    finally:
        os.umask(mask)
    assert (tmp_path / "a").read_text(encoding="utf-8") == NEW
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in "ab"] == [0o640, 0o750]


def test_an_older_file_of_ours_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    real = tmp_path / "out" / "real"
    real.write_text(OLD, encoding="utf-8")
    real.chmod(0o640)
    (tmp_path / "link").symlink_to("out/real")
    put(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert real.read_text(encoding="utf-8") == NEW
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    put(tmp_path / "link", executable=True)
    assert stat.S_IMODE(real.stat().st_mode) == 0o750


def test_a_link_to_a_file_that_is_not_there_yet_makes_it(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("later")
    put(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "later").read_text(encoding="utf-8") == NEW


def test_a_file_of_somebody_else_is_only_written_over_by_force(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    assert refused(tmp_path / "mine") == "this file was not written by this command; --force writes over it"
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "mine"
    put(tmp_path / "mine", force=True)
    assert (tmp_path / "mine").read_text(encoding="utf-8") == NEW


def test_an_input_is_not_written_over_by_force_either(tmp_path: Path) -> None:
    (tmp_path / "in").write_text(OLD, encoding="utf-8")
    (tmp_path / "link").symlink_to("in")
    os.link(tmp_path / "in", tmp_path / "same")
    for name in ("in", "link", "same"):
        with pytest.raises(CannotRun, match="this file is read by this run"):
            Target(str(tmp_path / name), ours, inputs=["nothing", str(tmp_path / "in")], force=True)
    assert (tmp_path / "in").read_text(encoding="utf-8") == OLD


def test_what_cannot_be_written_is_said_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert refused(tmp_path / "none" / "a") == "No such file or directory"
    assert refused(tmp_path) == refused(f"{tmp_path}/new/") == "Is a directory"
    assert refused(tmp_path / "loop") == "Too many levels of symbolic links"
    assert refused(f"{tmp_path}/a\0b") == "embedded null byte"
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == "nobody reads this named pipe"
    assert sorted(os.listdir(tmp_path)) == ["loop", "pipe"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_and_a_file_that_are_read_only_stay_so(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(OLD, encoding="utf-8")
    (tmp_path / "a").chmod(0o444)
    assert refused(tmp_path / "a") == "Permission denied"
    tmp_path.chmod(0o555)
    assert refused(tmp_path / "b") == "Permission denied"
    tmp_path.chmod(0o755)


def test_streams_that_the_user_names_are_written_to(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    put("/dev/null")
    put("/dev/stdout")
    put("/dev/fd/1")
    assert capfdbinary.readouterr().out == 2 * NEW.encode()
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    put(tmp_path / "pipe")
    assert os.read(reader, 1000) == NEW.encode()
    os.close(reader)
    (tmp_path / "full").symlink_to("/dev/full")
    assert refused(tmp_path / "full") == "No space left on device"


def test_names_that_are_no_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    put(tmp_path / name, f"{NEW}{name}")
    assert (tmp_path / name).read_bytes() == NEW.encode() + b"caf\xe9"
    assert encoded("\ud800 \u00e9") == b"\\ud800 \xc3\xa9"


@pytest.mark.parametrize("moment", ["_to_disk", "_as_before"])
@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, MemoryError])
def test_whatever_ends_the_writing_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, end: type[BaseException]
) -> None:
    (tmp_path / "a").write_text(OLD, encoding="utf-8")

    def ending(*_: object) -> None:
        raise end

    monkeypatch.setattr(writer, moment, ending)
    with pytest.raises(end):
        put(tmp_path / "a")
    assert os.listdir(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text(encoding="utf-8") == OLD


LIMITED = """\
import resource, sys
from aoti_lint.errors import CannotRun
from aoti_lint.files.writer import Target
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    Target(sys.argv[1], lambda head: True).write("x" * 100_000)
except CannotRun as error:
    print(error)
"""


def test_a_disk_that_is_full_leaves_all_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(OLD, encoding="utf-8")
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "a")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == (f"{tmp_path / 'a'}: File too large\n", "")
    assert os.listdir(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text(encoding="utf-8") == OLD


def test_a_file_of_the_users_is_written_anew_where_it_is_as_it_was(tmp_path: Path) -> None:
    real = tmp_path / "real.py"
    real.write_bytes(b"old")
    real.chmod(0o750)
    (tmp_path / "link.py").symlink_to("real.py")
    writer.rewrite(str(tmp_path / "link.py"), b"old", b"new", SOURCE)
    assert (tmp_path / "link.py").is_symlink()
    assert (real.read_bytes(), stat.S_IMODE(real.stat().st_mode)) == (b"new", 0o750)
    with pytest.raises(CannotRun, match="changed meanwhile"):
        writer.rewrite(str(real), b"old", b"newer", SOURCE)
    with pytest.raises(CannotRun, match="No such file"):
        writer.rewrite(str(tmp_path / "gone.py"), b"", b"", SOURCE)
    assert sorted(os.listdir(tmp_path)) == ["link.py", "real.py"]
    assert real.read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everybody's files are root's")
def test_a_file_that_nobody_may_write_is_not_written_anew(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"old")
    (tmp_path / "a.py").chmod(0o444)
    with pytest.raises(CannotRun, match="Permission denied"):
        writer.rewrite(str(tmp_path / "a.py"), b"old", b"new", SOURCE)
