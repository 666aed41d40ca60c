"""What is noted while a fake or a kernel is tried, and what torch does at the same places."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.diagnostics import Confidence
from aoti_lint.linking.analysis import analyse
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.tracing.trials.trial import outputs, returned
from aoti_lint.tracing.trials.tried import OpTrial
from aoti_lint.values.torch_values import Tensor
from tests.tracing.trials import HEAD, events, of_fake, of_kernel, program


def notes(folder: Path, body: str, **other: str) -> list[tuple[str, str]]:
    """The kinds of what is noted of a fake, each with the text it stands at."""
    text = program(body, **other)
    _, trial = of_fake(folder, text)
    return [(note.kind, text[note.span.start : note.span.end]) for note in trial.watch.notes]


# ---------------------------------------------------------------- sizes that become numbers

BAKED = {
    "int(x.shape[0])": "int",
    "operator.index(x.shape[0])": "int",
    "float(x.shape[0])": "float",
    "math.sqrt(x.shape[0])": "float",
    "len(x)": "len",
    "range(x.shape[0])": "range",
    "'%d' % x.shape[0]": "format",
    "1 if x.shape[0] == 12 else 2": "branch",
    "1 if x.shape[0] > 100 else 2": "branch",
    "1 if x.numel() > 100 else 2": "branch",
    "1 if x.shape[0] - 13 else 2": "branch",
    "x.shape[0] - 13 or 4": "branch",
    "1 if not (x.shape[0] - 13) else 2": "branch",
    "1 if bool(x.shape[0] - 13) else 2": "branch",
}
"""Expressions that hold a size to that of the example, and the kind of their note."""
OPEN = (
    "x.shape[0] // 2", "x.shape[0] * 2 + 1", "x.shape[0] % 4", "-x.shape[0]", "x.numel()", "x.shape", "x.size(0)",
    "math.prod(x.shape)", "math.ceil(x.shape[0] / 4)", "math.floor(x.shape[0] / 4)", "list(x.shape)", "tuple(x.shape)",
    "torch.Size(x.shape)", "max(x.shape[0], 20)", "min(x.shape[0], x.shape[1])", "torch.sym_max(x.shape[0], 20)",
    "torch.sym_min(x.shape[0], 20)", "torch.sym_int(x.shape[0] / 4)", "sum(x.shape)", "f'{x.shape[0]}'",
    "'%s' % x.shape[0]", "str(x.shape)", "x.dim() == 2", "len(x.shape)", "x.shape[0] == 0", "x.shape[0] != 1",
    "1 if x.shape[0] == 0 else 2", "1 if x.shape[0] > 1 else 2", "isinstance(x.shape[0], int)", "x.shape[0] / 4",
    "1 if x.shape[0] else 2", "x.shape[0] or 4", "x.ndim", "range(x.dim())", "x.shape[:-1]", "[*x.shape]",
    "x.shape[0] is None",
)  # fmt: skip
"""Expressions that leave it open."""


@pytest.mark.parametrize("text", BAKED)
def test_what_makes_a_number_of_a_size_is_noted(text: str, tmp_path: Path) -> None:
    found = notes(tmp_path, f"made = {text}\nreturn torch.empty_like(x)")
    assert [kind for kind, _ in found] == [BAKED[text]]
    assert found[0][1] in text


@pytest.mark.parametrize("text", OPEN)
def test_what_leaves_a_size_open_is_not_noted(text: str, tmp_path: Path) -> None:
    assert notes(tmp_path, f"made = {text}\nreturn torch.empty_like(x)") == []


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_torch_makes_a_number_of_a_size_at_the_same_places() -> None:
    import operator

    import torch
    from torch._dynamo.source import ConstantSource
    from torch._export.non_strict_utils import _override_builtin_ops
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

    if not str(torch.__version__).startswith("2.13"):
        pytest.skip("what export replaces is that of another torch")
    wrong = []
    for text in (*BAKED, *OPEN):
        env = ShapeEnv()
        context: Any = StatelessSymbolicContext(dynamic_sizes=[DimDynamic.DYNAMIC] * 2)
        mode = FakeTensorMode(shape_env=env)
        x = mode.from_tensor(torch.empty(12, 18), symbolic_context=context, source=ConstantSource("x"))
        with _override_builtin_ops():  # as export does
            eval(text, {"x": x, "torch": torch, "math": math, "operator": operator})
        if bool(env.guards) is not (text in BAKED):
            wrong.append((text, [str(guard.expr) for guard in env.guards]))
    assert wrong == []


def test_a_check_of_a_size_is_told_from_a_branch(tmp_path: Path) -> None:
    assert [kind for kind, _ in notes(tmp_path / "a", "assert x.shape[0] == 4\nreturn x.clone()")] == ["check"]
    body = "if x.shape[0] != 4:\n    raise ValueError('four rows')\nreturn torch.empty_like(x)"
    assert [kind for kind, _ in notes(tmp_path / "b", body)] == ["check"]
    assert notes(tmp_path / "c", "torch._check(x.shape[0] == 4)\nreturn torch.empty_like(x)") == []


# ---------------------------------------------------------------- data


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("x.sum().item()", "item"),
        ("x.tolist()", "item"),
        ("int(x.sum())", "item"),
        ("float(x.max())", "item"),
        ("x.data_ptr()", "data"),
        ("x.numpy()", "data"),
        ("1 if x.sum() > 0 else 2", "truth"),
        ("bool(x.any())", "truth"),
        ("not x.any()", "truth"),
    ],
)
def test_what_reads_a_tensor_is_noted(text: str, kind: str, tmp_path: Path) -> None:
    assert {found for found, _ in notes(tmp_path, f"made = {text}\nreturn torch.empty_like(x)")} == {kind}


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("if bool(x.any()):", ["bool(x.any())"]),
        ("if x.any() or x.all():", ["x.any()", "x.all()"]),
        ("if not (x > 3).any():", ["(x > 3).any()"]),
        ("if x.sum() > 0:", ["x.sum() > 0"]),
        ("if x.shape[0] > 30:", ["x.shape[0] > 30"]),
        ("while 30 < x.shape[0]:", ["30 < x.shape[0]"]),
        ("if 0 < x.shape[0] < 30:", ["x.shape[0] < 30"]),
        ("if x.dim() == 2 and x.shape[0] == 30:", ["x.shape[0] == 30"]),
    ],
)
def test_a_question_is_noted_once_and_where_it_is_asked(line: str, asked: list[str], tmp_path: Path) -> None:
    found = notes(tmp_path, f"{line}\n    return x.new_empty(1)\nreturn torch.empty_like(x)")
    assert [text for _, text in found] == asked


@pytest.mark.parametrize(
    "text", ["x is None", "x.is_contiguous()", "x.dtype == torch.half", "x.device", "x.stride()", "x > 0"]
)
def test_what_a_fake_tensor_has_is_not_data(text: str, tmp_path: Path) -> None:
    assert notes(tmp_path, f"made = {text}\nreturn torch.empty_like(x)") == []


# ---------------------------------------------------------------- views and changes


@pytest.mark.parametrize(
    ("body", "alias"),
    [
        ("return x", ("arg0", True)),
        ("return x.t()", ("arg0", True)),
        ("return x[1:]", ("arg0", True)),
        ("return x.view(-1)[None]", ("arg0", True)),
        ("return x.unsqueeze(0).transpose(0, 1)", ("arg0", True)),
        ("return x.detach()", ("arg0", True)),
        ("return x.mul_(2)", ("arg0", True)),
        ("return x.reshape(-1)", ("arg0", False)),
        ("return x.contiguous()", ("arg0", False)),
        ("return x.float()", ("arg0", False)),
        ("return x + 1", None),
        ("return -x", None),
        ("return x.t().clone()", None),
        ("return x[x > 0]", None),
        ("return torch.empty_like(x)", None),
    ],
)
def test_results_that_are_views(body: str, alias: tuple[str, bool] | None, tmp_path: Path) -> None:
    trial = of_kernel(tmp_path, program("return torch.empty_like(x)", body))
    [made] = outputs(returned(trial))
    assert isinstance(made, Tensor)
    assert trial.alias(made) == alias


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("x.add_(1)", True),
        ("x[0] = 1", True),
        ("x[0].zero_()", True),
        ("x += 1", True),
        ("x.t().fill_(0)", True),
        ("torch.sin(x, out=x)", True),
        ("torch.nn.functional.relu(x, inplace=True)", True),
        ("y = x.clone()\ny.add_(1)", False),
        ("y = x + 1\ny += 1", False),
        ("x = x + 1", False),
        ("x.requires_grad_()", False),
        ("x.reshape(-1).add_(1)", False),
    ],
)
def test_arguments_that_are_changed(body: str, changed: bool, tmp_path: Path) -> None:
    trial = of_kernel(tmp_path, program("return torch.empty_like(x)", f"{body}\nreturn torch.ones(3)"))
    assert ("arg0" in trial.watch.mutated) is changed


# ---------------------------------------------------------------- ranks


@pytest.mark.parametrize(
    ("body", "rank"),
    [
        ("return torch.empty_like(x)", 2),
        ("b, c, h, w = x.shape\nreturn x.new_empty((b, c, h, w))", 4),
        ("return x.new_empty((x.shape[2], x.shape[0]))", 3),
        ("return x.new_empty((x.size(3),))", 4),
        ("(n,) = x.shape\nreturn x.new_empty((n,))", 1),
        ("return x.new_empty((x.shape[-3],))", 3),
        ("b, *rest = x.shape\nreturn x.new_empty(rest)", 2),
    ],
)
def test_ranks_are_found_as_they_are_needed(body: str, rank: int, tmp_path: Path) -> None:
    _, trial = of_fake(tmp_path, program(body, "return x.clone()"))
    assert dict(trial.ranks)["arg0"] == rank


def test_the_kernel_is_tried_with_the_ranks_of_the_fake(tmp_path: Path) -> None:
    kernel = "b, s, d = x.shape\nreturn x.new_zeros((b, s * d))"
    event, trial = of_fake(tmp_path, program("return x.new_empty((x.shape[0], 3))", kernel))
    assert event.kernel is not None
    assert event.kernel.ranks == trial.ranks == (("arg0", 3),)


# ---------------------------------------------------------------- beside each other

OPTIONAL = "x: torch.Tensor, y: Optional[torch.Tensor]"


def differing(folder: Path, fake: str, kernel: str, params: str = "x: torch.Tensor") -> list[tuple[str, Confidence]]:
    event, _ = of_fake(folder, program(fake, kernel, params))
    assert event.kernel is not None
    return [(difference.kind, difference.confidence) for difference in event.differences]


def test_an_argument_that_may_be_left_out_is_left_out_for_both(tmp_path: Path) -> None:
    kernel = "if y is not None:\n    return x.new_zeros((x.shape[0], 5))\nreturn x.new_zeros((x.shape[0], 7))"
    right = kernel.replace("new_zeros", "new_empty")
    assert differing(tmp_path / "right", right, kernel, OPTIONAL) == []
    wrong = right.replace("is not None", "is None")
    assert differing(tmp_path / "wrong", wrong, kernel, OPTIONAL) == [("size", Confidence.LIKELY)]
    half = "return x.new_empty((x.shape[0], 7))"
    assert differing(tmp_path / "half", half, kernel, OPTIONAL) == [("size", Confidence.LIKELY)]


def test_a_choice_inside_of_a_shape(tmp_path: Path) -> None:
    kernel = "if y is not None:\n    return x.new_zeros((x.shape[0], 5))\nreturn x.new_zeros((x.shape[0], 7))"
    wrong = "return x.new_empty((x.shape[0], 5 if y is None else 7))"
    assert differing(tmp_path, wrong, kernel, OPTIONAL) == [("size", Confidence.LIKELY)]


def test_what_something_else_decides_is_not_told(tmp_path: Path) -> None:
    kernel = "if torch.get_num_threads() > 4:\n    return x.new_zeros((5,))\nreturn x.new_zeros((7,))"
    assert differing(tmp_path / "one", "return x.new_empty((7,))", kernel) == []
    flag = "import config\nif config.FLAG:\n    return x.new_zeros((5,))\nreturn x.new_zeros((7,))"
    assert differing(tmp_path / "flag", "return x.new_empty((7,))", flag) == []
    found = differing(tmp_path / "neither", "return x.new_empty((8,))", kernel)
    assert found == [("size", Confidence.LIKELY)]


@pytest.mark.parametrize(
    ("fake", "kernel", "kinds"),
    [
        ("return torch.empty_like(x)", "return x.half()", ["dtype"]),
        ("return torch.empty(x.shape, dtype=x.dtype, device='cuda')", "return x * 2", ["device"]),
        ("return x.new_empty(())", "return x * 2", ["rank"]),
        ("return x.new_empty((x.shape[0] * 2, x.shape[1]))", "return x * 2", ["size"]),
        ("return x.new_empty((x.numel(),))", "return x[x > 0]", ["data size"]),
        ("return torch.empty_like(x), torch.empty_like(x)", "return x * 2", ["count"]),
        ("return torch.empty_like(x)", "return x * 2", []),
        ("return torch.empty_like(x)", "return unknown(x)", []),
        ("raise NotImplementedError", "return x * 2", []),
    ],
)
def test_kinds_of_differences(fake: str, kernel: str, kinds: list[str], tmp_path: Path) -> None:
    assert [kind for kind, _ in differing(tmp_path, fake, kernel)] == kinds


TWO = "x: torch.Tensor, y: torch.Tensor"
SAME = (
    "assert x.shape == y.shape",
    "assert x.size() == y.size(), 'sizes'",
    "assert x.shape[0] == y.shape[0] and x.size(1) == y.size(1)",
    "torch._check(x.shape[0] == y.shape[0])\ntorch._check(x.shape[1] == y.shape[1], lambda: 'columns')",
    "torch._check(x.shape == y.shape)",
    "if x.shape[0] != y.shape[0] or x.size(1) != y.size(1):\n    raise ValueError('sizes')",
    "if x.shape != y.shape:\n    raise ValueError('sizes')",
    "if not x.shape == y.shape:\n    raise ValueError('sizes')",
    "n, k = x.shape\nassert (n, k) == (*y.shape,)",
    "x + y",
)
"""Ways to say that two arguments have the same sizes."""


@pytest.mark.parametrize("said", SAME)
def test_sizes_that_must_be_the_same_are_the_same(said: str, tmp_path: Path) -> None:
    fake, kernel = "return torch.empty_like(y)", "return x.sin()"
    assert {kind for kind, _ in differing(tmp_path / "open", fake, kernel, TWO)} == {"size"}
    assert differing(tmp_path / "kernel", fake, f"{said}\n{kernel}", TWO) == []
    assert differing(tmp_path / "fake", f"{said}\n{fake}", kernel, TWO) == []


def test_a_kernel_that_does_not_end_is_given_up(tmp_path: Path) -> None:
    text = program("return torch.empty_like(x)", "n = 0\nwhile n < 10**9:\n    n += 1\nreturn x * n")
    assert all(event.differences == () for event in events(tmp_path, text))


def test_a_trial_leaves_nothing_behind(tmp_path: Path) -> None:
    text = (
        HEAD + "seen = []\n" + program("seen.append(x)\nreturn torch.empty_like(x)", "seen.append(x)\nreturn x.sin()")
    )
    text += "torch.library.custom_op(f'lib::op{len(seen)}', lambda x: x, mutates_args=())\n"
    assert {event.op for event in events(tmp_path, text)} == {"lib::op", "lib::op0"}


ELSEWHERE = {
    "a.py": (
        'import torch\ntorch.library.define("lib::op", "(Tensor x) -> Tensor")\n'
        '@torch.library.register_fake("lib::op")\ndef fake(x):\n    return torch.empty_like(x)\n'
    ),
    "b.py": (
        'import torch\nimport a\n@torch.library.register_kernel("lib::op", "default")\n'
        "def kernel(x):\n    return x.new_zeros((x.shape[0], 8), dtype=torch.int8)\n"
    ),
}


def beside(folder: Path, files: dict[str, str]) -> set[str]:
    """The kinds of differences of the fakes of a project."""
    folder.mkdir()
    for name, text in files.items():
        folder.joinpath(name).write_text(text, encoding="utf-8")
    found = analyse(Project(folder, list(files)), VersionSet.parse("2.13")).of(OpTrial)
    return {difference.kind for event in found for difference in event.differences}


def test_a_kernel_in_another_file_is_that_of_the_fake(tmp_path: Path) -> None:
    assert beside(tmp_path / "one", ELSEWHERE) == {"size", "dtype"}


def test_scripts_that_define_the_same_op_have_kernels_of_their_own(tmp_path: Path) -> None:
    again = ELSEWHERE["a.py"].replace("import torch", "import torch  # by itself")
    assert beside(tmp_path / "two", {**ELSEWHERE, "c.py": again}) == set()
