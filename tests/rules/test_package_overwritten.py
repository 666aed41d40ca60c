"""AOTI228: what is loaded by the path of a package is what was written there last."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """import sys, torch
def build(model, x=torch.randn(2, 8), path="net.pt2"):
    return torch._inductor.aoti_compile_and_package(torch.export.export(model, (x,)), package_path=path)
load = torch._inductor.aoti_load_package
one, other = torch.nn.Linear(8, 4), torch.nn.Linear(8, 3)
"""
WRONG = [
    "a = build(one)\nb = build(other)\nload(a)\nload(b)",
    "a, b = build(one), build(other)\nruns = [load(path) for path in (a, b)]",
    "paths = {name: build(model) for name, model in {'a': one, 'b': other}.items()}\nload(paths['a'])",
    "a, b = build(one, path=sys.argv[1]), build(other, path=sys.argv[1])\nload(a)",
]
RIGHT = [
    "run = load(build(one))\nrun = load(build(other))",
    "path = build(one)\npath = build(other)\nload(path)",
    "a, b = build(one, path='a.pt2'), build(other, path='b.pt2')\nload(a), load(b)",
    "a, b = build(one, path=sys.argv[1]), build(other, path=sys.argv[2])\nload(a), load(b)",
    "a, b = build(one, path=None), build(other, path=None)\nload(a), load(b)",
    "a, b = build(one), build(one)\nload(a), load(b)",
    "a = build(one)\nif len(sys.argv) > 1:\n    a = build(other)\nload(a)",
    "import tempfile\na, b = [build(m, path=tempfile.mkdtemp() + '/a.pt2') for m in (one, other)]\nload(a), load(b)",
]


@pytest.mark.parametrize("body", [*WRONG, *RIGHT])
def test_said(body: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{HEAD}{body}\n"}, torch="2.13")
    assert [item.code for item in found].count("AOTI228") == int(body in WRONG)


def test_the_call_is_judged_by_what_is_there(tmp_path: Path) -> None:
    body = "a, b = build(one), build(torch.nn.Linear(16, 4), torch.randn(2, 16))\nload(a)(torch.randn(2, 8))\n"
    found = lint_files(tmp_path / "judged", {"script.py": HEAD + body}, torch="2.13")
    assert [item.code for item in found] == ["AOTI228", "AOTI301"]
