"""What the exported program says beside its package, as culprits: first bad numbers, indices, weights and state."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.rerun.judge.agreement import agrees, by_agreement
from aoti_lint.rerun.judge.common_causes import usual
from aoti_lint.rerun.judge.missing_files import told
from aoti_lint.rerun.judge.origins import origin
from aoti_lint.rerun.judge.reading import Reading
from aoti_lint.rerun.plan.plan import Stage, Step
from aoti_lint.rerun.read.events import Event
from aoti_lint.rerun.read.evidence import Evidence, evidence
from aoti_lint.rerun.result import Culprit, Launch, Place, Ran
from aoti_lint.rerun.wrapper.launches import Program

STEP = Step(phase="whole", command=("python", "serve.py"))
STAGE = Stage(name="sanity", title="", why="", reads="", steps=(STEP,))
LOG = 'File "/app/model.py", line 25, in forward\n    r = returns(prices)'
OTHER = 'File "/app/model.py", line 31, in forward\n    p = picked(bucket)'
CALL = {"path": "/app/serve.py", "line": 9, "function": "main"}
BAD = [{"kind": "tensor", "nan": 2, "inf": 0}]


def seen(*events: dict[str, Any], code: int = 1, log: str = "", how: Any = "ended") -> Evidence:
    """A process that noted these events, and ended so."""
    noted = [
        Event.model_validate({"number": number, "time": float(number), "pid": 7, **event})
        for number, event in enumerate(events, 1)
    ]
    ran = Ran(command=STEP.command, environment={}, code=code, how=how, seconds=60.0, log="log.txt")
    return evidence(STAGE, STEP, ran, log.splitlines(), noted, None)


def called(outputs: list[dict[str, Any]] | None, *before: dict[str, Any], number: int = 1) -> list[dict[str, Any]]:
    """The call that is event `number`, which gave these outputs, or did not end; `before` was noted in it."""
    end = [] if outputs is None else [{"event": "returned", "of": number, "what": "call", "outputs": outputs}]
    return [{"event": "call", "package": "/app/m.pt2", "place": CALL}, *({"of": number, **one} for one in before), *end]


def first(**fields: Any) -> dict[str, Any]:
    return {"event": "origin", "kind": "node", "name": "log", "stacks": [LOG], "bad": "float32[4], 2 -inf", **fields}


def culprits(one: Evidence, symptom: str = "nan") -> tuple[Reading, list[Culprit]]:
    reading = Reading()
    usual(reading, one, symptom)
    return reading, reading.culprits


def test_a_weight_ends_the_hunt() -> None:
    taker = {"kind": "node", "name": "conv2d", "stacks": [LOG]}
    made = first(kind="weight", name="stages.4.weight", stacks=[], bad="float32[8], 1 NaN", taker=taker)
    _, (one,) = culprits(seen(*called(BAD, made)))
    assert (one.kind, one.name, one.sure) == ("input", "weight stages.4.weight", True)
    assert one.place is not None
    assert (one.place.path, one.place.line) == ("/app/model.py", 25)
    assert "1 NaN, and `conv2d` (/app/model.py:25) takes it" in one.what


def test_an_input_says_in_which_call() -> None:
    good = called([{"kind": "tensor", "nan": 0, "inf": 0}])
    made = first(kind="input", name="weather", stacks=[], bad="float32[2], 1 NaN")
    _, (one,) = culprits(seen(*good, *called(BAD, made, number=3)))
    assert (one.kind, one.name, one.place and one.place.line) == ("input", "weather", 9)
    assert one.what.startswith("in call 2 of the package it is float32[2], 1 NaN")


def test_the_line_of_a_kernel_that_does_the_work_of_many() -> None:
    lines = (Place(path="/app/model.py", line=24), Place(path="/app/model.py", line=25))
    launch = Launch(number=1, name="cpp_fused_log_0", kind="kernel", places=lines)
    reading, found = culprits(seen(*called(BAD, first(given=("float32[4] from 0 to 1",)))))
    assert found == []
    from aoti_lint.rerun.judge.reading import placed

    kernel = Culprit(kind="kernel", name=launch.name, what="its inputs are good", sure=True, launch=launch)
    one = placed(kernel, reading)
    assert one.place == Place(path="/app/model.py", line=25, function="forward", text="r = returns(prices)")
    assert "`log` is given float32[4] from 0 to 1, and gives float32[4], 2 -inf" in one.what
    assert "clamp" in one.fix
    reading.culprits = [one]
    reading.conclude()
    assert reading.culprits == [one]


def test_without_a_kernel_the_line_is_the_culprit() -> None:
    reading, found = culprits(seen(*called(BAD, first())))
    assert found == []
    reading.conclude()
    (one,) = reading.culprits
    assert (one.kind, one.name, one.sure, one.place and one.place.line) == ("code", "forward", True, 25)


def test_nobody_is_blamed_where_only_the_program_gives_nan() -> None:
    """The package may compute in a wider type."""
    good = [{"kind": "tensor", "nan": 0, "inf": 0}]
    compared = {"event": "compared", "same": False, "differing": 4, "of_all": 4, "nan_in_program": 4}
    one = seen(*called(good, first()), compared, code=0)
    reading, found = culprits(one, "wrong-result")
    reading.conclude()
    assert (found, reading.culprits, reading.origin) == ([], [], None)
    assert origin(one) is not None
    assert any("gives NaN for these inputs too" in note for note in reading.notes)


MESSAGE = (
    'Traceback (most recent call last):\n  File "/app/serve.py", line 9, in main\n    run(x)\n'
    "RuntimeError: index out of bounds: 0 <= tmp7 < 500L\n"
)


def index(**fields: Any) -> dict[str, Any]:
    made = {"given": ("int64[4] from 10 to 10",), **fields}
    return first(name="gather", stacks=[OTHER], raised=True, type="RuntimeError", message="index 10", index=made)


def test_who_computed_an_index() -> None:
    reading, (one,) = culprits(seen(*called(None, index(kind="node", name="to", stacks=[LOG])), log=MESSAGE))
    assert (one.kind, one.place and one.place.line, one.sure) == ("code", 25, True)
    assert "`to` makes is int64[4] from 10 to 10, and `gather` (/app/model.py:31) raises" in one.what
    assert reading.causes == {}


def test_an_index_that_was_sent() -> None:
    made = index(kind="input", name="ids", stacks=[])
    _, (one,) = culprits(seen(*called(None, made), log=MESSAGE), "segfault")
    assert (one.kind, one.name, one.place and one.place.line) == ("input", "ids", 9)


def test_an_index_of_a_call_that_went_well_is_not_blamed() -> None:
    good = [{"kind": "tensor", "nan": 0, "inf": 0}]
    _, found = culprits(seen(*called(good, index(kind="input", name="ids", stacks=[])), log=MESSAGE))
    assert all(one.name != "ids" for one in found)


def same(*, output: int = 0, same: bool = True) -> dict[str, Any]:
    return {"event": "compared", "output": output, "same": same}


CHANGED = {"event": "changed", "package": "/app/m.pt2", "names": ["0.weight"], "differing": 3, "of_all": 4}
GOOD = [{"kind": "tensor", "nan": 0, "inf": 0}]


def test_weights_that_were_changed_after_the_compile() -> None:
    spot = {"path": "/app/serve.py", "line": 5, "function": "main"}
    one = seen(*called(GOOD, {**CHANGED, "place": spot}), same())
    _, (found,) = culprits(one, "wrong-result")
    assert (found.name, found.sure, found.place and found.place.line) == ("load_state_dict", True, 5)
    assert "3 of the 4 weights and buffers of the model (0.weight, …)" in found.what
    assert not culprits(seen(*called(GOOD, CHANGED), same(same=False)), "wrong-result")[1][0].name.startswith("load")


def test_buffers_of_its_own_are_only_suspected() -> None:
    one = seen(*called(GOOD, {"event": "state", "names": ["cache"], "differing": 1}), same())
    reading, (found,) = culprits(one, "wrong-result")
    assert (found.name, found.sure, reading.agrees) == ("buffer cache", False, True)


@pytest.mark.parametrize(
    ("events", "ended"),
    [
        ([*called(GOOD), *called(GOOD, number=2), same()], {}),
        ([*called(GOOD), same(), same(output=1, same=False)], {}),
        ([*called(GOOD), same(), {"event": "raised", "of": 1, "what": "call"}], {}),
        ([*called(GOOD), same()], {"code": 0}),
        ([*called(GOOD), same()], {"code": -11, "how": "signal"}),
        ([*called(GOOD)], {}),
    ],
)
def test_what_is_no_agreement(events: list[dict[str, Any]], ended: dict[str, Any]) -> None:
    one = seen(*events, **ended)
    assert not agrees(one)
    assert culprits(one, "wrong-result")[0].agrees is False


def test_agreement_of_all_calls() -> None:
    one = seen(*called(GOOD), same(), same(output=1), *called(GOOD, number=5), same())
    assert agrees(one)
    assert by_agreement(one) == []


def test_an_operator_that_writes_to_what_it_reads() -> None:
    one = seen(*called(GOOD, {"event": "op-writes", "name": "lab::prune", "text": "x"}))
    _, (found,) = culprits(one, "wrong-result")
    assert (found.kind, found.name, found.rules) == ("op", "lab::prune", ("AOTI413",))


STACKS = """Fatal Python error: Aborted

