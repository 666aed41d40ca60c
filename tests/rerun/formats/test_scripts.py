"""Written plans at work: what a program reads, saves and preloads, where the script lies, and how it is stopped."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aoti_lint.rerun.formats import written
from aoti_lint.rerun.plan.plan import FOLDER, KERNEL, Plan, Stage, Step
from aoti_lint.rerun.plan.playbook.compiling import BACKENDS, COMPILER
from aoti_lint.rerun.plan.playbook.package import FENCE_SOURCE
from aoti_lint.rerun.plan.playbook.tools import PROFILED

BASH = shutil.which("bash")
KINDS = [
    pytest.param("sh", marks=pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="there is no bash")),
    "python",
]
each_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _plan(*stages: tuple[Step, ...], repeats: str = "") -> Plan:
    made = tuple(
        Stage(name=f"s{number}", title="t", why="w", reads="r", steps=steps, repeats=f"s{number}" == repeats)
        for number, steps in enumerate(stages, 1)
    )
    return Plan(target=("p",), symptom="nan", stages=made, runs=1, packages=("net.pt2",))


def _python(code: str, *, inside: bool = False, **environment: str) -> Step:
    return Step(phase="whole", command=(sys.executable, "-c", code), environment=environment, inside=inside)


def _words(plan: Plan, kind: str) -> list[str]:
    """The command that runs a plan, written into the present folder."""
    path = Path("rerun.sh" if kind == "sh" else "rerun.py")
    path.write_text(written(plan, kind), encoding="utf-8")
    return [str(BASH) if kind == "sh" else sys.executable, str(path)]


def _run(plan: Plan, kind: str, **environment: str) -> str:
    done = subprocess.run(
        _words(plan, kind), capture_output=True, text=True, check=False, timeout=120, input="from the caller\n",
        env={**os.environ, "OUT": "out", **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@each_kind
def test_each_process_reads_the_same_input(kind: str) -> None:
    reads = _python("import sys; print('read', repr(sys.stdin.read()))")
    assert _run(_plan((reads, reads)), kind).count("read ''") == 2
    Path("lines.txt").write_text("3\n", encoding="utf-8")
    assert _run(_plan((reads, reads)), kind, INPUT="lines.txt").count("read '3\\n'") == 2


@each_kind
def test_an_input_that_is_not_there_is_said_at_once(kind: str) -> None:
    words = _words(_plan((_python("print('ran')"),)), kind)
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "INPUT": "none.txt"})
    assert done.returncode == 2
    assert "INPUT: cannot read none.txt" in done.stdout + done.stderr
    assert "ran" not in done.stdout
    assert not list(Path().glob("rerun-*"))


SAVES = """\
import os
for path in ("tmp/aoti_torchbefore_launch_k_buf0_cpu.pt", "tmp/aoti_torch/after_launch_k_buf0_cpu.pt",
             "tmp/jit_inductor/after_launch_k_buf1.pt", "elsewhere/tmp/aoti_torchafter_launch_k_a.pt"):
    folder, name = os.path.split(path)
    os.makedirs(folder, exist_ok=True)
    open(f"{folder}/{name}", "w").close()
    if folder.startswith("else"):
        print(f"aoti_torch_save_tensor_handle: Saved tensor to {os.path.abspath(folder)}/{name}")
