"""Nothing of the user's is changed by a rerun: it runs in a copy, and only what it said it would run."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.copied import survey as surveys
from aoti_lint.rerun.copied.copies import Copy
from aoti_lint.rerun.copied.survey import PREFIX, Survey, folders_of
from tests.rerun.inside.test_inside import FAKE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and signals of POSIX")

HARM = """
import ctypes, mmap, os, pathlib, shutil, sqlite3, subprocess, sys, time

start = os.getcwd()
HERE = "@HERE@"
PIECES = @PIECES@
home = os.path.expanduser("~/user")

def damage(path):
    with open(path, "w") as file:
        file.write("damaged")

damage("net.pth")
damage(os.path.join(HERE, "hard_coded.pth"))
damage(os.path.join(home, "put_together.pth"))
damage(sys.argv[1])
damage(sys.argv[2].partition("=")[2])
damage(os.environ["WEIGHTS"])
damage(os.environ["PARTS"].split(":")[1] + "/part.bin")
damage("inner_link.txt")
damage("absolute_link.txt")
damage("outer_link.txt")
damage("outer_folder/data.txt")
pathlib.Path(__file__).with_name("beside.txt").write_text("damaged")
with open("run.log", "a") as file:
    file.write("appended")
with open("in_place.bin", "r+b") as file:
    file.write(b"damaged")
