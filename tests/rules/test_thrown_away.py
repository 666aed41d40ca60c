"""AOTI223 and AOTI224: an exported program that is unpacked, and what is thrown away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """import torch
net = torch.nn.Linear(4, 2)
x = torch.randn(3, 4)
program = torch.export.export(net, (x,))
"""
SAVE = "\ntorch.export.save(program, 'net.pt2')"
SAID = {
    "a, b = torch.export.export(net, (x,))": "AOTI223",
    "program, *rest = program": "AOTI223",
    "program, report = torch.export.draft_export(net, (x,))": "AOTI223",
    "a, b, *_ = torch._dynamo.explain(torch.sin, x)": "AOTI223",
    "a, b = torch._dynamo.explain(torch.sin)(x)": "AOTI223",
    "torch.compile(net)\nnet(x)": "AOTI224",
    "import sys\nif len(sys.argv) > 1:\n    torch.compile(net)\nnet(x)": "AOTI224",
    "torch.compile(model=net, fullgraph=True)\nfor _ in range(3):\n    y = net(x)": "AOTI224",
    f"program.run_decompositions(){SAVE}": "AOTI224",
    "program.run_decompositions({})\ntorch._inductor.aoti_compile_and_package(program)": "AOTI224",
    "program.run_decompositions()\nfor node in program.graph.nodes:\n    print(node)": "AOTI224",
    "def show(p):\n    print(p.graph_module.code)\nprogram.run_decompositions()\nshow(program)": "AOTI224",
    "program = torch.export.load('a.pt2')\nprogram.run_decompositions()\nnodes = program.graph.nodes": "AOTI224",
    f"program = torch.export.load('other.pt2')\nprogram.run_decompositions(){SAVE}": "AOTI224",
}
SILENT = [
    "try:\n    a, b = torch.export.export(net, (x,))\nexcept TypeError:\n    pass",
    "torch.compile(fullgraph=True)",
    "torch.compile(net, mode='max-autotune')",
    "torch.compile(net, disable=True)\nnet(x)",
    "torch.compile(net)\nfast = torch.compile(net)\nfast(x)",
    "net.compile()",
    "told = torch._dynamo.explain(torch.sin)(x)\nprint(told.graphs, torch._dynamo.explain(torch.sin, x))",
    "net = torch.compile(net)",
    "torch.compile(net)(x)",
    "import pytest\nwith pytest.raises(RuntimeError):\n    torch.compile(net, mode='unheard')",
    "program.run_decompositions()",
    f"program = program.run_decompositions(){SAVE}",
    f"program.run_decompositions().module()(x){SAVE}",
    f"{SAVE}\nprogram.run_decompositions()",
    "print(program.graph)\nprogram.run_decompositions()\nprint(program.module()(x), program.graph_signature)",
    "lower = program.run_decompositions()\nprint(len(program.graph.nodes), len(lower.graph.nodes))",
]


@pytest.mark.parametrize("body", [*SAID, *SILENT])
def test_said(body: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{HEAD}{body}\n"}, torch="2.13")
    ours = [item.code for item in found if item.code in ("AOTI223", "AOTI224")]
    assert ours == ([SAID[body]] if body in SAID else [])


def test_a_draft_gave_two_in_2_6(tmp_path: Path) -> None:
    script = HEAD + "from torch.export._draft_export import draft_export\nprogram, report = draft_export(net, (x,))\n"
    assert "AOTI223" not in [item.code for item in lint_files(tmp_path / "a", {"script.py": script}, torch="2.6")]
    assert "AOTI223" in [item.code for item in lint_files(tmp_path / "b", {"script.py": script}, torch="2.7")]


FUNCTION = """import torch
import build


def run(rows, lossy, table):
    net = build.net()
    program = torch.export.export(net, (rows,))
{body}


class Holder:
    def speed_up(self):
{method}

    def forward(self, x):
        return self.net(x)
"""
PLAIN = "self.net = torch.compile(self.net)"


@pytest.mark.parametrize(
    ("body", "method", "said"),
    [
        ("if lossy:\n    torch.compile(net, mode='max-autotune')\nreturn net(rows)", PLAIN, 1),
        ("torch.compile(net)\nreturn build.measure(net, rows)", PLAIN, 1),
        ("torch.compile(build.loss)\nreturn build.loss(rows)", PLAIN, 1),
        ("program.run_decompositions(table)\nreturn build.converted(program)", PLAIN, 1),
        ("if table:\n    program.run_decompositions(table)\nreturn program.graph_module.code", PLAIN, 1),
        ("return net", "torch.compile(self.net)", 1),
        ("@skipif(lossy)\ndef test():\n    torch.compile(net)\n    return net(rows)\nreturn test", PLAIN, 1),
        ("@xfail\ndef test():\n    torch.compile(net)\n    return net(rows)\nreturn test", PLAIN, 0),
        ("torch.compile(net)\nreturn torch.export.export(net, (rows,))", PLAIN, 0),
        ("torch.compile(net)\nreturn rows", PLAIN, 0),
        ("torch.compile(net)\nnet = build.net()\nreturn net(rows)", PLAIN, 0),
        ("torch.compile(net)\nreturn torch.compile(net)", PLAIN, 0),
        ("torch.compile(net)(rows)\nreturn net(rows)", PLAIN, 0),
        ("torch.compile(net, disable=lossy)\nreturn net(rows)", PLAIN, 0),
        ("try:\n    torch.compile(net)\nexcept RuntimeError:\n    pass\nreturn net(rows)", PLAIN, 0),
        ("build.compile(net)\nreturn net(rows)", PLAIN, 0),
        ("rows.run_decompositions(table)\nreturn build.converted(rows)", PLAIN, 0),
        ("program.run_decompositions(table)\nreturn program.module()(rows)", PLAIN, 0),
        ("return net", "torch.compile(self.other)", 0),
    ],
)  # fmt: skip
def test_the_text_alone_says_so(body: str, method: str, said: int, tmp_path: Path) -> None:
    text = FUNCTION.format(body="".join(f"    {line}\n" for line in body.splitlines()), method=f"        {method}")
    found = lint_files(tmp_path / "judged", {"script.py": text}, torch="2.13")
    assert [(one.code, one.severity) for one in found if one.severity != "info"] == [("AOTI224", "warning")] * said
