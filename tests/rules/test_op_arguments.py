"""AOTI426: what ops take, by the types of their schemas. Each line was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """\
import torch

torch.library.define("mylib::take", "(Tensor x, {type} a) -> Tensor")


@torch.library.impl("mylib::take", "CompositeExplicitAutograd")
def take(x, a):
    return x.clone()


@torch.library.register_fake("mylib::take")
def _(x, a):
    return torch.empty_like(x)


x = torch.randn(4)
torch.ops.mylib.take({given})
"""
TAKEN = {
    "int": ["3", "True", "x.shape[0]"],
    "int?": ["None", "3"],
    "float": ["3", "2.5", "True"],
    "bool": ["1", "2.5", "None"],
    "str": ["'a'"],
    "Tensor": ["x", "None"],
    "Tensor[]": ["[x]", "[]", "(x,)"],
    "Tensor?[]": ["[None]", "[x]"],
    "int[]": ["[1, 2]", "(1,)", "x.shape", "[]"],
    "int[2]": ["3"],
    "float[]": ["[1, 2.5]"],
    "Scalar": ["2.5", "3"],
    "ScalarType": ["torch.float32"],
    "Device": ["'cpu'", "x.device"],
    "str[]": ["'ab'", "['a']"],
}
REFUSED = {
    "int": ["2.5", "None", "'a'", "[1]"],
    "float": ["None", "'a'", "[1.0]"],
    "bool": ["'a'", "[True]"],
    "str": ["3", "None"],
    "Tensor": ["3", "[x]", "'a'"],
    "Tensor[]": ["x", "None", "[3]", "[None]"],
    "int[]": ["3", "None", "[1.5]", "['a']"],
    "Scalar": ["x", "None"],
    "Device": ["3", "None"],
    "str[]": ["3"],
}


def said(folder: Path, **parts: str) -> set[str]:
    return {one.code for one in lint_files(folder, {"a.py": SCRIPT.format(**parts)}, torch="2.13")}


@pytest.mark.parametrize(("type_", "given"), [(t, one) for t, values in TAKEN.items() for one in values])
def test_what_is_taken(type_: str, given: str, tmp_path: Path) -> None:
    assert "AOTI426" not in said(tmp_path / "run", type=type_, given=f"x, {given}")


@pytest.mark.parametrize(("type_", "given"), [(t, one) for t, values in REFUSED.items() for one in values])
def test_what_is_refused(type_: str, given: str, tmp_path: Path) -> None:
    assert "AOTI426" in said(tmp_path / "run", type=type_, given=f"x, {given}")


@pytest.mark.parametrize("given", ["x", "", "x, 1, 2", "x, b=1", "x, 1, a=1", "a=1"])
def test_counts_and_names(given: str, tmp_path: Path) -> None:
    assert "AOTI426" in said(tmp_path / "run", type="int", given=given)


@pytest.mark.parametrize("given", ["x, 1", "x, a=1", "x=x, a=1", "*[x, 1]", "**{'x': x, 'a': 1}"])
def test_other_ways_to_call(given: str, tmp_path: Path) -> None:
    assert "AOTI426" not in said(tmp_path / "run", type="int", given=given)


@pytest.mark.parametrize("asked", ["overloads()", "default.name()", "default.tags"])
def test_what_is_asked_of_an_op_does_not_call_it(asked: str, tmp_path: Path) -> None:
    text = SCRIPT.format(type="int", given="x, 1")
    text += f"op = torch.ops.mylib.take\nop.{asked}\ntorch.ops.mylib.take.{asked}\n"
    assert "AOTI426" not in {one.code for one in lint_files(tmp_path / "run", {"a.py": text}, torch="2.13")}


def test_of_several_overloads_one_may_fit(tmp_path: Path) -> None:
    text = SCRIPT.format(type="int", given="x, 2.5").replace(
        "@torch.library.impl",
        'torch.library.define("mylib::take.real", "(Tensor x, float a) -> Tensor")\n\n\n@torch.library.impl',
        1,
    )
    assert "AOTI426" not in {one.code for one in lint_files(tmp_path / "run", {"a.py": text}, torch="2.13")}


def test_a_sum_of_what_is_not_known_is_no_text(tmp_path: Path) -> None:
    text = (
        "import torch\n\n@torch.library.custom_op('mylib::op', mutates_args=())\n"
        "def op(x: torch.Tensor, n: int) -> torch.Tensor:\n    return x.clone()\n\n"
        "class Model(torch.nn.Module):\n    def forward(self, x):\n"
        "        return torch.ops.mylib.op(x + self.net(x), 4)\n"
    )
    assert "AOTI426" not in {one.code for one in lint_files(tmp_path / "run", {"a.py": text}, torch="2.13")}


@pytest.mark.parametrize(
    "setting",
    [
        "self.n = 4",
        "self.q, self.n = 3, 4",
        "(self.q,\n         self.n) = 3, 4",
        "setattr(self, 'n', 4)",
        "self.__dict__.update(n=4)",
    ],
)
@pytest.mark.parametrize("use", ["", "\n\ndef prepare():\n    return Layer().pack()\n"])
def test_what_another_method_sets_is_not_known_to_be_none(setting: str, use: str, tmp_path: Path) -> None:
    text = f"""import torch

@torch.library.custom_op("mylib::scaled", mutates_args=())
def scaled(x: torch.Tensor, sizes: list[int]) -> torch.Tensor:
    return x * sizes[1]

@scaled.register_fake
def _(x, sizes):
    return torch.empty_like(x)

class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = None
    def pack(self):
        {setting}
        return self
    def run(self, x):
        return scaled(x, [1, self.n])
{use}"""
    assert not [one for one in lint_files(tmp_path / "run", {"a.py": text}, torch="2.13") if one.code == "AOTI426"]
    never = text.replace(setting, "pass").replace(use, "")
    assert [one.code for one in lint_files(tmp_path / "never", {"a.py": never}, torch="2.13")] == ["AOTI426"]
