"""AOTI304 to AOTI314, AOTI317: each line was run on torch 2.13, where those of `RAISED` raise and the others do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """
import collections
import dataclasses
import typing
import torch
from torch.export import Dim, export
class One(torch.nn.Module):
    def forward(self, x):
        return x.relu()
class Two(torch.nn.Module):
    def forward(self, x, y):
        return x.sum(-1), y.sum(-1)
class Heir(Two):
    pass
class Optional(torch.nn.Module):
    def forward(self, x, y=None, *, z=None):
        return x + 1 if z is None else x + z
class Rest(torch.nn.Module):
    def forward(self, x, *rest):
        return x + 1, rest[0] + 1
class Named(torch.nn.Module):
    def forward(self, x, *more, flag=None, **kw):
        return x + 1, [value + 1 for value in kw.values()]
class Passing(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, *args, **kwargs):
        return self.inner(*args, **kwargs)
class Box(torch.nn.Module):
    def forward(self, box):
        return box["a"] + 1, box["b"] + 1
class Row(torch.nn.Module):
    def forward(self, row):
        return row[0] + 1, row[1] + 1
class Times(torch.nn.Module):
    def forward(self, x, n):
        return x * n
class Flag(torch.nn.Module):
    def forward(self, x, flag, word):
        return x + 1 if flag else x
@dataclasses.dataclass
class Record:
    a: torch.Tensor
    b: typing.Optional[torch.Tensor] = None
@dataclasses.dataclass
class Nested:
    one: Record
    n: int
for kind in (Record, Nested):
    torch.export.register_dataclass(kind)
class Keyless:
    def __init__(self, a, b):
        self.a, self.b = a, b
torch.utils._pytree.register_pytree_node(Keyless, lambda k: ([k.a, k.b], None), lambda p, _: Keyless(*p))
class OfRecord(torch.nn.Module):
    def forward(self, box):
        return box.a + 1 if box.b is None else box.a + box.b
class OfNested(torch.nn.Module):
    def forward(self, box):
        return box.one.a + box.n
Pair = collections.namedtuple("Pair", "a b")
class OfPair(torch.nn.Module):
    def forward(self, pair):
        return pair.a + 1, pair.b + 1
