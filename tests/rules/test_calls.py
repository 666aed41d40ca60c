"""AOTI330 to AOTI337: calls of packages and of `ep.module()`, each run on torch 2.13.

Each line is a call of what stands before it. `BAD` are those that raise, or are silently wrong; a line of `GOOD` works.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """
import collections
import os
import sys
import torch
from torch.export import Dim, export

def load(program):
    path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
    return torch._inductor.aoti_load_package(path)

class Scale(torch.nn.Module):
    def forward(self, x, k=2.0):
        return x * k
class Times(torch.nn.Module):
    def forward(self, x, k):
        return x * k
class Flag(torch.nn.Module):
    def forward(self, x, mode="a", flip: bool = False):
        return (x * 2 if mode == "a" else x * 3) * (-1 if flip else 1)
class Deep(torch.nn.Module):
    def forward(self, x, sizes):
        return x * sizes["k"]
class Mixed(torch.nn.Module):
    def forward(self, parts):
        return parts["x"] * parts["scale"]
class Unused(torch.nn.Module):
    def forward(self, x, k=3):
        return x * 2
class Maybe(torch.nn.Module):
    def forward(self, x, y=None):
        return x * 2 if y is None else x * 2 + y * 3
class One(torch.nn.Module):
    def forward(self, x):
        return x * 2