with open("mapped.bin", "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
    memory[:4] = b"harm"
with open("new.pt2", "w") as file:
    file.write("damaged")
os.replace("new.pt2", "atomic.pt2")
damage("package.pt2")
base = sqlite3.connect("data.db")
base.execute("insert into t values (2)")
base.commit()
base.close()
os.rename("renamed.txt", "other.txt")
os.rename(os.path.join(home, "renamed_by_path.txt"), os.path.join(home, "other2.txt"))
os.remove("removed.txt")
os.remove(os.path.join(home, "removed_by_path.txt"))
shutil.rmtree("tree")
shutil.rmtree(os.path.join(home, "tree_by_path"))
os.makedirs(os.path.join(home, "made"))
os.chmod("mode.txt", 0o600)
os.chmod(os.path.join(home, "mode_by_path.txt"), 0o600)
os.utime("mode.txt", (1, 1))
os.chmod("locked", 0o500)
subprocess.run(["sh", "-c", "echo more >> by_shell.txt; rm gone_by_shell.txt"], check=True)
subprocess.run([sys.executable, "-c", "open('by_child.txt', 'w')"], check=True)
subprocess.run("echo more >> ~/user/by_home.txt", shell=True, check=True)
os.makedirs("made/deep")
open("made/deep/file.txt", "w").close()
os.chmod("made/deep", 0o500)
os.chmod("made", 0o500)
for _ in range(1500):
    os.mkdir("deep")
    os.chdir("deep")
os.chdir(start)
libc = ctypes.CDLL(None)
for path in ("by_c.bin", os.path.join(home, "by_c_at_home.bin")):
    file = libc.open(path.encode(), os.O_WRONLY | os.O_TRUNC)
    libc.write(file, b"damaged", 7)
    libc.close(file)
pieces = "/" + "/".join(PIECES)
damage(pieces + "/in_pieces.txt")
shutil.copyfile("target.txt", pieces + "/copied_over.txt")
os.chmod(pieces + "/mode_by_path.txt", 0o644)
os.remove(pieces + "/removed_in_pieces.txt")
shutil.rmtree(pieces + "/tree_in_pieces")
os.chdir(home)
damage("after_chdir.txt")
print("all harm done", os.getcwd(), flush=True)
if os.environ.get("WAIT"):
    print("ready", flush=True)
    time.sleep(300)
@ENDS@
"""
ENDS = 'raise RuntimeError("input_handles[1]: unmatched dim value at 0, expected: 2, but got: 5")\n'
"""A message that names the culprit: the rerun ends with the first run."""

NAMES = re.findall(
    r"\S+",
    """
net.pth hard_coded.pth put_together.pth argument.pth option.pth weights.pth parts/part.bin target.txt beside.txt run.log
in_place.bin mapped.bin atomic.pt2 package.pt2 renamed.txt renamed_by_path.txt removed.txt removed_by_path.txt
tree/deep/file.txt tree_by_path/file.txt mode.txt mode_by_path.txt locked/file.txt by_shell.txt gone_by_shell.txt
removed_in_pieces.txt tree_in_pieces/file.txt by_child.txt by_c.bin by_c_at_home.bin by_home.txt in_pieces.txt
copied_over.txt after_chdir.txt build.py make.sh
""",
)


class Project:
    """A folder of the user with all that a program may harm, and what it was."""

    def __init__(self, root: Path) -> None:
        self.root, self.user, self.work = root, root / "user", root / "work"
        for name in NAMES:
            path = self.user / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"of the user: {name}\n")
            os.utime(path, (1e9, 1e9))
        (self.user / "mode.txt").chmod(0o640)
        base = sqlite3.connect(self.user / "data.db")
        base.execute("create table t (a)")
        base.commit()
        base.close()
        (root / "outer").mkdir()
        (root / "outer" / "data.txt").write_text("of the user")
        (root / "outer.txt").write_text("of the user")
        (self.user / "inner_link.txt").symlink_to("target.txt")
        (self.user / "absolute_link.txt").symlink_to(self.user / "target.txt")
        (self.user / "outer_link.txt").symlink_to("../outer.txt")
        (self.user / "outer_folder").symlink_to(root / "outer")
        (self.user / "build.py").write_text("open('net.pth', 'w').write('built')")
        (self.user / "make.sh").write_text("#!/bin/sh\necho made > net.pth\n")
        (self.user / "make.sh").chmod(0o755)
        harm = HARM.replace("@HERE@", str(self.user)).replace("@PIECES@", str(self.user.parts[1:]))
        (self.user / "main.py").write_text(harm.replace("@ENDS@", ENDS))
        self.environment = {
            **os.environ, "HOME": str(root), "XDG_CACHE_HOME": str(root / "cache"), "TMPDIR": str(root / "temporary"),
            "WEIGHTS": str(self.user / "weights.pth"), "PARTS": f"/nowhere:{self.user / 'parts'}",
        }  # fmt: skip
        (root / "temporary").mkdir()
        self.before = self.state()

    def state(self) -> dict[str, tuple[object, ...]]:
        """Of each path: its mode, time and content, and where it leads."""
        found: dict[str, tuple[object, ...]] = {}
        for top in (self.user, self.root / "outer", self.root / "outer.txt"):
            for folder, folders, files in os.walk(top) if top.is_dir() else [(str(self.root), [], [top.name])]:
                for name in (*folders, *files):
                    path = os.path.join(folder, name)
                    status = os.lstat(path)
                    content: object = None
                    if stat.S_ISREG(status.st_mode):
                        content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
                    elif stat.S_ISLNK(status.st_mode):
                        content = os.readlink(path)
                    found[path] = (status.st_mode, status.st_mtime_ns, status.st_ino, content)
        return found

    def command(self, *words: str) -> list[str]:
        return [
            sys.executable, "-m", "aoti_lint", "rerun", *words, "--symptom", "wrong-result", "--device", "cpu",
            "--execute", "--yes", "--keep", str(self.work), "--output-format", "json",
        ]  # fmt: skip

    def run(self, *words: str, after: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
        command = [*self.command(*words), *(("--", *after) if after else ())]
        return subprocess.run(
            command, cwd=self.user, env=self.environment, capture_output=True, text=True, timeout=120, check=False
        )

    def log(self) -> str:
        return "".join(path.read_text() for path in sorted(self.work.glob("runs/*/log.txt")))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def harmful(project: Project) -> tuple[str, ...]:
    return (str(project.user / "argument.pth"), f"--option={project.user / 'option.pth'}")


def test_every_file_is_as_before(project: Project) -> None:
    done = project.run("main.py", after=harmful(project))
    assert "all harm done" in project.log(), done.stderr + project.log()
    assert project.state() == project.before
    assert os.listdir(project.root / "temporary") == []
    report = json.loads(done.stdout)
    # The report speaks of the user's files.
    (culprit,) = report["culprits"]
    assert culprit["place"]["path"] == str(project.user / "main.py")
    assert culprit["place"]["text"].startswith("raise RuntimeError")
    everything = done.stdout + done.stderr + project.log() + (project.work / "report.html").read_text()
    assert PREFIX not in everything
    assert f"all harm done {project.user}" in everything
    assert report["consent"]["folders"] == [str(project.user)]
    assert report["consent"]["runs"][0]["command"] == [sys.executable, "main.py", *harmful(project)]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_also_when_it_is_interrupted(project: Project, how: signal.Signals) -> None:
    driver = (
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from aoti_lint.cli.main import main\nsys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", driver, *project.command("main.py")[3:], "--", *harmful(project)]
    process = subprocess.Popen(
        command, cwd=project.user, env={**project.environment, "WAIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until = time.monotonic() + 60
    while "ready" not in project.log() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(how)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert json.loads(out)["stopped"]
    assert project.state() == project.before
    assert os.listdir(project.root / "temporary") == []


def test_a_copy_of_a_killed_rerun_is_removed_by_the_next(project: Project) -> None:
    process = subprocess.Popen(
        [*project.command("main.py"), "--", *harmful(project)], cwd=project.user,
        env={**project.environment, "WAIT": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    until = time.monotonic() + 60
    while "ready" not in project.log() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    process.kill()
    process.wait()
    (stale,) = os.listdir(project.root / "temporary")
    assert stale.startswith(PREFIX)
    mark = f"{project.work}/runs/"
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if entry.isdigit():
            try:
                mine = mark in Path("/proc", entry, "environ").read_text(errors="replace")
            except OSError:
                continue
            if mine:
                os.kill(int(entry), signal.SIGKILL)
    project.run("main.py", after=harmful(project))
    assert os.listdir(project.root / "temporary") == []
    assert project.state() == project.before


SERVE = f"import torch._inductor\nmodel = torch._inductor.aoti_load_package('net.pt2')\nopen('ran.txt', 'w')\n{ENDS}"
BUILD = (
    "import torch, torch.export, torch._inductor\nmodel = torch.nn.Linear(2, 2) if hasattr(torch, 'nn') else 1\n"
    "program = torch.export.export(model, (1,))\n"
    "torch._inductor.aoti_compile_and_package(program, package_path='net.pt2')\n"
)


def test_a_script_that_is_found_is_named_before_it_runs(project: Project) -> None:
    """`build.py` makes what `main.py` loads."""
    (project.user / "main.py").write_text(SERVE)
    (project.user / "build.py").write_text(BUILD)
    project.environment["PYTHONPATH"] = FAKE
    before = project.state()
    command = [word for word in project.command("main.py") if word != "--yes"]
    refused = subprocess.run(
        command, cwd=project.user, env=project.environment, capture_output=True, text=True, timeout=120, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert refused.returncode == 2
    assert f"{sys.executable} build.py: " in refused.stderr
    assert "as it makes what is loaded (--build names another command)" in refused.stderr
    assert not project.work.exists()
    assert project.state() == before
    done = project.run("main.py")
    runs = {tuple(one["command"][1:]): one for one in json.loads(done.stdout)["consent"]["runs"]}
    ran = [tuple(one["command"][1:]) for tried in json.loads(done.stdout)["tried"] for one in tried["ran"]]
    assert ran == [("build.py",), ("main.py",)]
    assert runs["build.py",]["why"].startswith("it makes what is loaded")
    assert project.state() == before


def test_what_was_not_said_is_not_run(project: Project) -> None:
    from aoti_lint.rerun.plan.consent import Allowed, consent_to
    from aoti_lint.rerun.plan.plan import Plan, Stage, Step

    def plan(*stages: Stage) -> Plan:
        return Plan(target=("python", "main.py"), symptom="nan", stages=stages, runs=1)

    run, build = Step(phase="run", command=("gdb", "python", "main.py")), Step(phase="build", command=("make.sh",))
    once = Stage(name="once", title="", why="", reads="", steps=(run,))
    twice = Stage(name="once", title="", why="", reads="", steps=(run, run))
    known = plan(once)
    consent = consent_to((known, plan(twice)), None, {})
    assert [(one.command, one.times) for one in consent.runs] == [(("python", "main.py"), 2)]
    allowed = Allowed(consent)
    with pytest.raises(CannotRun, match=r"make\.sh was to be run, and nobody was asked"):
        allowed.take(known, build)
    allowed.take(known, run)
    allowed.take(known, run)
    with pytest.raises(CannotRun, match="nobody was asked"):
        allowed.take(known, run)


def test_in_place_runs_where_it_is(project: Project) -> None:
    (project.user / "main.py").write_text(f"import os\nopen('made.txt', 'w').write(os.getcwd())\n{ENDS}")
    done = project.run("main.py", "--in-place")
    assert (project.user / "made.txt").read_text() == str(project.user)
    assert "where it is, not in a copy" in done.stderr


def test_too_much_to_copy(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.user / "large.bin").write_bytes(b"x" * 5000)
    monkeypatch.chdir(project.user)
    monkeypatch.setattr(surveys, "BYTES", 4000)
    found = Survey((str(project.user),))
    with pytest.raises(CannotRun, match=r"4\.9 KiB\)") as caught:
        found.look()
    said = str(caught.value)
    assert "\n" not in said
    assert "--link PATH" in said
    assert "large.bin" in said
    assert "--in-place" in said
    linked = Survey((str(project.user),), (str(project.user / "large.bin"),))
    monkeypatch.setattr(surveys, "BYTES", 1 << 20)
    linked.look()
    copy = Copy(linked, str(project.work))
    try:
        assert os.path.realpath(copy.path(str(project.user)) + "/large.bin") == str(project.user / "large.bin")
        assert copy.inside(str(project.user / "large.bin")) == str(project.user / "large.bin")
    finally:
        copy.remove()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device", "there"), KeyboardInterrupt()])
def test_a_copy_that_is_not_made_to_its_end(
    project: Project, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fails(*args: object, **kwargs: object) -> None:
        raise error

    found = Survey((str(project.user),))
    found.look()
    monkeypatch.setenv("TMPDIR", str(project.root / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(shutil, "copystat", fails)
    with pytest.raises((CannotRun, KeyboardInterrupt), match=r"^$|there: No space left on device; --in-place"):
        Copy(found, str(project.work))
    assert os.listdir(project.root / "temporary") == []


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_in_the_copy_is_not_that_of_the_user(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str, where: str) -> str:
        named = ("-c", "user.name=a", "-c", "user.email=b@c")
        return subprocess.run(["git", *named, *words], cwd=where, capture_output=True, text=True, check=True).stdout

    user = str(project.user)
    git("init", "-q", where=user)
    git("add", "net.pth", where=user)
    git("commit", "-qm", "first", where=user)
    before = project.state()
    inside = project.user / "parts"
    assert folders_of(str(inside), []) == (user,)
    found = Survey((user,))
    found.look()
    copy = Copy(found, str(project.work))
    try:
        there = copy.path(str(inside))
        assert git("rev-parse", "HEAD", where=there) == git("rev-parse", "HEAD", where=user)
        git("rm", "-q", "--cached", "../net.pth", where=there)
        git("commit", "-qm", "second", where=there)
        git("clean", "-qfdx", "..", where=there)
        git("gc", "-q", "--prune=now", where=there)
        assert git("fsck", where=user) == ""
    finally:
        copy.remove()
    assert project.state() == before


def test_what_the_copy_has(tmp_path: Path) -> None:
    user = tmp_path / "me" / "net"
    (user / ".venv" / "bin").mkdir(parents=True)
    (user / ".venv" / "pyvenv.cfg").write_text("")
    (user / "aoti-rerun" / "old").mkdir(parents=True)
    (user / "__pycache__").mkdir()
    (user / "script.sh").write_text(f"cp {user}/a.txt {user}.old/ ; {user}/.venv/bin/python {user}")
    (user / "up").symlink_to("..")
    os.mkfifo(user / "pipe")
    (user / ".git").write_text("gitdir: /elsewhere")
    (tmp_path / "me" / "data").mkdir()
    (tmp_path / "me" / "data" / "a.txt").write_text("beside")
    (user / "around.txt").symlink_to(tmp_path / "me" / "again" / "script.sh")
    (tmp_path / "me" / "again").symlink_to(user)
    found = Survey((str(user),))
    found.look()
    copy = Copy(found, str(user / "aoti-rerun" / "new"))
    try:
        there = Path(copy.path(str(user)))
        assert sorted(os.listdir(there)) == [".venv", "aoti-rerun", "around.txt", "pipe", "script.sh", "up"]
        assert (there / "script.sh").read_text() == f"cp {there}/a.txt {user}.old/ ; {user}/.venv/bin/python {there}"
        assert os.path.samefile(there / ".venv", user / ".venv")
        assert (there / ".." / "data" / "a.txt").read_text() == "beside"
        assert os.path.realpath(there / "up" / "net" / "script.sh") == str(there / "script.sh")
        assert os.path.realpath(there / "around.txt") == str(there / "script.sh")
        for word in (f"{user}/.venv/bin/python", f"{user}.old", f"{user}-2/a", f"/mnt{user}/a", "net", ""):
            assert copy.inside(word) == word
        assert copy.inside(str(user / "aoti-rerun" / "new" / "log")) == str(user / "aoti-rerun" / "new" / "log")
        mine = (user, f"{user}/a.txt", f"--path={user}/a", f"-I{user}", f"file://{user}/a", f"{user}/a,{user}")
        for word in map(str, mine):
            assert copy.inside(word) == word.replace(str(user), str(there))
            assert copy.outside(copy.inside(word)) == word
        assert copy.inside(str(tmp_path / "me" / "again" / "script.sh")) == str(there / "script.sh")
    finally:
        copy.remove()
    assert not there.exists()


def test_the_log_in_parts(tmp_path: Path) -> None:
    from aoti_lint.rerun.run.children import Said

    for size in range(1, 12):
        with open(tmp_path / "log", "wb", buffering=0) as file:
            said = Said(file, "/tmp/copy", "")
            text = b"/tmp/copy/home/me /tmp/cop /tmp/c"
            for at in range(0, len(text), size):
                said.write(text[at : at + size])
            said.end()
        assert (tmp_path / "log").read_bytes() == b"/home/me /tmp/cop /tmp/c"


def test_packages_that_are_installed_from_the_folder(project: Project) -> None:
    """`pip install -e .` has Python look for them there."""
    (project.user / "src").mkdir()
    (project.user / "src" / "mine.py").write_text("import os\nopen(os.path.dirname(__file__) + '/made', 'w')\n")
    (project.user / "main.py").write_text(f"import mine\nprint('imported')\n{ENDS}")
    project.environment["PYTHONPATH"] = str(project.user / "src")
    before = project.state()
    project.run("main.py")
    assert "imported" in project.log()
    assert project.state() == before


def test_what_is_linked_is_only_read(project: Project) -> None:
    (project.user / "main.py").write_text(
        """
import os, shutil
print(open("net.pth").read(), open("tree/deep/file.txt").read())
for change in (
    lambda: open("net.pth", "w"), lambda: open("net.pth", "r+b"), lambda: os.truncate("net.pth", 0),
    lambda: os.chmod("net.pth", 0o600), lambda: os.remove("tree/deep/file.txt"), lambda: shutil.rmtree("tree"),
    lambda: os.rename("run.log", "tree/run.log"), lambda: open("tree/new.txt", "w"), lambda: os.mkdir("tree/new"),
):
    try:
        change()
        print("changed")
    except OSError as error:
        print(type(error).__name__)
open("new.pth", "w").write("made anew")
os.replace("new.pth", "net.pth")
print(open("net.pth").read())
"""
        + ENDS
    )
    before = project.state()
    done = project.run("main.py", "--link", "net.pth", "--link", "tree")
    log = project.log()
    assert "of the user: tree/deep/file.txt" in log
    assert "changed" not in log
    assert log.count("PermissionError") == 8
    assert "made anew" in log
    assert project.state() == before
    assert "Not copied, but used where they are: net.pth, tree" in done.stderr
    assert "--link nowhere: there is no such file" in project.run("main.py", "--link", "nowhere").stderr


def test_folders_in_folders(project: Project) -> None:
    deep = project.user
    for _ in range(surveys.DEPTH + 1):
        deep /= "d"
    deep.mkdir(parents=True)
    with pytest.raises(CannotRun, match="100 folders deep; --link"):
        Survey((str(project.user),)).look()


def test_a_folder_that_is_not_copied_is_not_run_in(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project.user / "tree" / "deep")
    with pytest.raises(CannotRun, match="start from another folder, or with --in-place"):
        Survey((str(project.user),), (str(project.user / "tree"),)).look()


def test_what_goes_around_the_copy_is_told(project: Project) -> None:
    """A path that a program puts together, and gives to another one."""
    pieces = str(project.user.parts[1:])
    (project.user / "main.py").write_text(
        f"import subprocess\nsubprocess.run(['cp', 'target.txt', '/' + '/'.join({pieces}) + '/net.pth'])\n{ENDS}"
    )
    done = project.run("main.py")
    assert (project.user / "net.pth").read_text() == "of the user: target.txt\n"
    assert "went around the copy, or by somebody else: net.pth" in json.loads(done.stdout)["notes"][-1]


def test_what_this_process_prints_to_is_not_told(project: Project) -> None:
    (project.user / "out.txt").write_text("before", encoding="utf-8")
    looked = Survey((str(project.user),))
    looked.look()
    code = f"""
import sys
from aoti_lint.rerun.copied.survey import Survey
looked = Survey(({str(project.user)!r},))
looked.look()
print("more", flush=True)
print(looked.changed(), file=sys.stderr)
"""
    with open(project.user / "out.txt", "a", encoding="utf-8") as out:
        done = subprocess.run([sys.executable, "-c", code], stdout=out, stderr=subprocess.PIPE, text=True, check=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})  # fmt: skip
    assert done.stderr == "[]\n"
    assert looked.changed() == [str(project.user / "out.txt")]


def test_paths_in_a_process(tmp_path: Path) -> None:
    from aoti_lint.rerun.inside.files.copied import Copied

    copied = Copied("/base", ["/me/net"], ["/me/net/.venv"], [])
    for path in ("/me/net", "/me/net/a.py", b"/me/net/a.py", Path("/me/net/a.py"), "/me/net/x/../a.py"):
        assert os.fsdecode(copied.path(path)) == "/base" + os.path.normpath(os.fsdecode(path))
        assert isinstance(copied.path(path), (str, bytes))
    for other in ("net", "/me/network", "/me", "/me/net/.venv/bin/python", "/me/net/../net.pth", 3, None):
        assert copied.path(other) is other
    loader = type(sys)("of_setuptools")
    loader.MAPPING = {"mine": "/me/net/mine", "other": "/me/other"}  # type: ignore[attr-defined]
    finder = type("Finder", (), {"__module__": "of_setuptools"})
    sys.modules["of_setuptools"] = loader
    sys.meta_path.append(finder)  # type: ignore[arg-type]
    before = sys.path[:]
    sys.path.append("/me/net/src")
    try:
        copied.modules()
        assert sys.path == [*before, "/base/me/net/src"]
        assert loader.MAPPING == {"mine": "/base/me/net/mine", "other": "/me/other"}
    finally:
        sys.path[:] = before
        sys.meta_path.remove(finder)  # type: ignore[arg-type]
        del sys.modules["of_setuptools"]


@pytest.mark.skipif(sys.platform != "linux", reason="what is written past a limit fails there")
def test_a_log_that_cannot_be_written(project: Project) -> None:
    """As where the disk is full: one line, and nothing is left."""
    import resource

    (project.user / "main.py").write_text("for _ in range(3000):\n    print('x' * 1000)\n")
    before = project.state()
    done = subprocess.run(
        project.command("main.py"), cwd=project.user, env=project.environment, capture_output=True, text=True,
        timeout=120, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)),
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].endswith("log.txt: File too large")
    assert os.listdir(project.root / "temporary") == []
    assert project.state() == before


def test_what_a_log_names_is_read_if_it_is_a_file(tmp_path: Path) -> None:
    from aoti_lint.rerun.named_files import line_at

    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file.py").write_text("first\r\n  second\n")
    assert line_at(str(tmp_path / "file.py"), 2) == "second"
    for path, line in (("pipe", 1), ("file.py", 0), ("file.py", 9), ("none", 1), ("/dev/zero", 1)):
        assert line_at(str(tmp_path / path), line) == ""
