"""What is said of a file of weights, case by case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from aoti_lint.program.dtypes import ITEM_BYTES
from aoti_lint.program.facts import Problem, Tensor, Weight
from aoti_lint.program.weights.compare import WeightsAt, compare
from aoti_lint.program.weights.file import Entry, WeightFile
from aoti_lint.program.weights.problem import WeightProblem
from aoti_lint.program.weights.reading import read_weights

SAVED = Path(__file__).parent / "saved"


def strides(shape: Sequence[int]) -> tuple[int, ...]:
    found: list[int] = []
    step = 1
    for size in reversed(shape):
        found.append(step)
        step *= size
    return tuple(reversed(found))


def tensor(*shape: int, dtype: str = "float32", device: str | None = "cpu", **other: object) -> Tensor:
    return Tensor(dtype=dtype, shape=shape, strides=other.pop("strides", strides(shape)), device=device, **other)  # type: ignore[arg-type]


def weight(name: str, *shape: int, role: str = "parameter", **other: object) -> Weight:
    tensors = {key: other.pop(key) for key in ("dtype", "device", "strides") if key in other}
    return Weight(name=name, role=role, tensor=tensor(*shape, **tensors), **other)  # type: ignore[arg-type]


def entry(name: str, *shape: int, storage: str | None = None, offset: int = 0, more: int = 0, **other: object) -> Entry:
    made = tensor(*shape, **other)  # type: ignore[arg-type]
    count = 1
    for size in shape:
        count *= size
    size = count * ITEM_BYTES[made.dtype]
    return Entry(name=name, tensor=made, bytes=size, storage=storage or name, storage_bytes=size + more, offset=offset)


def file(*entries: Entry, **other: object) -> WeightFile:
    return WeightFile(file="w.pt", format="torch", entries=entries, **other)  # type: ignore[arg-type]


WANTED = [weight("a.weight", 4, 3), weight("a.bias", 9), weight("scale", 9, role="buffer", persistent=True)]
FITTING = [entry("a.weight", 4, 3), entry("a.bias", 9), entry("scale", 9)]


def only(found: list[WeightProblem]) -> WeightProblem:
    assert len(found) == 1, found
    return found[0]


def changed(*entries: Entry) -> WeightFile:
    """The fitting file with some entries replaced by name."""
    new = {item.name: item for item in entries}
    return file(*[new.pop(item.name, item) for item in FITTING], *new.values())


def test_fits() -> None:
    assert compare(WANTED, file(*FITTING)) == []


@pytest.mark.parametrize(
    ("replaced", "kind", "outcome", "words"),
    [
        (entry("a.weight", 3, 4), "shape", "silent", r"\(3, 4\) in the file, .* for \(4, 3\); .* without a word"),
        (entry("a.weight", 4, 2), "shape", "silent", "the rest keeps what was in memory"),
        (entry("a.weight", 5, 3), "shape", "crash", "over other weights"),
        (entry("a.bias", 9, 1), "shape", "silent", r"\(9, 1\) in the file, .* for \(9,\)"),
        (entry("a.weight", 4, 3, dtype="float16"), "dtype", "silent", "is float16 in the file, .* for float32"),
        (entry("a.weight", 4, 3, dtype="int32"), "dtype", "silent", "reads them as float32"),
        (entry("a.weight", 4, 3, dtype="float64"), "dtype", "crash", "more bytes than fit"),
        (entry("a.weight", 4, 3, strides=(1, 4)), "strides", "silent", r"strides \(1, 4\) in the file, .* \(3, 1\)"),
        (entry("scale", 9, strides=(0,)), "strides", "silent", r"strides \(0,\)"),
        (
            entry("a.weight", 4, 3, offset=7, more=28),
            "view",
            "crash",
            "a view of 48 bytes in a storage of 76.* 7 twice",
        ),
        (entry("a.weight", 4, 3, more=16), "view", "silent", "a storage of 64, .* the weights that lie behind it"),
        (entry("a.weight", 4, 3, device="cuda:1"), "device", "raises", "saved from cuda:1, .* on cpu"),
        (entry("a.weight", 4, 3, device="meta"), "device", "raises", "no values"),
        (entry("a.weight", 4, 3, layout="sparse_csr", strides=None), "layout", "crash", "sparse_csr"),
        (Entry(name="a.weight", what="of type int"), "not a tensor", "raises", "is of type int in the file"),
        (Entry(name="_extra_state", what="a dict"), "not a tensor", "raises", "is a dict, not a tensor"),
        (entry("b.weight", 3, 3), "unexpected", "raises", 'raises "Constant not found: b.weight"'),
        (entry("b.bias", 8), "inlined", "raises", "8 elements in one dimension"),
        (entry("b.bias", 9, storage="a.bias"), "tied", "raises", 'tied to "a.bias", the only name'),
    ],
)
def test_one_is_different(replaced: Entry, kind: str, outcome: str, words: str) -> None:
    problem = only(compare(WANTED, changed(replaced)))
    assert (problem.name, problem.kind, problem.outcome) == (replaced.name, kind, outcome)
    assert re.search(words, problem.message), problem.message
    assert problem.fix


def test_sizes_of_one_have_no_strides() -> None:
    assert compare([weight("a", 1, 3)], file(entry("a", 1, 3, strides=(99, 1)))) == []


def test_the_strides_of_the_package_count() -> None:
    transposed = weight("a", 4, 3, strides=(1, 4))
    assert compare([transposed], file(entry("a", 4, 3, strides=(1, 4)))) == []
    assert (
        "torch.empty_strided((4, 3), (1, 4), dtype=torch.float32)"
        in only(compare([transposed], file(entry("a", 4, 3)))).fix
    )


@pytest.mark.parametrize(
    ("name", "weights_at", "outcome", "words"),
    [
        (
            "a.weight",
            "library",
            "silent",
            "Cannot find constants.*without, the values it was compiled with stay in use$",
        ),
        ("a.weight", "outside", "crash", r"without, the first call dies \(signal 11\)$"),
        ("a.weight", None, "crash", "stay in use, or the first call dies"),
        (
            "scale",
            "library",
            "silent",
            "only warns, even with check_full_update=True, and the values it was compiled with",
        ),
        ("scale", "outside", "crash", "only warns, even with check_full_update=True, and the first call dies"),
    ],
)
def test_missing(name: str, weights_at: WeightsAt | None, outcome: str, words: str) -> None:
    held = [item for item in FITTING if item.name != name]
    problem = only(compare(WANTED, file(*held), weights_at=weights_at))
    assert (problem.name, problem.kind, problem.outcome) == (name, "missing", outcome)
    assert re.search(words, problem.message), problem.message


def test_missing_by_nature() -> None:
    """Non-persistent buffers and plain tensors are in no state dict; what has no elements is not missed."""
    wanted = [
        weight("table", 3, 3, role="buffer", persistent=False),
        weight("_tensor_constant0", 3, 3, role="constant"),
        weight("none", 0, 3),
    ]
    table, constant = compare(wanted, file())
    assert "state dicts have no buffers of persistent=False" in table.message
    assert table.fix == 'state["table"] = dict(model.named_buffers())["table"]'
    assert "neither a parameter nor a buffer" in constant.message


def test_folded() -> None:
    """What the package makes itself is neither missed nor in the way."""
    wanted = [*WANTED, weight("_FOLDED_CONST_permute", 3, 4, role="unknown", folded=True)]
    assert compare(wanted, file(*FITTING)) == []
    problem = only(compare(wanted, changed(entry("_FOLDED_CONST_permute", 3, 4))))
    assert (problem.kind, problem.outcome) == ("folded", "harmless")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("_orig_mod.{}", 'state = {name.removeprefix("_orig_mod."): value for name, value in state.items()}'),
        ("module.{}", 'state = {name.removeprefix("module."): value for name, value in state.items()}'),
        ("model.{}", 'state = {name.removeprefix("model."): value for name, value in state.items()}'),
        (
            "module._orig_mod.{}",
            'state = {name.removeprefix("module._orig_mod."): value for name, value in state.items()}',
        ),
    ],
)
def test_prefix(before: str, after: str) -> None:
    """One finding for all names; the rest is compared as if it were stripped."""
    held = [item.model_copy(update={"name": before.format(item.name)}) for item in FITTING[1:]]
    held.append(entry(before.format("a.weight"), 4, 3, dtype="float16"))
    prefix, dtype = compare(WANTED, file(*held))
    assert (prefix.name, prefix.kind, prefix.outcome, prefix.fix) == ("", "prefix", "raises", after)
    assert (dtype.name, dtype.kind) == ("a.weight", "dtype")


def test_prefix_inside() -> None:
    """A submodule was compiled."""
    wanted = [weight("encoder.a.weight", 4, 3), weight("head.weight", 4, 4)]
    held = file(entry("encoder._orig_mod.a.weight", 4, 3), entry("head.weight", 4, 4))
    problem = only(compare(wanted, held))
    assert problem.fix == 'state = {name.replace("_orig_mod.", ""): value for name, value in state.items()}'


def test_prefix_lacking() -> None:
    """The package was made of a module that holds the model."""
    wanted = [item.model_copy(update={"name": "model." + item.name}) for item in WANTED]
    assert (
        only(compare(wanted, file(*FITTING))).fix == 'state = {"model." + name: value for name, value in state.items()}'
    )


def test_no_prefix() -> None:
    """Names that would fall together are not renamed."""
    wanted = [weight("a.weight", 4, 3), weight("b.weight", 4, 3)]
    held = file(entry("a.weight", 4, 3), entry("x.a.weight", 4, 3), entry("x.b.weight", 4, 3))
    assert "prefix" not in [problem.kind for problem in compare(wanted, held)]


def test_tied_twin_instead() -> None:
    """The package has one name of the two, the file the other, as either says or as shapes suggest."""
    wanted = [weight("head.weight", 5, 4)]
    told = only(compare([weight("head.weight", 5, 4, tied="embed.weight")], file(entry("embed.weight", 5, 4))))
    assert (told.kind, told.fix) == ("tied", 'state["head.weight"] = state.pop("embed.weight")')
    left_out = only(compare(wanted, file(entry("embed.weight", 5, 4), twins={"head.weight": "embed.weight"})))
    assert left_out.fix == told.fix
    guessed = only(compare(wanted, file(entry("embed.weight", 5, 4))))
    assert (guessed.kind, guessed.fix) == ("tied", "If so: " + told.fix)
    assert compare(wanted, file(entry("embed.weight", 5, 4), entry("other.weight", 5, 4)))[0].kind == "missing"


def test_real_tied_state() -> None:
    """A state dict of torch has both names of a tied weight; a package has one."""
    read = read_weights(SAVED / "state_2.pt")
    wanted = [
        Weight(name=item.name, role="unknown", tensor=item.tensor, bytes=item.bytes)
        for item in read.entries
        if item.name in ("out.weight", "mask", "norm.running_mean")
    ]
    found = {problem.name: problem.kind for problem in compare(wanted, read)}
    assert found["embed.weight"] == "tied"
    assert found["out.bias"] == "inlined"
    assert found["_extra_state"] == "not a tensor"
    assert found["norm.num_batches_tracked"] == "unexpected"
    assert not {"out.weight", "mask", "norm.running_mean"} & set(found)


def test_problems_of_the_file_come_first() -> None:
    broken = file(*FITTING, problems=(Problem(member="data/0", message="the data of x is cut off"),))
    assert only(compare(WANTED, broken)).kind == "damaged"


def test_names_that_need_quoting() -> None:
    """A fix is Python that runs, whatever the name."""
    name = 'a"\\\n' + "b" * 200
    problem = only(compare(WANTED, changed(entry(name, 9, 9))))
    assert "\n" not in problem.message
    popped = only(compare(WANTED, changed(entry(name, 3)))).fix
    held = {name: 1}
    exec(popped.partition(";")[0], {"state": held})
    assert not held