class Two(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y * 2
class Box(torch.nn.Module):
    def forward(self, b):
        return b["x"] * 2 + b["y"] * 3
class Row(torch.nn.Module):
    def forward(self, p):
        return p[0] * 2 + p[1] * 3
class Rest(torch.nn.Module):
    def forward(self, *xs):
        return xs[0] * 2 + xs[1] * 3
Pair = collections.namedtuple("Pair", "a b")
x, y, m = torch.randn(4), torch.randn(4), torch.randn(4, 4)
batch = Dim("batch", min=4, max=64)
scale, default = export(Scale(), (x, 2.0)), export(Scale(), (x,))
times, named = export(Times(), (x, 2)), export(Scale(), (x,), {"k": 2.0})
deep = export(Deep(), (x, {"k": 2}))
mixed = export(Mixed(), ({"x": x, "scale": 2.0},))
open_times = export(Times(), (x, 2), dynamic_shapes={"x": None, "k": Dim.DYNAMIC})
open_deep = export(Deep(), (x, {"k": 2}), dynamic_shapes={"x": None, "sizes": {"k": Dim.DYNAMIC}})
more, alike = torch.export.AdditionalInputs(), torch.export.AdditionalInputs()
more.add((x, 3))
alike.add((x, 2))
more_times = export(Times(), (x, 2), dynamic_shapes=more)
alike_times = export(Times(), (x, 2), dynamic_shapes=alike)
flag, flags = export(Flag(), (x, "a", False)), export(Flag(), (x,), {"mode": "a"})
unused, none, some = export(Unused(), (x, 3)), export(Maybe(), (x, None)), export(Maybe(), (x, y))
one, half, ints = export(One(), (m,)), export(One(), (m.half(),)), export(One(), (torch.arange(16).reshape(4, 4),))
image = export(One(), (torch.randn(2, 3, 8, 8),))
rows = export(One(), (torch.randn(8, 4),), dynamic_shapes={"x": {0: batch}})
loose = export(One(), (torch.randn(8, 4),), dynamic_shapes={"x": {0: Dim("loose")}})
hinted = export(One(), (torch.randn(6, 4),), dynamic_shapes={"x": {0: Dim.DYNAMIC(min=4, max=8)}})
low = export(One(), (torch.randn(8, 4),), dynamic_shapes={"x": {0: Dim("low", min=2, max=64)}})
both = export(Two(), (torch.randn(8, 3), torch.randn(8, 3)), dynamic_shapes={"x": {0: batch}, "y": {0: batch}})
twice = export(Two(), (torch.randn(8, 3), torch.randn(16, 3)), dynamic_shapes={"x": {0: batch}, "y": {0: 2 * batch}})
even = export(One(), (torch.randn(6, 4),), dynamic_shapes={"x": {0: 2 * Dim("half", min=2, max=8)}})
box, row, pair = export(Box(), ({"x": x, "y": y},)), export(Row(), ((x, y),)), export(Row(), ([x, y],))
rest = export(Rest(), (x, y))
"""

BAD = {
    "AOTI330": [
        "load(scale)(x, 3.0)",
        "load(scale)(x, True)",
        "load(default)(x, 3.0)",
        "load(named)(x, k=3.0)",
        "load(times)(x, 5)",
        "load(flag)(x, 'b', False)",
        "load(flag)(x, 'a', True)",
        "scale.module()(x, 3.0)",
        "named.module()(x, k=3.0)",
        "flag.module()(x, 'b', False)",
        "unused.module()(x, 4)",
        "none.module()(x, y)",
        "deep.module()(x, {'k': 5})",
        "load(deep)(x, {'k': 5})",
        "alike_times.module()(x, 5)",
        "k = 3.0\nf = load(scale)\ncall = lambda t: f(t, k)\ncall(x)",
        "for k in (2.0, 3.0):\n    load(scale)(x, k)",
    ],
    "AOTI331": [
        "load(one)(m.long())",
        "load(one)(m.double())",
        "load(one)(m.half())",
        "load(one)(m > 0)",
        "load(half)(m)",
        "load(half)(m.bfloat16())",
        "load(ints)(torch.ones(4, 4))",
        "load(ints)(torch.ones(4, 4, dtype=torch.int32))",
    ],
    "AOTI332": [
        "load(one)(m.t())",
        "load(one)(m.T)",
        "load(one)(m.transpose(0, 1))",
        "load(one)(torch.zeros(4, 8)[:, ::2])",
        "load(one)(torch.zeros(8, 4)[::2])",
        "load(one)(torch.zeros(4, 8)[:, :4])",
        "load(one)(torch.zeros(4, 1).expand(4, 4))",
        "load(one)(torch.zeros(4).expand(4, 4))",
        "load(one)(torch.zeros(4, 8).chunk(2, dim=1)[0])",
        "load(one)(torch.zeros(4, 4, 2).unbind(-1)[0])",
        "load(one)(m.t().abs() * 2 - torch.zeros(4))",
        "load(rows)(torch.zeros(8, 8)[:, :4])",
        "load(image)(torch.rand(2, 8, 8, 3).permute(0, 3, 1, 2))",
        "load(image)(torch.rand(2, 3, 8, 8).to(memory_format=torch.channels_last))",
    ],
    "AOTI333": [
        "load(rows)(torch.zeros(3, 4))",
        "load(rows)(torch.zeros(65, 4))",
        "load(hinted)(torch.zeros(9, 4))",
        "load(low)(torch.zeros(1, 4))",
        "rows.module()(torch.zeros(3, 4))",
        "rows.module()(torch.zeros(65, 4))",
        "hinted.module()(torch.zeros(3, 4))",
        "twice.module()(torch.zeros(65, 3), torch.zeros(130, 3))",
    ],
    "AOTI334": [
        "load(both)(torch.zeros(8, 3), torch.zeros(5, 3))",
        "load(twice)(torch.zeros(8, 3), torch.zeros(8, 3))",
        "load(twice)(torch.zeros(8, 3), torch.zeros(15, 3))",
        "load(even)(torch.zeros(7, 4))",
        "both.module()(torch.zeros(8, 3), torch.zeros(5, 3))",
        "twice.module()(torch.zeros(8, 3), torch.zeros(15, 3))",
    ],
    "AOTI335": [
        "load(one)(x=m)",
        "load(one)()",
        "load(one)(m, m)",
        "load(one)(None)",
        "load(scale)(x, k=2.0)",
        "load(scale)(x, torch.tensor(2.0))",
        "load(named)(x, 2.0)",
        "load(named)(x)",
        "load(flags)(x, mode='a', flip=False)",
        "load(none)(x, y)",
        "load(some)(x, None)",
        "load(some)(x)",
        "load(box)({'y': y, 'x': x})",
        "load(box)({'x': x})",
        "load(box)({'x': x, 'z': y})",
        "load(box)(b={'x': x, 'y': y})",
        "load(rest)(x, y, x)",
        "one.module()([m])",
        "one.module()(None)",
        "scale.module()(x)",
        "default.module()(x, 2.0)",
        "row.module()([x, y])",
        "row.module()(Pair(x, y))",
        "pair.module()((x, y))",
        "some.module()(x, None)",
        "box.module()({'x': x, 'z': y})",
        "rest.module()((x, y))",
    ],
}

GOOD = [
    "load(scale)(x, 2.0)",
    "load(scale)(x, 2)",
    "load(scale)(x)",
    "load(default)(x, 2.0)",
    "load(default)(x)",
    "load(times)(x, 2.0)",
    "load(named)(x, k=2.0)",
    "load(flag)(x, 'a', 0)",
    "load(flag)(x, 'a')",
    "load(unused)(x, 4)",
    "scale.module()(x, 2)",
    "flag.module()(x, 'a', 0)",
    "none.module()(x, None)",
    "load(one)(m)",
    "load(one)([m])",
    "load(one)(torch.nn.Parameter(m))",
    "load(one)(m.t().contiguous())",
    "load(one)(torch.zeros(8, 4)[4:])",
    "load(one)(torch.zeros(2, 4, 4)[0])",
    "load(one)(m.double().float())",
    "load(ints)(torch.arange(16).reshape(4, 4))",
    "load(image)(torch.rand(2, 8, 8, 3).permute(0, 3, 1, 2).contiguous())",
    "load(rows)(torch.zeros(4, 4))",
    "load(rows)(torch.zeros(64, 4))",
    "load(loose)(torch.zeros(1, 4))",
    "load(loose)(torch.zeros(100, 4))",
    "one.module()(m.long())",
    "one.module()(m.t())",
    "low.module()(torch.zeros(1, 4))",
    "hinted.module()(torch.zeros(8, 4))",
    "load(both)(torch.zeros(9, 3), torch.zeros(9, 3))",
    "load(twice)(torch.zeros(8, 3), torch.zeros(16, 3))",
    "even.module()(torch.zeros(7, 4))",
    "open_times.module()(x, 5)",
    "more_times.module()(x, 5)",
    "load(mixed)({'scale': 2.0, 'x': x})",
    "open_deep.module()(x, {'k': 5})",
    "load(box)({'x': x, 'y': y})",
    "box.module()({'y': y, 'x': x})",
    "load(row)((x, y))",
    "load(row)([x, y])",
    "load(rest)(x, y)",
    "load(one).loader.run([m])",
    "load(scale).loader.run([x])",
    # What nobody can know.
    "load(scale)(x, float(sys.argv[1]))",
    "load(one)(unknown(m))",
    "load(one)(*sys.argv)",
    "load(scale)(x, *sys.argv)",
    "load(scale)(x, **dict(os.environ))",
    "try:\n    scale.module()(x, 3.0)\nexcept AssertionError:\n    pass",
    "def call(*args, **kwargs):\n    return f(*args, **kwargs)\nf = load(scale)\ncall(x, 2.0)",
    # The first export raises.
    "try:\n    tried = export(One(), (torch.ones(2, 4),), dynamic_shapes={'x': {0: batch}})\n"
    "except Exception:\n    tried = export(One(), (torch.ones(2, 4),))\ntried.module()(torch.ones(2, 4))",
    "os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'\ntry:\n    load(one)(m.half())\nexcept RuntimeError:\n    pass",
]


def said(folder: Path, call: str) -> list[str]:
    """The codes that are said aloud of a call."""
    found = lint_files(folder / "run", {"serve.py": f"{HEAD}\n{call}\n"})
    return sorted({item.code for item in found if item.severity != "info"})


@pytest.mark.parametrize(("code", "call"), [(code, call) for code, calls in BAD.items() for call in calls])
def test_bad(code: str, call: str, tmp_path: Path) -> None:
    assert said(tmp_path, call) == [code]


@pytest.mark.parametrize("call", GOOD)
def test_good(call: str, tmp_path: Path) -> None:
    assert said(tmp_path, call) == []


def test_a_wrapper_hands_its_arguments_on(tmp_path: Path) -> None:
    wrapper = "def call(*args, **kwargs):\n    return f(*args, **kwargs)\nf = load(scale)\ncall(x, 3.0)"
    assert said(tmp_path, wrapper) == ["AOTI330"]


@pytest.mark.parametrize(
    ("first", "fallback", "severity"),
    [
        ("strict=True", "", "error"),
        ("strict=True", "dynamic_shapes={'x': {0: Dim.AUTO}}", "warning"),
        ("dynamic_shapes={'x': {0: Dim.AUTO}} if unknown else None", "", None),
    ],
)
def test_a_fault_without_the_fallback_is_no_error(
    first: str, fallback: str, severity: str | None, tmp_path: Path
) -> None:
    """Who writes a fallback expects the export to raise: an error holds for what the fallback gives, too."""
    first, fallback = (f"tried = export(One(), (m,), {options})" for options in (first, fallback))
    tried = f"try:\n    {first}\nexcept Exception:\n    {fallback}"
    found = lint_files(tmp_path / "run", {"serve.py": f"{HEAD}\n{tried}\ntried.module()(torch.zeros(5, 4))\n"})
    assert [(one.code, one.severity) for one in found] == ([] if severity is None else [("AOTI301", severity)])


def test_what_the_check_finds_raises(tmp_path: Path) -> None:
    """The check of a package knows dtypes, strides and ranges; of numbers it never hears."""
    on = "os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'\n"
    calls = {
        "load(one)(m.half())": "raises at call",
        "load(one)(m.t())": "raises at call",
        "load(rows)(torch.zeros(65, 4))": "raises at call",
        "load(both)(torch.zeros(8, 3), torch.zeros(5, 3))": "raises at call",
        "load(scale)(x, 3.0)": "silently wrong",
    }
    for number, (call, outcome) in enumerate(calls.items()):
        found = lint_files(tmp_path / str(number), {"serve.py": f"{HEAD}\n{on}{call}\n"})
        severity = "warning" if "half" in call else "error"
        assert [(item.outcome, item.severity) for item in found] == [(outcome, severity)]


def test_a_release_before_compares_no_sizes(tmp_path: Path) -> None:
    call = "os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'\nload(both)(torch.zeros(8, 3), torch.zeros(5, 3))"
    found = lint_files(tmp_path / "run", {"serve.py": f"{HEAD}\n{call}\n"}, torch="2.12")
    assert [(item.code, item.outcome) for item in found] == [("AOTI334", "silently wrong")]


LOADER = """
import glob
class Rows(torch.utils.data.Dataset):
    def __init__(self, files):
        self.files = files
    def __len__(self):
        return len(self.files)
    def __getitem__(self, index):
        return torch.zeros(4)
run = load(one)
for part in torch.utils.data.DataLoader(Rows(glob.glob("*.txt")), {settings}):
    run(part)
"""


@pytest.mark.parametrize(
    ("settings", "codes"),
    [
        ("batch_size=4", [("AOTI336", "info")]),
        ("batch_size=4, shuffle=True", [("AOTI336", "info")]),
        ("batch_size=4, drop_last=True", []),
        ("batch_size=8", [("AOTI301", "warning")]),
    ],
)
def test_the_last_batch_of_an_unknown_number_of_rows(
    settings: str, codes: list[tuple[str, str]], tmp_path: Path
) -> None:
    text = HEAD + LOADER.replace("{settings}", settings)
    found = lint_files(tmp_path / "run", {"serve.py": text}, None, "2.13", "--pedantic")
    assert [(item.code, item.severity) for item in found] == codes


COMPILE = """
import torch
class Shrink(torch.nn.Module):
    def forward(self, signal, strength: float):
        return torch.relu(signal.abs() - strength)
def main():
    program = torch.export.export(Shrink(), (torch.randn(4, 8), 0.1))
    torch._inductor.aoti_compile_and_package(program, package_path="shrink.pt2")
if __name__ == "__main__":
    main()
"""
SERVE = """
import torch
class Denoiser:
    def __init__(self, path, strength):
        self.fn = torch._inductor.aoti_load_package(path)
        self.strength = strength
    def __call__(self, signal):
        return self.fn({call})
def main():
    Denoiser("shrink.pt2", strength={strength})(torch.randn(4, 8))
if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("call", "strength", "codes"),
    [
        ("signal, self.strength", "0.5", ["AOTI330"]),
        ("signal, self.strength", "0.1", []),
        ("signal, strength=self.strength", "0.1", ["AOTI335"]),
        ("signal.T.reshape(8, 4).t(), self.strength", "0.1", []),
        ("signal.double(), self.strength", "0.1", ["AOTI331"]),
    ],
)
def test_compiled_in_one_file_and_called_in_another(call: str, strength: str, codes: list[str], tmp_path: Path) -> None:
    serve = SERVE.replace("{call}", call).replace("{strength}", strength)
    found = lint_files(tmp_path / "run", {"compile.py": COMPILE, "serve.py": serve})
    assert [item.code for item in found] == codes
    assert {item.file for item in found} <= {"serve.py"}