"""


@each_kind
@pytest.mark.parametrize("mine", [True, False])
def test_saved_tensors_go_to_the_stage_and_leave_nothing_behind(tmp_path: Path, kind: str, mine: bool) -> None:
    kept = tmp_path / "tmp" / "before_launch_of_mine.pt"
    if mine:
        kept.parent.mkdir()
        kept.touch()
        os.utime(kept, (1_000_000_000, 1_000_000_000))
    _run(_plan((_python(SAVES),)), kind)
    assert {path.name for path in (tmp_path / "out" / "s1").glob("*.pt")} == {
        "aoti_torchbefore_launch_k_buf0_cpu.pt", "after_launch_k_buf0_cpu.pt", "after_launch_k_buf1.pt",
        "aoti_torchafter_launch_k_a.pt",
    }  # fmt: skip
    assert kept.exists() == mine
    assert (tmp_path / "tmp").exists() == mine


@each_kind
def test_steps_in_the_folder_of_a_stage_have_a_log_each(tmp_path: Path, kind: str) -> None:
    steps = [_python(f"import os; print({n}, os.path.basename(os.getcwd()))", inside=n > 1) for n in (1, 2, 3)]
    _run(_plan(tuple(steps)), kind)
    logs = [(tmp_path / "out" / "s1" / f"{n}.log").read_text(encoding="utf-8").strip() for n in (1, 2, 3)]
    assert logs == [f"1 {tmp_path.name}", "2 s1", "3 s1"]


@each_kind
def test_a_kernel_is_found_in_a_folder_with_a_space(tmp_path: Path, kind: str) -> None:
    says = _python("print('[ before_launch: cpp_fused_0 ]')")
    asks = _python("import os; print('asked for', os.environ['ASKED'])", ASKED=KERNEL)
    assert "asked for cpp_fused_0" in _run(_plan((says,), (asks,), repeats="s2"), kind, OUT="it's out here")


@each_kind
@pytest.mark.skipif(os.name != "posix", reason="links")
def test_compilers_and_the_loader_are_given_no_blank(tmp_path: Path, kind: str) -> None:
    """g++, as torch calls it, takes what comes after one for another file; LD_PRELOAD is a list."""
    code = (
        "import os; d = os.environ['TORCHINDUCTOR_CACHE_DIR']; os.makedirs(d); open(d + '/made', 'w'); print('in', d)"
    )
    shows = _python(f"{code}; print('pre', os.environ['LD_PRELOAD'])", LD_PRELOAD=f"{FOLDER}/none.so")
    said = _run(_plan((shows,)), kind, OUT="with blanks in it").splitlines()
    cache = next(line[3:] for line in said if line.startswith("in "))
    preload = next(line[4:] for line in said if line.startswith("pre "))
    assert " " not in cache + preload
    assert preload.endswith("/s1/none.so")
    assert (tmp_path / "with blanks in it" / "cache" / "inductor" / "made").exists()
    assert not Path(cache).exists(), "the other name is gone"


@each_kind
def test_what_is_run_can_be_typed(kind: str) -> None:
    step = Step(phase="tool", command=(sys.executable, "-c", "pass", "it's a $b"), environment={"MINE": "a 'b'"})
    said = _run(_plan((step,)), kind)
    line = next(line for line in said.splitlines() if line.startswith("   $ ")).removeprefix("   $ ")
    assert shlex.split(line.removeprefix("env ")) == ["MINE=a 'b'", *step.command]
    assert "'MINE" not in line


@each_kind
@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD is for Linux")
def test_what_the_caller_preloads_stays(kind: str) -> None:
    shows = _python("import os; print('preload', os.environ['LD_PRELOAD'])", LD_PRELOAD=f"{FOLDER}/none.so")
    said = _run(_plan((shows,)), kind, LD_PRELOAD="libc.so.6")
    assert f"preload {Path('out').absolute()}/s1/none.so:libc.so.6" in said


@each_kind
def test_a_plan_carries_what_it_needs_of_us(kind: str, tmp_path: Path) -> None:
    """So that it runs where aoti-lint is not, or lies elsewhere."""
    copies = Step(phase="tool", command=(sys.executable, "-c", "import sys; print(open(sys.argv[1]).read())", PROFILED))
    compiles = Step(phase="tool", command=(sys.executable, "-c", "pass", FENCE_SOURCE))
    made = _plan((copies, compiles))
    assert os.path.dirname(PROFILED) not in written(made, kind)
    said = _run(made, kind)
    assert Path(PROFILED).read_text(encoding="utf-8").strip() in said
    for path in (PROFILED, FENCE_SOURCE):
        copy = tmp_path / "out" / "tools" / os.path.basename(path)
        assert copy.read_text(encoding="utf-8").strip() == Path(path).read_text(encoding="utf-8").strip()


@each_kind
def test_without_aoti_lint_its_own_steps_are_left_out(kind: str, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "mkdir", "tee", "touch", "cat", "rm", "sed", "find", "date", "mv", "cp", "ls", "rmdir", "env"):
        if (path := shutil.which(name)) is not None:
            (tools / name).symlink_to(path)
    steps = (Step(phase="tool", command=("aoti-lint", "tensors", FOLDER)), _python("print('and on')"))
    said = _run(_plan(steps), kind, PATH=str(tools))
    assert "left out: " in said
    assert "and on" in said


@each_kind
@pytest.mark.skipif(os.name != "posix", reason="signals of a terminal")
def test_ctrl_c_ends_the_process_and_puts_the_package_back(tmp_path: Path, kind: str) -> None:
    package = tmp_path / "net.pt2"
    package.write_text("mine", encoding="utf-8")
    waits = (
        "import os, time; open('net.pt2', 'w').write('new'); open('pid', 'w').write(str(os.getpid())); time.sleep(90)"
    )
    # Where Ctrl-C is ignored already, as in jobs that a shell put into the background, no script can take it.
    heard = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-c", heard, *_words(_plan((_python(waits),), (_python("open('second', 'w')"),)), kind)],
        start_new_session=True, env={**os.environ, "OUT": "out"},
    )  # fmt: skip
    began = time.monotonic()
    try:
        while not Path("pid").exists() or not Path("pid").read_text(encoding="utf-8"):
            assert time.monotonic() - began < 60
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        process.wait(30)
    finally:
        process.kill()
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path("pid").read_text(encoding="utf-8")), 0)
    assert package.read_text(encoding="utf-8") == "mine"
    assert not Path("second").exists()


FAKE_COMPILER = """\
from torch._inductor import config

