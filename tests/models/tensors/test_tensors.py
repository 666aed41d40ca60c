"""The models of tensors against what torch does: nothing known may be wrong, and the common things must be known."""

from __future__ import annotations

import importlib.util
import json
import re
from functools import cache
from typing import Any

import pytest

from aoti_lint.language.data import containers
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import Const, Sym, Tup, Unknown, Value
from tests.models.tensors import record_tensors
from tests.snippets import Ran, run

RECORDED = json.loads(record_tensors.TARGET.read_text())
CASES: list[tuple[str, Any]] = [(text, made) for text, made in RECORDED["cases"]]

NOT_FOLLOWED = re.compile(
    r"diag|masked_select|> 0\]|\[b\d\]|\[.*l\d.*,|\[.*, .*l\d|\.\.\., \.\.\.|ceil_mode=True|one_hot\(l\d\)|\"none\""
    r"|meshgrid|tolist|[hv]stack.*[xm]0|vstack\(.x\d+, x|pad_sequence|scaled_dot|F.linear\(x\d+, x[0-3]\)|kthvalue"
    r"|topk|pool2d\(x\d,|[xm]0\.mT|rfft\(.*, 4\)|rfftn|kron|tensordot|cov|chunk.*x13|x13.chunk"
)
"""What depends on data, is a list of alike tensors, or is not worth following to the last size."""
MIXED = re.compile(r"\bm\d.*(\bx\d|randn|torch\.tensor)|\bx\d.*\bm\d")
"""The device `meta` is more tolerant than others: what mixes it with the CPU has no device here."""


def script(known: bool) -> str:
    """All expressions as one script; with `known` false the sizes of its tensors come from an unknown module."""
    prelude: str = RECORDED["prelude"]
    if not known:
        lines = ["import config"]
        for line in prelude.splitlines():
            before, factory, after = line.partition("torch.rand(")
            lines.append(before + factory + re.sub(r"\d+", lambda d: f"config.n{d[0]}", after))
        prelude = "\n".join(lines) + "\n"
    return prelude + "".join(f"r{i} = {text}\n" for i, (text, _) in enumerate(CASES))


@cache
def ran(known: bool) -> Ran:
    return run(script(known))


def mistakes(ran_: Ran, value: Value, made: Any, sizes: dict[str, set[int]]) -> list[str]:
    """What `value` says that is not so. `sizes` collects what symbolic sizes stand for."""
    match value:
        case Unknown():
            return []
        case Tensor():
            if not isinstance(made, dict):
                return ["it is no tensor"]
            found = []
            if isinstance(value.device, Device) and value.device.type != made["device"]:
                found.append(f"device {value.device}")
            if value.dtype not in (None, made["dtype"]):
                found.append(f"dtype {value.dtype}")
            if value.shape is not None and len(value.shape) != len(made["shape"]):
                found.append(f"shape {value.shape}")
            elif value.shape is not None:
                for one, true in zip(value.shape, made["shape"], strict=True):
                    found += mistakes(ran_, one, true, sizes)
                if any(
                    differ(*three) for three in zip(value.strides or (), made["strides"], made["shape"], strict=False)
                ):
                    found.append(f"strides {value.strides}")
            return found
        case Const(inner):
            return [] if inner == made else [f"{inner!r}"]
        case Tup(items):
            if not isinstance(made, list) or len(items) != len(made):
                return [f"{len(items)} parts"]
            return [w for item, true in zip(items, made, strict=True) for w in mistakes(ran_, item, true, sizes)]
    element = containers.element_of(ran_.m, value)
    assert element is not None, value
    return [w for true in made for w in mistakes(ran_, element, true, {})]


def differ(stride: int | None, true: int, size: int) -> bool:
    """Whether a known stride is another one than the true one; of a dimension of size 1 or 0 it says nothing."""
    return size > 1 and stride not in (None, true)


def collect(value: Value, made: Any, sizes: dict[str, set[int]]) -> None:
    """Note which number each symbolic size of a result stands for."""
    if isinstance(value, Tensor) and value.shape is not None:
        for one, true in zip(value.shape, made["shape"], strict=True):
            if isinstance(one, Unknown | Sym):
                sizes.setdefault(one.key, set()).add(true)
    if isinstance(value, Tup):
        for item, true in zip(value.items, made, strict=True):
            collect(item, true, sizes)


@pytest.mark.parametrize("known", [True, False], ids=["known sizes", "symbolic sizes"])
def test_nothing_known_is_wrong(known: bool) -> None:
    result = ran(known)
    wrong = {}
    for i, (text, made) in enumerate(CASES):
        found = mistakes(result, result.value(f"r{i}"), made, {})
        if found:
            wrong[text] = (found, made)
    assert wrong == {}


def test_one_symbolic_size_stands_for_one_number() -> None:
    result, sizes = ran(False), dict[str, set[int]]()
    for i, (_, made) in enumerate(CASES):
        collect(result.value(f"r{i}"), made, sizes)
    assert len(sizes) > 20
    assert {key: numbers for key, numbers in sizes.items() if len(numbers) > 1} == {}


def complete(ran_: Ran, value: Value) -> bool:
    match value:
        case Tensor(shape=shape, device=device):
            return shape is not None and isinstance(device, Device) and all(isinstance(s, Const) for s in shape)
        case Tup(items):
            return all(complete(ran_, i) for i in items)
        case Const():
            return True
    return False


def test_common_operations_are_known_completely() -> None:
    result = ran(True)
    unknown = [
        text for i, (text, _) in enumerate(CASES)
        if not NOT_FOLLOWED.search(text) and not MIXED.search(text) and not complete(result, result.value(f"r{i}"))
    ]  # fmt: skip
    assert unknown == []


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_the_record_is_what_torch_does() -> None:
    import torch

    if not str(torch.__version__).startswith(RECORDED["torch"]):
        pytest.skip("recorded with another torch")
    assert json.loads(json.dumps(record_tensors.record())) == RECORDED
