"""Several calls of several packages in one process: what belongs to which, and what the user calls it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.rerun.inside.files.saved import Saved, name_of
from aoti_lint.rerun.judge.suspects import first_bad
from aoti_lint.rerun.plan.plan import FOLDER, Stage, Step
from aoti_lint.rerun.plan.playbook.package import FENCE, fence
from aoti_lint.rerun.read.events import Event, Leaf
from aoti_lint.rerun.read.evidence import Evidence, evidence
from aoti_lint.rerun.read.printed_values import Seen, blocks, by_call
from aoti_lint.rerun.report.user_paths import as_the_user_says
from aoti_lint.rerun.result import Culprit, Launch, Ran, Result, Tried, Values
from aoti_lint.rerun.run.folder import Workplace

GOOD, BAD = [{"nan": 0, "inf": 0}], [{"nan": 2, "inf": 0}]
FILE = "aoti_torchafter_launch_cpp_fused_add_0_buf0_cpu.pt"


def called(saved: Saved, text: str, package: str, outputs: list[dict[str, int]]) -> None:
    saved.begin()
    assert not os.path.exists(f"tmp/{FILE}")
    Path("tmp", FILE).write_text(text, encoding="utf-8")
    Path("tmp", "notes.txt").touch()
    saved.end(package, outputs)


def test_the_tensors_of_the_call_that_went_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tmp").mkdir()
    saved = Saved(str(tmp_path / "run"), 0.0)
    called(saved, "first", "one.pt2", GOOD)
    called(saved, "second", "one.pt2", GOOD)
    called(saved, "bad", "two.pt2", BAD)
    called(saved, "after", "one.pt2", GOOD)
    assert Path("run", "tensors", "tmp", FILE).read_text(encoding="utf-8") == "bad"
    assert Path("run", "calls", name_of("one.pt2"), "tmp", FILE).read_text(encoding="utf-8") == "second"
    assert os.listdir("tmp") == ["notes.txt"]


def test_printed_values_by_call() -> None:
    given, launch = "[  aoti_model_inputs - arg0_1  ]:", "[  after_launch - cpp_fused_add_0 - buf0  ]:"
    parts = by_call(blocks([given, given, launch, launch, given, launch]))
    assert [len(part) for part in parts] == [4, 2]
    assert by_call([]) == []


def value(argument: str, *, masked: bool) -> Values:
    return Values(argument=argument, when="after", dtype="float32", shape=(4,), bad=True, masked=masked)


def test_a_mask_of_minus_infinity_is_blamed_only_where_it_gets_out() -> None:
    mask = Seen(Launch(number=1, name="mask", kind="kernel", writes=("buf0",)), [], [value("buf0", masked=True)])
    log = Seen(Launch(number=2, name="log", kind="kernel", writes=("buf1",)), [], [value("buf1", masked=False)])
    assert first_bad([mask, log], masks=True) is log
    assert first_bad([mask], masks=True) is mask
    assert first_bad([mask], masks=False) is None


def test_reports_name_the_package_of_the_user(tmp_path: Path) -> None:
    work = Workplace(str(tmp_path / "work"))
    made = os.path.join(work.root, "packages", "x", "net.pt2")
    work.point(str(tmp_path / "net.pt2"), made)
    said = f"RuntimeError: cannot open {made}"
    culprit = Culprit(kind="package", name="package", what=said, sure=True)
    result = as_the_user_says(
        Result(
            target=("python",), symptom="load-error", torch=None, folder=work.root, found=True, culprits=(culprit,),
            causes=({"text": said, "line": 3},), tried=(Tried(stage="logs", title="", ran=(), shows=(said,)),),
            notes=(said,),
        )
    )  # fmt: skip
    wanted = f"RuntimeError: cannot open {tmp_path / 'net.pt2'}"
    assert (result.culprits[0].what, result.tried[0].shows, result.notes) == (wanted, (wanted,), (wanted,))
    assert result.causes == ({"text": wanted, "line": 3},)


def test_caches_can_be_dropped(tmp_path: Path) -> None:
    work = Workplace(str(tmp_path / "work"))
    os.makedirs(os.path.join(work.root, "caches", "abc"))
    work.drop_caches()
    work.drop_caches()
    assert sorted(os.listdir(work.root)) == ["runs"]


BEYOND = """
import ctypes, sys
libc = ctypes.CDLL(None)
place = ctypes.c_void_p()
assert libc.posix_memalign(ctypes.byref(place), 64, 640) == 0
room = (ctypes.c_float * 200).from_address(place.value)
room[159] = 1.0
libc.free(place) if sys.argv[1] == "freed" else None
room[int(sys.argv[2])] = 1.0
print("alive")
"""


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="no Linux, or no compiler")
def test_what_goes_beyond_a_tensor_dies_there(tmp_path: Path) -> None:
    (step,) = fence()
    subprocess.run([word.replace(FOLDER, str(tmp_path)) for word in step.command], check=True)
    environment = {**os.environ, "LD_PRELOAD": FENCE.replace(FOLDER, str(tmp_path))}
    ends = []
    for words in (("kept", "159"), ("kept", "160"), ("freed", "3")):
        done = subprocess.run([sys.executable, "-c", BEYOND, *words], env=environment, check=False, capture_output=True)
        ends.append((done.returncode, done.stdout))
    assert ends == [(0, b"alive\n"), (-11, b""), (-11, b"")]


def seen(*events: Event) -> Evidence:
    step = Step(phase="whole", command=("python", "serve.py"))
    stage = Stage(name="sanity", title="", why="", reads="", steps=(step,))
    ran = Ran(command=step.command, environment={}, code=0, how="ended", seconds=1.0, log="log.txt")
    return evidence(stage, step, ran, [], events, None)


def event(name_: str, number: int, **fields: Any) -> Event:
    return Event(event=name_, number=number, time=float(number), pid=1, **fields)


BAD_LEAF = Leaf(kind="tensor", nan=3, inf=0)


def test_the_package_in_question_is_the_one_whose_call_went_wrong(tmp_path: Path) -> None:
    one, two = str(tmp_path / "one.pt2"), str(tmp_path / "two.pt2")
    calls = [event("call", 1, package=one), event("call", 3, package=two), event("call", 5, package=one)]
    good = [event("returned", n + 1, of=n, what="call") for n in (1, 3, 5)]
    assert seen(*calls, *good).package == one
    bad = event("returned", 4, of=3, what="call", outputs=(BAD_LEAF,))
    assert seen(*calls, bad, good[0], good[2]).package == two
    assert seen(*calls, good[0], good[2]).package == two, "it never returned"
    raised = event("raised", 4, of=3, what="call")
    assert seen(*calls, raised, good[0], good[2]).package == two
    differs = event("compared", 4, same=False)
    assert seen(*calls[:2], differs, calls[2], *good).package == two


def test_a_program_beside_its_package(tmp_path: Path) -> None:
    saved = event("saved", 2, path="/elsewhere/other.exported.pt2")
    package = tmp_path / "net.pt2"
    called_ = event("call", 3, package=str(package))
    assert seen(saved, called_).exported == "/elsewhere/other.exported.pt2"
    (tmp_path / "net.exported.pt2").touch()
    assert seen(saved, called_).exported == str(tmp_path / "net.exported.pt2")