def compile_fx(model, inputs, config_patches=None):
    if config_patches:
        before = dict(vars(config))
        vars(config).update(config_patches)
        made = compile_fx(model, inputs)
        vars(config).update(before)
        return made
    return config.max_autotune, config.freezing, config.width
"""


def test_settings_win_over_mode_and_over_what_the_script_sets(tmp_path: Path) -> None:
    hook = Path(__file__).parents[3] / "aoti_lint" / "rerun" / "formats" / "hook.py"
    for name, text in {
        "hook/sitecustomize.py": hook.read_text(encoding="utf-8"),
        "torch/__init__.py": "",
        "torch/_inductor/__init__.py": "",
        "torch/_inductor/config.py": "max_autotune, freezing, width = True, True, 8\n",
        "torch/_inductor/compile_fx.py": FAKE_COMPILER,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    wanted = {f"torch._inductor.config.{name}": False for name in ("max_autotune", "freezing")}
    code = (
        "from torch._inductor import config; config.freezing = True\n"
        "from torch._inductor.compile_fx import compile_fx\n"
        "print(compile_fx(1, 2), compile_fx(1, 2, config_patches={'max_autotune': True, 'width': 4}), config.width)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "hook"), str(tmp_path)]),
             "AOTI_LINT_SETTINGS": json.dumps({"config": wanted})},
    )  # fmt: skip
    assert done.stdout.strip() == "(False, False, 8) (False, False, 4) 8", done.stderr


REPORTS = """\
import torch
from torch._inductor.graph import GraphLowering

lowered = []
GraphLowering.run = lambda *args: lowered.append(args)
step = torch.compile(lambda x: x.sin() + 1, mode="max-autotune-no-cudagraphs")
print("sum", round(float(step(torch.ones(3)).sum()), 3), "graphs that Inductor was given:", len(lowered))
"""


@pytest.mark.parametrize("backend", list(BACKENDS.values()))
def test_backends_take_the_place_of_inductor(tmp_path: Path, backend: str) -> None:
    pytest.importorskip("torch")
    (tmp_path / "reports.py").write_text(REPORTS, encoding="utf-8")
    step = Step(phase="whole", command=(sys.executable, "reports.py"), replace={COMPILER: backend})
    assert "sum 5.524 graphs that Inductor was given: 0" in _run(_plan((step,)), "python")