Current thread 0x00007f25 (most recent call first):
  File "{inside}/imports.py", line 49 in exec_module
  File "/app/store.py", line 9 in lookup
  File "/app/serve.py", line 30 in <module>
"""


def test_a_line_is_sure_only_where_the_user_says_that_it_hangs() -> None:
    from aoti_lint.rerun.inside import INSIDE

    log = STACKS.format(inside=INSIDE)
    for symptom, sure in (("nan", False), ("slow", True)):
        _, (one,) = culprits(seen(code=-9, how="time", log=log), symptom)
        assert (one.name, one.place and one.place.path, one.sure) == ("lookup", "/app/store.py", sure)
    entered = {"event": "op", "name": "lab::fetch", "place": {"path": "/app/store.py", "line": 3}}
    _, (one,) = culprits(seen(*called(None, entered), code=-9, how="time", log=log), "slow")
    assert (one.kind, one.place and one.place.line) == ("op", 9)


MISSING = Culprit(kind="package", name="file-missing", what="no archive", sure=True)


def lost(path: Path) -> Culprit:
    load = {"event": "load", "asked": str(path), "place": CALL}
    return told(MISSING, seen(load, {"event": "raised", "of": 1, "what": "load"}))


def test_a_file_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app" / "models").mkdir(parents=True)
    (tmp_path / "app" / "models" / "net.pt2").write_bytes(b"PK")
    one = lost(tmp_path / "models" / "net.pt2")
    assert (one.name, one.place and one.place.line) == ("models/net.pt2", 9)
    assert one.what == f"there is no folder {tmp_path / 'models'}; one of that name is app/models/net.pt2"
    assert lost(tmp_path / "other.pt2").what == f"there is no file {tmp_path / 'other.pt2'}"
    assert told(MISSING, seen()) == MISSING


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"PK\x03\x04 and the beginning of a package", "its end is missing"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "pointer of Git LFS"),
        (b"<html>404</html>", "is no package"),
        (b"", "is no package"),
    ],
)
def test_a_file_that_is_no_package(tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "m.pt2").write_bytes(data)
    assert says in lost(tmp_path / "m.pt2").what


def test_memory_that_nothing_has_written() -> None:
    launch = Launch(number=1, name="k", kind="kernel", reads=("buf1",), writes=("buf1",))
    program = Program(launches=[launch], given={"arg0_1"}, aliases={"buf5": "arg0_1", "buf6": "buf1"})
    assert program.unwritten("buf1", 1)
    assert not program.unwritten("buf1", 2)
    assert not program.unwritten("buf5", 1)
    assert not program.unwritten("buf6", 2)


def test_masks_in_the_outputs_are_meant() -> None:
    only = [{"kind": "tensor", "nan": 0, "inf": 18}]
    one = seen(*called(only, first(kind="mask", name="masked_fill")))
    reading, found = culprits(one)
    assert (found, reading.origin, reading.masks, one.bad_calls()) == ([], None, True, [])
    assert len(seen(*called(only)).bad_calls()) == 1
    assert len(seen(*called(BAD, first(kind="mask"))).bad_calls()) == 1


def test_what_torch_compile_is_told_to_leave_alone() -> None:
    from aoti_lint.rerun.judge.by_stage import compile_path

    step = Step(phase="whole", command=("python", "run.py"), environment={"TORCH_COMPILE_DISABLE": "1"})
    for code, shown in ((1, True), (0, False)):
        reading = Reading()
        says = compile_path(reading, replace(seen(first(of=0), code=code), step=step), "nan")
        reading.conclude()
        assert [(one.kind, one.sure) for one in reading.culprits] == ([("code", True)] if shown else [])
        assert ("without torch.compile it fails too: `log`" in says[0]) == shown


def test_an_error_of_the_code_around_is_only_suspected() -> None:
    log = 'Traceback (most recent call last):\n  File "/app/rank.py", line 21, in names\n    a[b]\nKeyError: 0\n'
    reading, (found,) = culprits(seen(*called(GOOD), same(), log=log))
    assert (found.kind, found.name, found.sure, found.place and found.place.line) == ("code", "names", False, 21)
    assert "KeyError: 0; no call" in found.what
    assert reading.agrees
    reading, _ = culprits(seen(*called(BAD), same(), log=log))
    assert not reading.agrees


def test_what_a_buffer_keeps_shows_later() -> None:
    bad = called(GOOD, first(kept="seen"))
    reading, _ = culprits(seen(*bad, *called(BAD, number=4)))
    reading.conclude()
    (one,) = reading.culprits
    assert one.sure
    assert one.what.endswith("buffer seen keeps it for the calls after this one")
    assert culprits(seen(*bad))[0].origin is None


@pytest.mark.parametrize(("number", "name"), [(11, " (bool)"), (7, " (float64)"), (15, " (bfloat16)"), (44, "")])
def test_the_dtype_that_was_sent_has_a_name(number: int, name: str) -> None:
    message = f"input_handles[1]: unmatched dtype, expected: 6(at::kFloat), but got: {number}"
    _, (one,) = culprits(seen(*called(None), log=f"RuntimeError: {message}\n"), "wrong-result")
    assert one.what.endswith(f"but got: {number}{name}")


def test_what_verify_finds_on_other_inputs_is_no_culprit() -> None:
    import json

    from aoti_lint.rerun.judge.by_stage import compare

    tool = Step(phase="tool", command=("aoti-lint", "verify"))
    for verdict, agreed, kinds in (
        ("differs", True, []), ("differs", False, ["package"]), ("random", True, ["code"]),
    ):  # fmt: skip
        document = {"failures": [{"verdict": verdict, "text": "out is 1 instead of 2 in l (/app/drop.py:11)"}]}
        reading = Reading(agrees=agreed)
        says = compare(reading, replace(seen(log=json.dumps(document)), step=tool), "wrong-result")
        assert [one.kind for one in reading.culprits] == kinds
        assert ("other inputs" in says[0]) == (kinds == [])
        assert all(one.place and one.place.line == 11 for one in reading.culprits if one.kind == "code")


def printed(kernel: str, after: str, before: str = "1") -> list[str]:
    return [
        "[  aoti_model_inputs - arg0_1  ]:", f"Min value: {before}", f"Max value: {before}", f"Mean value: {before}",
        f"[  before_launch - {kernel} - arg0_1  ]:", f"Min value: {before}", f"Max value: {before}",
        f"[  after_launch - {kernel} - buf0  ]:", f"Min value: {after}", f"Max value: {after}", f"Mean value: {after}",
    ]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "kernels"), [("1", "nan", ["share"]), ("nan", "nan", []), ("1", "2", [])])
def test_which_kernel_does_what_the_program_says(before: str, after: str, kernels: list[str]) -> None:
    """What the first kernel is given has NaN, which the model looks for."""
    from aoti_lint.rerun.judge.by_stage import values

    lines = (Place(path="/app/model.py", line=25),)
    clean = Launch(number=1, name="clean", kind="kernel", reads=("arg0_1",), writes=("buf0",))
    share = Launch(number=2, name="share", kind="kernel", reads=("arg0_1",), writes=("buf0",), places=lines)
    reading, _ = culprits(seen(*called(BAD, first())))
    reading.program = Program(launches=[clean, share], given={"arg0_1"})
    log = "\n".join([*printed("clean", "1", "nan"), *printed("share", after, before)[4:]])
    values(reading, seen(*called(BAD), log=log), "nan")
    assert [one.name for one in reading.culprits] == kernels
    reading.conclude()
    assert [one.kind for one in reading.culprits] == (["kernel"] if kernels else ["code"])
