"""An index out of bounds: the tensor it lies in, by the source of the kernel that looks it up.

The sources are of torch 2.13 (C++) and of torch 2.11 on an H200 (Triton).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aoti_lint.rerun.judge import index_bounds
from aoti_lint.rerun.judge.common_causes import usual
from aoti_lint.rerun.judge.index_bounds import CHECKED, by_bounds, origin
from aoti_lint.rerun.judge.reading import Reading
from aoti_lint.rerun.plan.plan import Stage, Step
from aoti_lint.rerun.read.events import Event, Leaf
from aoti_lint.rerun.read.evidence import Evidence, evidence
from aoti_lint.rerun.result import Launch, Place, Ran
from aoti_lint.rerun.wrapper.launches import Program

LOOKUPS = Path(__file__).parents[1] / "data" / "lookups"
FORWARD = Place(path="model.py", line=9, function="forward", text="rows = table[target]")
CALL = Place(path="serve.py", line=30, text="run(x, source, target)")
EMBEDDING = "triton_poi_fused_add_embedding_0"


def source(name: str) -> str:
    return (LOOKUPS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "check", "pointers", "computes"),
    [
        ("given.cpp", "tmp7 < 50L", {"in_ptr0"}, False),
        ("given.cpp", "tmp14 < 50L", {"in_ptr1"}, False),
        ("computed.cpp", "tmp8 < 512L", {"in_ptr0"}, True),
        ("counted_on.cpp", "tmp9 < 40L", {"in_ptr0"}, True),
        ("given.triton.txt", "tmp4 < 1000", {"in_ptr0"}, False),
        ("computed.triton.txt", "tmp40 < 512", {"in_ptr0"}, True),
    ],
)
def test_where_an_index_comes_from(name: str, check: str, pointers: set[str], computes: bool) -> None:
    found = CHECKED.search(f"index out of bounds: 0 <= {check}")
    assert found is not None
    size = found["size"].rstrip("L")
    assert origin(source(name), found["name"], f'"{found["check"]}"', size) == (frozenset(pointers), computes)


def launch(
    name: str, reads: tuple[str, ...], text: str = "", number: int = 1, places: tuple[Place, ...] = ()
) -> Launch:
    return Launch(number=number, name=name, kind="kernel", reads=reads, writes=("buf9",), places=places, source=text)


def seen(lines: list[str], *inputs: dict[str, Any]) -> Evidence:
    step = Step(phase="whole", command=("python", "serve.py"))
    stage = Stage(name="sanity", title="", why="", reads="", steps=(step,))
    ran = Ran(command=step.command, environment={}, code=-6, how="signal", seconds=1.0, log="log.txt")
    leaves = tuple(Leaf(kind="tensor", dtype="int64", shape=(8,), **one) for one in inputs)
    call = Event(event="call", number=1, time=1.0, pid=1, place=CALL, inputs=leaves)
    return evidence(stage, step, ran, lines, [call], None)


def cpp(name: str, reads: tuple[str, ...], inputs: list[str]) -> Reading:
    text = source(name)
    kernel = text[text.index("cpp_fused") : text.index("(", text.index("cpp_fused"))]
    return Reading(program=Program(inputs=inputs, launches=[launch(kernel, reads, text, places=(FORWARD,))]))


OUT_OF_50 = ["terminate called after throwing an instance of 'std::runtime_error'",
             "  what():  index out of bounds: 0 <= tmp7 < 50L"]  # fmt: skip


def test_an_input_that_has_the_index() -> None:
    reading = cpp("given.cpp", ("arg6_1", "arg5_1", "buf0"), ["arg4_1", "arg5_1", "arg6_1"])
    good, bad = {"low": 0, "high": 49}, {"low": 0, "high": 50}
    (says,) = usual(reading, seen(OUT_OF_50, good, good, bad), "illegal-memory-access")
    (culprit,) = reading.culprits
    assert (culprit.kind, culprit.name, culprit.sure, culprit.place) == ("input", "arg6_1", True, CALL)
    assert "it goes from 0 to 50, and cpp_fused_index_index_put_tanh_zeros_0 uses it in a dimension of size 50" in says
    assert [one.places for one in culprit.chain] == [(FORWARD,)]
    assert [(one.low, one.high) for one in culprit.values] == [(0, 50)]


def test_numbers_that_speak_for_the_input() -> None:
    """All of it fits: it was another call, or the numbers are not those of this input."""
    reading = cpp("given.cpp", ("arg6_1", "arg5_1", "buf0"), ["arg4_1", "arg5_1", "arg6_1"])
    good = {"low": -50, "high": 49}
    (culprit,) = by_bounds(reading, seen(OUT_OF_50, good, good, good))
    assert culprit.kind == "kernel"


def test_a_kernel_that_computes_it() -> None:
    reading = cpp("computed.cpp", ("buf1", "table_weight", "buf3"), ["arg5_1"])
    (culprit,) = by_bounds(reading, seen(["  what():  index out of bounds: 0 <= tmp8 < 512L"]))
    assert (culprit.kind, culprit.sure, culprit.place) == ("kernel", True, FORWARD)
    assert culprit.launch is not None
    assert culprit.what.endswith("the index that it computes does not fit a dimension of size 512")


def test_an_index_that_an_earlier_launch_made() -> None:
    text = source("given.cpp")
    sort = Launch(number=1, name="aoti_torch_cpu_sort", kind="extern", writes=("buf5",))
    looks = launch("cpp_fused_index_index_put_tanh_zeros_0", ("buf5", "arg5_1", "buf0"), text, number=2)
    reading = Reading(program=Program(inputs=["arg5_1"], launches=[sort, looks]))
    (culprit,) = by_bounds(reading, seen(OUT_OF_50))
    assert (culprit.kind, culprit.launch) == ("kernel", looks)
    assert "the index that aoti_torch_cpu_sort made does not fit" in culprit.what


def test_a_check_that_two_kernels_have_names_neither() -> None:
    text = source("given.cpp")
    launches = [launch("one", ("arg6_1",), text), launch("two", ("arg5_1",), text, number=2)]
    reading = Reading(program=Program(inputs=["arg5_1", "arg6_1"], launches=launches))
    assert by_bounds(reading, seen(OUT_OF_50)) == []
    usual(reading, seen(OUT_OF_50), "segfault")
    assert [one.sure for one in reading.culprits] == [False]


def asserted(path: Path) -> list[str]:
    where = "unknown: block: [3,0,0], thread: [31,0,0]"
    return [f"{path}:35: {where} Assertion `index out of bounds: 0 <= tmp4 < 1000` failed."] * 3


def test_a_triton_kernel_says_its_file(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(source("given.triton.txt"), encoding="utf-8")
    kernel = launch(EMBEDDING, ("arg6_1", "words", "places"), places=(FORWARD,))
    reading = Reading(program=Program(inputs=["arg6_1"], launches=[kernel]))
    (culprit,) = by_bounds(reading, seen(asserted(path), {"low": 8, "high": 1194}))
    assert (culprit.kind, culprit.name, culprit.sure) == ("input", "arg6_1", True)
    assert f"it goes from 8 to 1194, and {EMBEDDING} uses it in a dimension of size 1000" in culprit.what


def test_a_triton_kernel_of_no_package_is_named(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(source("given.triton.txt"), encoding="utf-8")
    (culprit,) = by_bounds(Reading(), seen(asserted(path)))
    assert (culprit.kind, culprit.name, culprit.launch) == ("kernel", EMBEDDING, None)


def test_the_source_of_a_check_is_no_failure() -> None:
    """TORCH_LOGS=output_code prints it, in runs that fail of something else."""
    reading = cpp("given.cpp", ("arg6_1", "arg5_1", "buf0"), ["arg4_1", "arg5_1", "arg6_1"])
    log = "V1123 04:48:56.947000 13894 torch/_inductor/graph.py:2103] [0/0] [__output_code] "
    lines = [line for line in source("given.cpp").splitlines() if "AOTI_TORCH_CHECK" in line]
    assert by_bounds(reading, seen([f"{log}{line}" for line in lines])) == []
    assert by_bounds(reading, seen(lines)) == []


def test_a_file_that_is_gone_names_nobody(tmp_path: Path) -> None:
    assert by_bounds(Reading(), seen(asserted(tmp_path / "kernel.py"))) == []


def test_what_a_message_alone_pointed_at_gives_way(tmp_path: Path) -> None:
    """The exported program failed beside the package, in a kernel of torch that says nothing of whose index it was."""
    reading = cpp("computed.cpp", ("buf1", "table_weight", "buf3"), ["arg5_1"])
    eager = "/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1284: indexSelectSmallIndex: block: [0,0,0], thread: " \
            "[64,0,0] Assertion `srcIndex < srcSelectDimSize` failed."  # fmt: skip
    usual(reading, seen([eager]), "illegal-memory-access")
    assert [(one.name, one.sure) for one in reading.culprits] == [(index_bounds.CAUSE, False)]
    usual(reading, seen(["  what():  index out of bounds: 0 <= tmp8 < 512L"]), "illegal-memory-access")
    assert [one.kind for one in reading.culprits] == ["kernel"]
