"""How a step is run: limits, crashes, Ctrl-C, and that nothing of it is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.plan.plan import Step
from aoti_lint.rerun.result import Ran
from aoti_lint.rerun.run import children
from aoti_lint.rerun.run.children import Limits
from aoti_lint.rerun.run.folder import Workplace

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    (tmp_path / "user").mkdir()
    monkeypatch.chdir(tmp_path / "user")
    return Workplace(str(tmp_path / "work"))


def run(workplace: Workplace, source: str, *args: str, limits: Limits | None = None, **step: object) -> Ran:
    Path("script.py").write_text(textwrap.dedent(source))
    fields = {"phase": "whole", "command": (sys.executable, "script.py", *args), **step}
    return children.run(Step.model_validate(fields), workplace, limits or Limits(seconds=60), lambda text: None, "test")


def gone(pid: int) -> bool:
    until = time.monotonic() + 5
    while time.monotonic() < until:
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] in "ZX":
                    return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_output_in_its_order(workplace: Workplace) -> None:
    ran = run(
        workplace,
        """
        import os, sys
        for each in range(3):
            print("out", each)
            print("err", each, file=sys.stderr)
        os.write(1, b"raw\\n")
        sys.exit(3)
        """,
    )
    assert (ran.code, ran.how, ran.log) == (3, "ended", os.path.join("runs", "01-test-whole", "log.txt"))
    assert workplace.log(ran).splitlines() == ["out 0", "err 0", "out 1", "err 1", "out 2", "err 2", "raw"]


def test_a_crash(workplace: Workplace) -> None:
    ran = run(workplace, "import os\nprint('before')\nos.kill(os.getpid(), 11)")
    assert (ran.code, ran.how) == (-signal.SIGSEGV, "signal")
    log = workplace.log(ran)
    assert log.startswith("before")
    assert 'script.py", line 3 in <module>' in log


def test_a_hang_says_where(workplace: Workplace) -> None:
    ran = run(workplace, "import time\ndef wait():\n    time.sleep(100)\nwait()", limits=Limits(seconds=1))
    assert ran.how == "time"
    assert ran.seconds < 10
    assert 'script.py", line 3 in wait' in workplace.log(ran)


def test_a_hang_that_ignores_signals(workplace: Workplace) -> None:
    ran = run(
        workplace,
        """
        import faulthandler, signal, time
        faulthandler.disable()
        signal.signal(signal.SIGABRT, signal.SIG_IGN)
        time.sleep(100)
        """,
        limits=Limits(seconds=1, grace=0.5),
    )
    assert (ran.how, ran.code) == ("time", -signal.SIGKILL)


def test_memory(workplace: Workplace) -> None:
    ran = run(
        workplace,
        """
        import time
        print("taking", flush=True)
        held = bytearray(300 << 20)
        for at in range(0, len(held), 4096):
            held[at] = 1
        time.sleep(100)
        """,
        limits=Limits(seconds=60, memory=200 << 20),
    )
    assert ran.how == "memory"
    assert ran.seconds < 30


def test_memory_that_is_shared_counts_once(workplace: Workplace) -> None:
    ran = run(
        workplace,
        """
        import os, time
        held = b"x" * (120 << 20)
        children = [os.fork() for _ in range(1)]
        if children[0] == 0:
            time.sleep(1.5)
            os._exit(0)
        os.wait()
        """,
        limits=Limits(seconds=60, memory=200 << 20),
    )
    assert ran.how == "ended"


def test_no_grandchild_is_left(workplace: Workplace) -> None:
    ran = run(
        workplace,
        """
        import os, subprocess, sys
        sleep = [sys.executable, "-c", "import time; time.sleep(300)"]
        print(subprocess.Popen(sleep).pid, subprocess.Popen(sleep, start_new_session=True).pid)
        """,
    )
    assert ran.how == "ended"
    assert all(gone(int(word)) for word in workplace.log(ran).split())


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_by_the_user(workplace: Workplace, how: signal.Signals) -> None:
    Path("script.py").write_text(
        "import subprocess, sys, time\n"
        "sleep = [sys.executable, '-c', 'import time; time.sleep(300)']\n"
        "print(subprocess.Popen(sleep, start_new_session=True).pid)\nprint('ready')\ntime.sleep(300)\n"
    )
    driver = (
        # Programs that a shell runs in the background begin with Ctrl-C ignored.
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from aoti_lint.rerun.plan import plan\nfrom aoti_lint.rerun.run import children, folder\n"
        f"work = folder.Workplace({workplace.root!r})\n"
        f"step = plan.Step(phase='run', command=(sys.executable, 'script.py'))\n"
        "ran = children.run(step, work, children.Limits(), lambda text: print(text, flush=True))\n"
        "print(ran.how, *work.log(ran).split(), flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", driver], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "ready" in process.stdout.readline()
    process.send_signal(how)
    said, pid, *_ = process.communicate(timeout=30)[0].split()
    assert said == "stopped"
    assert gone(int(pid))


def test_output_without_end(workplace: Workplace) -> None:
    ran = run(workplace, "for _ in range(1000):\n    print('x' * 1000)", limits=Limits(output=10_000))
    log = workplace.log(ran)
    assert len(log) < 11_000
    assert "the log ends here" in log


def test_variables(workplace: Workplace) -> None:
    source = "import os\nfor name in ('MINE', 'TORCHINDUCTOR_CACHE_DIR', 'PYTHONPATH'): print(os.environ.get(name))"
    os.environ["PYTHONPATH"] = "/theirs"
    try:
        first = run(workplace, source, environment={"MINE": "1", "CUDA_LAUNCH_BLOCKING": "1"})
        second = run(workplace, source, environment={"MINE": "1"})
        third = run(workplace, source, environment={"MINE": "2"})
    finally:
        del os.environ["PYTHONPATH"]
    logs = [workplace.log(ran).splitlines() for ran in (first, second, third)]
    assert logs[0][0] == "1"
    assert logs[0][2].endswith(os.pathsep + "/theirs")
    # What is compiled is shared by those that would compile the same.
    assert logs[0][1] == logs[1][1] != logs[2][1]
    assert all(log[1].startswith(workplace.root) for log in logs)


def test_a_program_that_is_not_there(workplace: Workplace) -> None:
    with pytest.raises(CannotRun, match="no-such-program: No such file"):
        children.run(Step(phase="run", command=("no-such-program",)), workplace, Limits(), lambda text: None)


def test_tensors_are_collected(workplace: Workplace) -> None:
    Path("tmp").mkdir()
    old = Path("tmp/aoti_torchbefore_launch_cpp_fused_add_0_buf0_cpu.pt")
    old.write_bytes(b"of another run")
    os.utime(old, (1, 1))
    ran = run(workplace, "open('tmp/aoti_torchafter_launch_cpp_fused_add_0_buf0_cpu.pt', 'w').write('new')")
    folder = workplace.tensors(ran, None)
    assert folder is not None
    assert os.listdir(os.path.join(folder, "tmp")) == ["aoti_torchafter_launch_cpp_fused_add_0_buf0_cpu.pt"]
    assert os.listdir("tmp") == [old.name]


def test_a_folder_with_other_things(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("")
    with pytest.raises(CannotRun, match="has other files in it"):
        Workplace(str(tmp_path))


def test_nothing_is_left_when_nobody_listens(workplace: Workplace) -> None:
    Path("script.py").write_text("import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(300)")
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        children.run(Step(phase="run", command=(sys.executable, "script.py")), workplace, Limits(), tell)
    assert gone(int(told[0].split(": ")[1]))


def test_what_is_told_is_plain(workplace: Workplace) -> None:
    Path("script.py").write_text(
        "import time\nprint('\\x1b[31m 7%|##  \\r 8%|### \\x07', end='', flush=True)\ntime.sleep(2)"
    )
    told: list[str] = []
    children.run(Step(phase="run", command=(sys.executable, "script.py")), workplace, Limits(), told.append)
    assert [text.split(": ")[1] for text in told] == ["8%|###"]


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD is for Linux")
def test_compilers_and_the_loader_are_given_no_blank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """g++, as torch calls it, takes what comes after one for another file; LD_PRELOAD is a list."""
    monkeypatch.chdir(tmp_path)
    work = Workplace(str(tmp_path / "my own work"))
    code = "import os\nfor n in ('TORCHINDUCTOR_CACHE_DIR', 'TRITON_CACHE_DIR', 'LD_PRELOAD'): print(os.environ[n])\n"
    made = "os.makedirs(os.environ['TRITON_CACHE_DIR'])"
    ran = run(work, code + made, environment={"LD_PRELOAD": f"{work.root}/none.so"})
    said = [line for line in work.log(ran).splitlines() if not line.startswith("ERROR: ld.so")]
    assert len(said) == 3
    assert " " not in "".join(said)
    assert said[-1].endswith("/none.so")
    assert os.path.samefile(os.path.dirname(said[0]), tmp_path / "my own work" / "caches")
    work.drop_caches()
    assert not (tmp_path / "my own work" / "caches").exists()


def test_what_the_caller_preloads_stays(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/nowhere/theirs.so")
    ran = run(workplace, "import os; print(os.environ['LD_PRELOAD'])", environment={"LD_PRELOAD": "/nowhere/ours.so"})
    assert "/nowhere/ours.so /nowhere/theirs.so" in workplace.log(ran).splitlines()