b = Dim("b", min=2, max=64)
x, y = torch.randn(4, 8), torch.randn(4, 8)
"""

RAISED = {
    "AOTI304": [
        "c = torch.export.ShapesCollection(); c[torch.zeros_like(x)] = {0: b}; export(One(), (x,), dynamic_shapes=c)",
        "c = torch.export.ShapesCollection(); c[x.clone()] = {0: b}; export(One(), (x,), dynamic_shapes=c)",
        "c = torch.export.ShapesCollection(); c[x.detach()] = {0: b}; export(One(), (x,), dynamic_shapes=c)",
        "c = torch.export.ShapesCollection(); c[x] = {0: b}; export(One(), (x.clone(),), dynamic_shapes=c)",
        'export(Two(), (x, y), dynamic_shapes={"x": {0: b}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: b}, "y": None})',
        'export(Optional(), (x,), dynamic_shapes={"x": {0: b}, "y": None})',
        'export(Optional(), (x,), {"y": None}, dynamic_shapes={"x": {0: b}})',
        'export(Heir(), (x, y), dynamic_shapes={"x": {0: b}, "z": {0: b}})',
        'export(Rest(), (x, y), dynamic_shapes={"x": {0: b}, "y": {0: b}})',
        'export(Box(), ({"a": x, "b": y},), dynamic_shapes={"a": {0: b}, "b": {0: b}})',
        'export(Box(), ({"a": x, "b": y},), dynamic_shapes={"box": {"a": {0: b}}})',
        "export(One(), (x,), dynamic_shapes={0: b})",
        'export(torch.nn.Linear(8, 8), (x,), dynamic_shapes={"x": {0: b}})',
        'export(One(), (x,), dynamic_shapes={"y": {0: b}}, strict=True)',
        'torch.export.draft_export(One(), (x,), dynamic_shapes={"y": {0: b}})',
    ],
    "AOTI305": [
        "export(Two(), (x, y), dynamic_shapes=({0: b},))",
        "export(Rest(), (x, y), dynamic_shapes=({0: b}, {0: b}))",
        'export(Rest(), (x, y), dynamic_shapes={"x": {0: b}, "rest": [{0: b}]})',
        'export(Box(), ({"a": x, "b": y},), dynamic_shapes={"box": None})',
        'export(Row(), ([x, y],), dynamic_shapes={"row": None})',
        'export(Row(), ([x, y],), dynamic_shapes={"row": ({0: b}, {0: b})})',
        'export(Row(), ((x, y),), dynamic_shapes={"row": [{0: b}, {0: b}]})',
        'export(Row(), ([x, y],), dynamic_shapes={"row": [{0: b}]})',
        'export(Row(), ([x, y],), dynamic_shapes={"row": {0: b}})',
        'export(OfPair(), (Pair(x, y),), dynamic_shapes={"pair": ({0: b}, {0: b})})',
        'export(OfRecord(), (Record(x, y),), dynamic_shapes={"box": ({0: b}, {0: b})})',
        'export(OfRecord(), (Record(x, y),), dynamic_shapes={"box": {"a": {0: b}, "b": {0: b}}})',
        'export(OfRecord(), (Record(x, y),), dynamic_shapes={"box": Record({0: b}, {0: b})}, strict=True)',
        'export(OfRecord(), (Record(x, y),), dynamic_shapes={"box": None})',
        'export(OfRecord(), (Record(x),), dynamic_shapes={"box": [{0: b}, None]})',
        'export(OfRecord(), (Record(x),), dynamic_shapes={"box": {0: b}})',
        'export(OfNested(), (Nested(Record(x), 3),), dynamic_shapes={"box": [{0: b}, None]})',
        'export(OfNested(), (Nested(Record(x), 3),), dynamic_shapes={"box": [[{0: b}]]})',
    ],
    "AOTI317": [
        "export(OfRecord(), (Keyless(x, y),))",
        "export(OfRecord(), (Keyless(x, y),), strict=True)",
        *(
            f"class Ours({base}): pass\nexport(Box(), (Ours({given}),), strict={strict})"
            for strict in (False, True)
            for base, given in (
                ("dict", "{'a': x, 'b': y}"),
                ("collections.OrderedDict", "a=x, b=y"),
                ("list", "[x, y]"),
                ("tuple", "(x, y)"),
                ("collections.defaultdict", "list, a=x, b=y"),
                ("collections.deque", "[x, y]"),
            )
        ),
    ],
    "AOTI306": [
        'export(One(), (x,), dynamic_shapes={"x": {2: b}})',
        'export(One(), (x,), dynamic_shapes={"x": {2: 4}})',
        'export(One(), (x,), dynamic_shapes={"x": {-3: b}})',
        'export(One(), (torch.tensor(1.0),), dynamic_shapes={"x": {0: b}})',
        'export(One(), (x,), dynamic_shapes={"x": (b,)})',
        'export(One(), (x,), dynamic_shapes={"x": (b, None, None)})',
    ],
    "AOTI307": [
        'export(One(), (x,), dynamic_shapes={"x": b})',
        'export(One(), (x,), dynamic_shapes={"x": 4})',
        'export(One(), (x,), dynamic_shapes={"x": {"0": b}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: True}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: 1.5}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: (2, 64)}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: Dim}})',
        "export(Times(), (x, 3), dynamic_shapes=({0: b}, b))",
        "export(Times(), (x, 3), dynamic_shapes=({0: b}, {}))",
        "export(Times(), (x, 3.0), dynamic_shapes=({0: b}, Dim.DYNAMIC))",
        "export(Flag(), (x, True, 'a'), dynamic_shapes=({0: b}, {}, None))",
        "export(Flag(), (x, True, 'a'), dynamic_shapes=({0: b}, None, Dim.DYNAMIC))",
        "export(Optional(), (x, None), dynamic_shapes=({0: b}, {}))",
    ],
    "AOTI308": [
        'export(One(), (x,), dynamic_shapes={"x": {0: Dim("c", min=8, max=64)}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: Dim("c", min=2, max=3)}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: 5}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: -1}})',
        'export(One(), (x,), dynamic_shapes={"x": (b, 16)})',
        'export(One(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: 2 * Dim("d", max=2)}})',
        'torch.export.draft_export(One(), (x,), dynamic_shapes={"x": {0: Dim("c", min=8)}})',
    ],
    "AOTI309": ["Dim('c', min=4, max=4)", "Dim('c', min=4, max=2)", "Dim('c', max=0)", "torch.export.dims('c', max=0)"],
    "AOTI310": ["Dim('batch size')", "Dim('0b')", "Dim('batch-size')", "Dim('')", "torch.export.dims('a', 'b c')"],
    "AOTI311": [
        'export(Two(), (x, torch.randn(6, 8)), dynamic_shapes={"x": {0: b}, "y": {0: b}})',
        'export(Two(), (x, torch.randn(6, 8)), dynamic_shapes={"x": {0: b}, "y": {0: b}}, strict=True)',
        'export(One(), (x,), dynamic_shapes={"x": {0: b, 1: b}})',
        'export(Two(), (x, torch.randn(6, 8)), dynamic_shapes={"x": {0: b}, "y": {0: Dim("b", min=2, max=64)}})',
    ],
    "AOTI312": [
        'export(Two(), (x, y), dynamic_shapes={"x": {0: b}, "y": {0: Dim("b", min=2, max=32)}})',
        'export(Two(), (x, y), dynamic_shapes={"x": {0: Dim("c")}, "y": {0: Dim("c", min=1)}})',
    ],
    "AOTI313": [
        'export(One(), (torch.randn(5, 8),), dynamic_shapes={"x": {0: 2 * Dim("d")}})',
        'export(One(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: 2 * Dim("d") + 1}})',
        'export(Two(), (x, torch.randn(6, 8)), dynamic_shapes={"x": {0: b}, "y": {0: b + 1}})',
        'export(Two(), (torch.randn(6, 8), x), dynamic_shapes={"x": {0: 2 * b}, "y": {0: b}})',
        'export(Two(), (torch.randn(6, 8), torch.randn(6, 8)), dynamic_shapes={"x": {0: 2 * b}, "y": {0: b + 1}})',
        'export(One(), (torch.randn(2, 8),), dynamic_shapes={"x": {0: 2 * Dim("d")}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: Dim("d") - 1}})',
        'export(One(), (x,), dynamic_shapes={"x": {0: 2 * Dim("d", min=1) - 4}})',
        'export(Two(), (x, torch.randn(7, 8)), dynamic_shapes={"x": {0: b - 3}, "y": {0: b}}, strict=True)',
    ],
    "AOTI340": [
        'export(Named(), (x,), {"y": y}, dynamic_shapes={"x": {0: b}, "kw": {"y": {0: b}}})',
        'export(Named(), (x,), {"y": y}, dynamic_shapes={"x": {0: Dim.AUTO}, "kw": {"y": None}})',
        'export(Named(), (x,), {"y": y}, dynamic_shapes=({0: b}, {"y": {0: b}}))',
        'export(Named(), (x,), {"y": y, "kw": x}, dynamic_shapes={"x": {0: b}, "kw": {"y": None, "kw": None}})',
        'export(Named(), (x,), {"y": y}, dynamic_shapes={"x": {0: b}, "kw": {"y": None}}, strict=True)',
        'export(Named(), (x, y), {"n": y, "flag": None}, '
        'dynamic_shapes={"x": {0: b}, "more": (None,), "flag": None, "kw": {"n": None}})',
        'export(Passing(Two()), (x,), {"y": y}, dynamic_shapes={"args": ({0: b},), "kwargs": {"y": {0: b}}})',
        'torch.export.draft_export(Named(), (x,), {"y": y}, dynamic_shapes={"x": {0: b}, "kw": {"y": None}})',
    ],
    "AOTI341": [
        "b * b",
        "b / 2",
        "b // 2",
        "2 // b",
        "b % 2",
        "b ** 2",
        "-b",
        "2 - b",
        "b * 0",
        "-2 * b",
        "b * 1.5",
        "b + 1.0",
        "b + b",
        "b - b",
        "b + True",
        "b + None",
        "b * '2'",
        "(b + 1) * b",
        "Dim.AUTO * 2",
        "1 + Dim.DYNAMIC",
        "Dim.DYNAMIC(max=4) - 1",
        "half = lambda dim: dim / 2; half(b)",
        "[dim // 2 for dim in torch.export.dims('p')]",
        "export(One(), (x,), dynamic_shapes={'x': {0: Dim('d') * 0.5}})",
        "b += b",
    ],
}
SILENT = {
    "AOTI306": [
        'export(One(), (x,), dynamic_shapes={"x": {2: Dim.AUTO}})',
        'export(One(), (x,), dynamic_shapes={"x": {2: Dim.DYNAMIC}})',
        'export(One(), (x,), dynamic_shapes={"x": {-1: Dim.AUTO}})',
        'export(One(), (x,), dynamic_shapes={"x": {-1: Dim.DYNAMIC}})',
    ],
    "AOTI314": [
        'export(export(One(), (x,), dynamic_shapes={"x": {0: b}}).module(), (x,))',
    ],
}
RIGHT = [
    'export(OfRecord(), (Record(x, y),), dynamic_shapes={"box": [{0: b}, {0: b}]})',
    "export(OfRecord(), (Record(x, y),), dynamic_shapes=([[b, None], [b, None]],), strict=True)",
    'export(OfRecord(), (Record(x),), dynamic_shapes={"box": [{0: b}]})',
    'export(OfNested(), (Nested(Record(x), 3),), dynamic_shapes={"box": [[{0: b}], None]})',
    "export(OfRecord(), (Record(x, y),))",
    'export(One(), (x,), dynamic_shapes={"x": {0: b}})',
    "export(One(), (x,), dynamic_shapes=[{0: b}])",
    "export(One(), (x,), dynamic_shapes={})",
    "export(One(), (x,), dynamic_shapes=())",
    'export(Heir(), (x, y), dynamic_shapes={"y": {0: b}, "x": {0: b}})',
    'export(Optional(), (x,), dynamic_shapes={"x": {0: b}})',
    'export(Optional(), (x,), {"z": y}, dynamic_shapes={"x": {0: b}, "z": {0: b}})',
    'export(Optional(), (x,), {"z": y}, dynamic_shapes=({0: b}, {0: b}))',
    'export(Two(), (), {"y": y, "x": torch.randn(4, 8, 2)}, dynamic_shapes=({0: b, 2: 2}, {0: b}))',
    "export(Rest(), (x, y), dynamic_shapes=({0: b}, ({0: b},)))",
    'export(Rest(), (x, y), dynamic_shapes={"x": {0: b}, "rest": ({0: b},)})',
    'export(Box(), ({"a": x, "b": y},), dynamic_shapes={"box": {"b": None, "a": {0: b}}})',
    'export(Row(), ([x, y],), dynamic_shapes={"row": [{0: b}, {0: b}]})',
    "export(Row(), ([x, y],), dynamic_shapes=([None, None],))",
    'export(OfPair(), (Pair(x, y),), dynamic_shapes={"pair": Pair({0: b}, {0: b})})',
    "export(Times(), (x, 3), dynamic_shapes=({0: b}, None))",
    "export(Times(), (x, 3), dynamic_shapes=({0: b}, Dim.DYNAMIC))",
    "export(Flag(), (x, True, 'a'), dynamic_shapes=({0: b}, None, None))",
    "export(Optional(), (x, None), dynamic_shapes=({0: b}, None))",
    'export(One(), (x,), dynamic_shapes={"x": [b, 8]})',
    'export(One(), (x,), dynamic_shapes={"x": {0: 4}})',
    'export(One(), (x,), dynamic_shapes={"x": {2: None}})',
    'export(One(), (x,), dynamic_shapes={"x": {2: Dim.STATIC}})',
    'export(One(), (x,), dynamic_shapes={"x": {-1: None}})',
    'export(One(), (x,), dynamic_shapes={"x": {-1: 8}})',
    'export(One(), (x,), dynamic_shapes={"x": [Dim.AUTO] * 2})',
    'export(torch.nn.Sequential(torch.nn.Linear(8, 8)), (x,), dynamic_shapes={"input": {0: b}})',
    'export(One(), (x,), dynamic_shapes={"x": {0: Dim("c", min=2, max=4)}})',
    'export(One(), (x,), dynamic_shapes={"x": {0: Dim("c", min=4, max=64)}})',
    'export(One(), (x,), dynamic_shapes={"x": {0: Dim.DYNAMIC(min=8, max=64)}})',
    'export(One(), (x,), dynamic_shapes={"x": {0: Dim.AUTO(max=3)}})',
    "Dim('c', max=1)",
    "Dim('c', min=0)",
    "Dim('lambda')",
    'export(Two(), (x, y), dynamic_shapes={"x": {0: Dim("c")}, "y": {0: Dim("c", min=0)}})',
    'export(Two(), (x, y), dynamic_shapes={"x": {0: b}, "y": {0: Dim("b", min=2, max=64)}})',
    'export(One(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: 2 * Dim("d")}})',
    'export(Two(), (x, torch.randn(5, 8)), dynamic_shapes={"x": {0: b}, "y": {0: b + 1}})',
    'export(Two(), (torch.randn(6, 8), x), dynamic_shapes={"x": {0: 2 * b}, "y": {0: b + 1}})',
    'export(One(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: Dim("d", min=3) - 1}})',
    'torch.export.draft_export(Two(), (x, torch.randn(6, 8)), dynamic_shapes={"x": {0: b}, "y": {0: b}})',
    'export(export(One(), (x,), dynamic_shapes={"x": {0: b}}).module(), (x,), dynamic_shapes={"x": {0: b}})',
    "export(export(One(), (x,)).module(), (x,))",
    'export(Named(), (x,), {"y": y})',
    'export(Named(), (x,), {"y": y}, dynamic_shapes={})',
    'export(Named(), (x,), {"flag": y}, dynamic_shapes={"x": {0: b}, "flag": None})',
    'export(Named(), (x,), {"kw": y}, dynamic_shapes={"x": {0: b}, "kw": {"kw": None}})',
    'export(Passing(Two()), (x, y), dynamic_shapes={"args": ({0: b}, {0: b})})',
    "2 * (b + 1) * 3 - 2",
    "sum([b, 1])",
    "b - b.min",
    "b.max // 2",
    "b.__name__ + '2'",
    "f'{b}'",
    "b == 2",
]

# What must be left alone, with what stands before it.
TRAPS = {
    "a class that is registered without its name": (
        "class Ours(dict): pass\nfor one in dict.__subclasses__():\n    if one is Ours:\n"
        "        torch.utils._pytree.register_pytree_node(one, lambda d: (list(d.values()), list(d)), "
        "lambda v, c: Ours(zip(c, v)), flatten_with_keys_fn=lambda d: ("
        "[(torch.utils._pytree.MappingKey(k), v) for k, v in d.items()], list(d)))\n",
        "export(Box(), (Ours(a=x, b=y),))",
    ),
    "a dict whose heirs are registered": (
        "class Output(collections.OrderedDict):\n    def __init_subclass__(cls):\n"
        "        torch.utils._pytree.register_pytree_node(cls, lambda d: (list(d.values()), list(d)), "
        "lambda v, c: cls(zip(c, v)), flatten_with_keys_fn=lambda d: ("
        "[(torch.utils._pytree.MappingKey(k), v) for k, v in d.items()], list(d)))\n"
        "class Ours(Output): pass\n",
        "export(Box(), (Ours(a=x, b=y),))",
    ),
    "a dict that is registered by a function": (
        "class Ours(dict): pass\ndef register(cls):\n"
        "    torch.utils._pytree.register_pytree_node(cls, lambda d: (list(d.values()), list(d)), "
        "lambda v, c: cls(zip(c, v)), flatten_with_keys_fn=lambda d: ("
        "[(torch.utils._pytree.MappingKey(k), v) for k, v in d.items()], list(d)))\n"
        "for one in [Ours]:\n    register(one)\n",
        "export(Box(), (Ours(a=x, b=y),))",
    ),
    "a named tuple with an heir": ("class Ours(Pair): pass\n", "export(OfPair(), (Ours(x, y),))"),
    "a forward given to the instance": (
        "model = One()\nmodel.forward = lambda inp: inp + 1\n",
        'export(model, (x,), dynamic_shapes={"inp": {0: b}})',
    ),
    "a forward under a decorator": (
        "from somewhere import renaming\nclass Other(torch.nn.Module):\n    @renaming\n    def forward(self, x):\n"
        "        return x\n",
        'export(Other(), (x,), dynamic_shapes={"inp": {0: b}})',
    ),
    "a forward of an unknown base": (
        "from somewhere import Base\nclass Other(Base, One):\n    pass\n",
        'export(Other(), (x,), dynamic_shapes={"inp": {0: b}})',
    ),
    "an unknown model": (
        "from somewhere import model\n",
        'export(model, (x, y), dynamic_shapes={"a": {0: b}, "b": {0: b}})',
    ),
    "an unknown model that takes *args": (
        "from somewhere import model\n",
        "export(model, (x,), dynamic_shapes=(({0: b},),))",
    ),
    "unknown arguments": (
        "from somewhere import inputs, shapes\n",
        "export(One(), inputs, dynamic_shapes={'x': {0: b}}); export(One(), (x,), dynamic_shapes=shapes)",
    ),
    "a handler": (
        "",
        'try:\n    export(Two(), (x, y), dynamic_shapes={"x": {0: b}})\nexcept Exception:\n    pass',
    ),
    "a test that demands it": (
        "import pytest\n",
        "with pytest.raises(AssertionError):\n    Dim('c', min=4, max=2)",
    ),
    "shapes that fit the inputs in each case": (
        "import sys\nmany = len(sys.argv) > 1\nargs = (x, y) if many else (x,)\n"
        "spec = ({0: b}, {0: b}) if many else ({0: b},)\n",
        "export(Two() if many else One(), args, dynamic_shapes=spec)",
    ),
    "ranges from the command line": (
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--least', type=int)\n"
        "least = parser.parse_args().least\n",
        'export(One(), (x,), dynamic_shapes={"x": {0: Dim("c", min=least)}})',
    ),
    "a collection for inputs in lists and named tuples": (
        "rows, pair, collection = [x, y], Pair(x, y), torch.export.ShapesCollection\n"
        "of_rows, of_pair = collection(), collection()\n"
        "of_rows[x] = of_rows[y] = of_pair[x] = of_pair[y] = {0: b}\n",
        "export(Row(), (rows,), dynamic_shapes=of_rows); export(OfPair(), (pair,), dynamic_shapes=of_pair)",
    ),
    "a tensor that was contiguous already is itself": (
        "c = torch.export.ShapesCollection()\nc[x.contiguous()] = {0: b}\n",
        "export(One(), (x,), dynamic_shapes=c)",
    ),
    "a copy that is an input": (
        "z, c = x.clone(), torch.export.ShapesCollection()\nc[z.contiguous()] = {0: b}\n",
        "export(Two(), (x, z), dynamic_shapes=c)",
    ),
    "additional inputs in lists": (
        "more = torch.export.AdditionalInputs()\nmore.add(([torch.randn(6, 8), torch.randn(6, 8)],))\n",
        "export(Row(), ([x, y],), dynamic_shapes=more)",
    ),
    "entries made for the inputs": (
        "inputs = {'x': x, 'y': y}\n",
        "export(Two(), (), inputs, dynamic_shapes={name: {0: b} for name in inputs})",
    ),
}


def said(folder: Path, line: str, before: str = "") -> list[tuple[str, str]]:
    """Code and severity of what is said of an export, without advice."""
    text = f"{HEAD}{before}{line}\n"
    return [
        (one.code, one.severity)
        for one in lint_files(folder / "run", {"script.py": text}, torch="2.13")
        if one.severity != "info" and one.code != "AOTI352"  # the inputs may be one tensor here
    ]


@pytest.mark.parametrize(("code", "line"), [(code, line) for code, lines in RAISED.items() for line in lines])
def test_what_raises(code: str, line: str, tmp_path: Path) -> None:
    assert said(tmp_path, line) == [(code, "error")]


@pytest.mark.parametrize(("code", "line"), [(code, line) for code, lines in SILENT.items() for line in lines])
def test_what_is_lost_in_silence(code: str, line: str, tmp_path: Path) -> None:
    assert said(tmp_path, line) == [(code, "warning")]


@pytest.mark.parametrize("line", RIGHT)
def test_what_is_right(line: str, tmp_path: Path) -> None:
    assert said(tmp_path, line) == []


@pytest.mark.parametrize("name", TRAPS)
def test_what_only_looks_wrong(name: str, tmp_path: Path) -> None:
    before, line = TRAPS[name]
    assert said(tmp_path, line, before) == []


def test_decorators_that_keep_the_parameters(tmp_path: Path) -> None:
    before = (
        "import functools\ndef logged(function):\n    @functools.wraps(function)\n    def run(*args, **kwargs):\n"
        "        return function(*args, **kwargs)\n    return run\n"
        "class Other(torch.nn.Module):\n    @logged\n    @torch.no_grad()\n    def forward(self, x):\n"
        "        return x + 1\n"
    )
    line = 'export(Other(), (x,), dynamic_shapes={"inp": {0: b}})'
    assert said(tmp_path, line, before) == [("AOTI304", "error")]


def test_a_fault_on_one_side_of_a_condition_is_no_error(tmp_path: Path) -> None:
    before = "import sys\nspec = ({0: b},) if len(sys.argv) > 1 else ({0: b}, {0: b})\n"
    assert all(
        severity == "warning" for _, severity in said(tmp_path, "export(Two(), (x, y), dynamic_shapes=spec)", before)
    )
