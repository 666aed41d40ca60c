"""`probe_op` on small operators: each fault, with its line, and nothing on its twin."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.probe import probe_op
from aoti_lint.probe.finding import Finding

torch = pytest.importorskip("torch")
ops: Any = pytest.importorskip("tests.probe.scripts.ops")

WRONG = {
    "integer": ("AOTI402", "makes x.shape[0] the number 6", "rows = int(x.shape[0])"),
    "branch": ("AOTI402", "decides x.shape[0] <= 100", "if x.shape[0] > 100:"),
    "counted": ("AOTI402", "makes x.shape[0] the number 6", "range(x.shape[0])"),
    "item": ("AOTI403", "reads data", "x.sum().item()"),
    "truth": ("AOTI403", "reads data", "if (x > 0).any():"),
    "pointer": ("AOTI403", "reads data", "x.data_ptr()"),
    "hard_coded": ("AOTI404", "has shape [6, 8] by the fake and [7, 10] by the kernel", ""),
    "swapped": ("AOTI404", "has shape [6, 8] by the fake and [8, 6] by the kernel", ""),
    "strides": ("AOTI422", "has strides [8, 1] by the fake and [1, 6] by the kernel", ""),
    "double": ("AOTI405", "is torch.float64 by the fake and torch.float32 by the kernel", ""),
    "default_dtype": ("AOTI405", "is torch.float32 by the fake and torch.float64 by the kernel", ""),
    "device": ("AOTI406", "is on cuda by the fake and on cpu by the kernel", ""),
    "none": ("AOTI407", "is None by the fake and a tensor by the kernel", ""),
    "too_few": ("AOTI407", "the fake gives 1 output, the kernel 2", ""),
    "same": ("AOTI408", "the fake returns x itself or a view of it", ""),
    "selected": ("AOTI409", "new_dynamic_size()", ""),
    "parameters": ("AOTI410", "its parameters are not those of the schema", ""),
    "kernel_view": ("AOTI412", "the kernel returns x itself or a view of it", ""),
    "writes": ("AOTI413", "the kernel changes x", ""),
    "switch": ("AOTI404", "has shape [6, 8] by the fake and [48] by the kernel", ""),
    "bare": ("AOTI401", "has no fake", ""),
}
"""The rule, what is said, and the line, if there is one inside the fake."""

RIGHT = ("right", "demanded", "halves", "declared", "dynamic", "parameters_right", "product", "even", "nowhere",
         "composed")  # fmt: skip


def example(name: str) -> tuple[Any, ...]:
    if name == "product":
        return torch.randn(6, 8), torch.randn(8, 10)
    if name == "demanded":
        return (torch.randn(6, 4),)
    if name == "number":
        return torch.randn(6), 7
    return (torch.randn(6, 8),)


def probed(name: str) -> list[Finding]:
    return probe_op(f"probed::{name}", example(name))


def faults(name: str) -> list[Finding]:
    return [finding for finding in probed(name) if finding.level == "fault"]


@pytest.mark.parametrize("name", WRONG)
def test_a_fault_is_found_with_its_line(name: str) -> None:
    rule, text, line = WRONG[name]
    found = next(finding for finding in faults(name) if finding.rule == rule)
    assert text in found.text
    if line:
        assert found.place is not None
        assert line in found.place.text
        assert Path(found.place.file).samefile(ops.__file__)
        assert line in inspect.getsource(ops).splitlines()[found.place.line - 1]


@pytest.mark.parametrize("name", sorted(set(WRONG) - {"device"}))
def test_nothing_else_is_said_of_it(name: str) -> None:
    assert {finding.rule for finding in faults(name)} == {WRONG[name][0]}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_has_no_fault(name: str) -> None:
    assert faults(name) == []


def test_what_the_kernel_demands_too_is_a_note() -> None:
    (note,) = probed("demanded")
    assert (note.level, note.text) == ("note", "demands x.shape[1] == 4")


def test_what_only_the_fake_demands_is_a_fault() -> None:
    found = probe_op("probed::asserted", (torch.randn(4, 8),))
    (fault,) = [finding for finding in found if finding.level == "fault"]
    assert fault.text.startswith("demands x.shape[0] == 4, and the kernel takes x=float32[")


def test_a_view_that_only_some_strides_give_is_found() -> None:
    (fault,) = faults("turned")
    assert (fault.rule, fault.inputs) == ("AOTI412", "x=float32[6, 8] strides [1, 6]")


def test_lines_that_only_other_sizes_reach_are_seen() -> None:
    lines = {finding.place.text for finding in faults("elsewhere") if finding.place is not None}
    assert lines == {"if x.shape[0] > 6:", "return x.new_empty((x.shape[0], int(x.shape[1])))"}


def test_a_size_that_never_changes_is_a_note_where_no_kernel_tells() -> None:
    (note,) = probed("constant")
    assert (note.level, note.text) == ("note", "dimension 0 of the output is 6 whatever the sizes of the inputs are")


def test_max_of_sizes_is_a_size_where_exports_make_it_one() -> None:
    from torch._export import non_strict_utils

    # Since 2.8.
    assert bool(faults("at_least")) != hasattr(non_strict_utils, "_override_builtin_ops")


def test_types_that_torch_can_hardly_handle_are_no_obstacle() -> None:
    assert probe_op("probed::bytes", (torch.randn(6, 8).to(torch.float8_e4m3fn),)) == []


def test_relations_and_rests_are_notes() -> None:
    assert [finding.text for finding in probed("product")] == ["demands x.shape[1] == y.shape[0]"]
    texts = [finding.text for finding in probed("even")]
    assert texts
    assert all("Mod(" in text for text in texts)


def test_an_argument_that_is_a_number_is_wrong_only_for_those_who_pass_a_size() -> None:
    (note,) = probed("number")
    assert (note.level, note.rule) == ("note", "AOTI402")
    assert "wrong where a caller passes a size as n" in note.text


def test_what_opcheck_passes_is_found() -> None:
    op = torch.ops.probed.hard_coded.default
    checked = torch.library.opcheck(op, (torch.randn(6, 8),), raise_exception=False)
    assert set(checked.values()) == {"SUCCESS"}
    assert faults("hard_coded")


def test_inputs_that_do_not_fit_the_schema_are_refused() -> None:
    with pytest.raises(ValueError, match="takes 1 positional arguments, not 2"):
        probe_op("probed::right", (1, 2))
    with pytest.raises(ValueError, match="misses the argument 'x'"):
        probe_op("probed::right", ())


@pytest.fixture(scope="module", autouse=True)
def _quiet() -> Iterator[None]:
    """Torch logs every error of a fake."""
    import logging

    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_the_types_of_a_schema_with_brackets_in_a_default() -> None:
    from aoti_lint.probe.arguments import types

    library = torch.library.Library("probed_types", "FRAGMENT")
    library.define("op(Tensor(a!)[] xs, str how='a, (', SymInt[2] n=1) -> ()")
    assert types(torch.ops.probed_types.op.default) == {"xs": "Tensor[]", "how": "str", "n": "SymInt[2]"}
