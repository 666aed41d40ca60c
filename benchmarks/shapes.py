"""Inputs that grow in one way each: what of a script, a tree, an archive, a log there may be many of."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

Shape = Callable[[int, Path], list[str]]
"""Writes an input of a size into a folder, and gives the words of the command that is measured there."""

HEAD = """\
import os
import torch
from torch.export import Dim

class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1

"""
TAIL = """
program = torch.export.export(Net(), (torch.randn(4, 8),))
torch._inductor.aoti_compile_and_package(program, package_path="m.pt2")
run = torch._inductor.aoti_load_package("m.pt2")
run(torch.randn(4, 8))
"""
FORWARD = "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
DYNAMIC = TAIL.replace("8),))", '8),), dynamic_shapes=({0: torch.export.Dim("n", min=2, max=64)},))', 1)
CHECK = ["check", ".", "--no-cache", "--pedantic"]


def _many(
    line: str, before: str = "", after: str = "", *, head: str = HEAD, tail: str = TAIL, at_most: int = 1 << 40
) -> Shape:
    """A script with a line so many times: `@` in it is its number, `~` the number before it, `#` the last one."""
    return _of(lambda n: _files({"script.py": head + repeated(line, min(n, at_most), before, after) + tail}))


def _one(make: Callable[[int], str], *, head: str = HEAD, tail: str = TAIL) -> Shape:
    """A script with lines that grow."""
    return _of(lambda n: _files({"script.py": head + make(n) + "\n" + tail}))


def repeated(line: str, size: int, before: str = "", after: str = "") -> str:
    """The lines with their numbers, which start at 1."""
    lines = (line.replace("@", str(i)).replace("~", str(i - 1)) for i in range(1, size + 1))
    return "\n".join((before, *lines, after.replace("#", str(size)))) + "\n"


def _beside(name: str, line: str, before: str = "", after: str = "", words: list[str] = CHECK) -> Shape:
    """Another file with a line so many times, beside a script."""
    return _of(lambda n: _files({name: repeated(line, n, before, after).lstrip("\n"), "script.py": HEAD + TAIL}, words))


def _files(files: dict[str, str], words: list[str] = CHECK) -> Shape:
    def write(size: int, folder: Path) -> list[str]:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return words

    return write


def _of(make: Callable[[int], Shape]) -> Shape:
    return lambda size, folder: make(size)(size, folder)


def _import_each_other(size: int) -> Shape:
    files = {
        f"part{i}.py": f"import torch\nfrom part{(i + 1) % size} import *\n"
        f"from part{(i * 7) % size} import name{(i * 7) % size}\n"
        f"name{i} = torch.export.Dim('d{i}')\ndef f{i}(x):\n    return x\n"
        for i in range(size)
    }
    return _files({**files, "script.py": f"from part0 import *\n{HEAD}{TAIL}"})


def _archive(size: int, folder: Path, *, members: bool) -> list[str]:
    """A program with many nodes, or an archive with many members."""
    node = {"target": "torch.ops.aten.add.Tensor", "inputs": [], "outputs": [], "metadata": {}}
    model = {"graph_module": {"graph": {"inputs": [], "outputs": [], "nodes": [node] * (1 if members else size),
                                        "tensor_values": {}, "sym_int_values": {}, "sym_bool_values": {}},
                              "signature": {"input_specs": [], "output_specs": []}, "module_call_graph": []},
             "opset_version": {"aten": 10}, "range_constraints": {f"s{i}": {"min_val": 2, "max_val": i + 3}
             for i in range(1 if members else size)}, "schema_version": {"major": 8, "minor": 1}}  # fmt: skip
    with zipfile.ZipFile(folder / "model.pt2", "w") as archive:
        archive.writestr("m/archive_format", "pt2")
        archive.writestr("m/version", "0")
        archive.writestr("m/models/model.json", json.dumps(model))
        for number in range(size if members else 0):
            archive.writestr(f"m/data/weights/w{number}", b"x")
    return ["inspect", "model.pt2", "--output-format", "json", "--graph"]


def _weights(size: int, folder: Path) -> list[str]:
    header = json.dumps({f"layer.{i}.weight": {"dtype": "F32", "shape": [1], "data_offsets": [4 * i, 4 * i + 4]}
                         for i in range(size)}).encode()  # fmt: skip
    data = struct.pack("<Q", len(header)) + header + bytes(4 * size)
    (folder / "weights.safetensors").write_bytes(data)
    load = 'from safetensors.torch import load_file\nrun.load_constants(load_file("weights.safetensors"))\n'
    return _files({"script.py": HEAD + TAIL + load})(size, folder)


def _notebook(size: int) -> Shape:
    sources = [HEAD, *(f"x{i} = torch.randn({i}, 2)" for i in range(size)), TAIL]
    cells = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": []} for source in sources]
    return _files({"book.ipynb": json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})})


def _log(size: int, folder: Path) -> list[str]:
    lines = ["Traceback (most recent call last):"]
    for number in range(size):
        lines += [f'  File "/srv/app/part{number % 50}.py", line {number}, in call{number}', "    return self.next(x)"]
    lines.append("RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cpu")
    (folder / "run.log").write_text("\n".join(lines * 2), encoding="utf-8")
    return ["triage", "run.log", "--no-check"]


RETURNS = "        return x\n" + DYNAMIC
FUNCTION = "at::Tensor f@(at::Tensor x) { return x + @; }"
INCLUDE = "#include <torch/library.h>"
TRIAGE = ["triage", "run.log", "--no-check"]
_OF_STATEMENTS: dict[str, tuple[int, Shape]] = {
    "functions": (500, _many("def f@(x):\n    return x + @\nr@ = f@(torch.ones(2))")),
    "statements": (2000, _many("x@ = @ + 7")),
    "statements on one variable": (2000, _many("x = x + 1", "x = 1")),
    "calls in a row": (500, _many("y = f(y)", "def f(x):\n    return x + 1\ny = 0")),
    "branches in a row": (250, _many("if os.environ.get('A@'):\n    x += @\nelse:\n    y = @", "x = 0")),
    "branches in a forward": (
        100, _many("        if x.shape[0] > @:\n            x = x + @", head=FORWARD, tail=RETURNS),
    ),
    "arms of an if": (250, _many("elif y == @:\n    x = torch.ones(@)", "y = os.getpid()\nif y == 0:\n    x = 0")),
    "nested branches": (20, _one(lambda n: "".join(
        f"{'    ' * i}if os.environ.get('A{i}'):\n" for i in range(min(n, 90))) + "    " * min(n, 90) + "x = 1")),
    "call depth": (100, _many("def f@(x):\n    return f~(x) + 1", "def f0(x):\n    return x", "y = f#(1)")),
    "calls that double": (
        5, _many("def f@(x):\n    return f~(x) + f~(x + 1)", "def f0(x):\n    return x", "y = f#(1)"),
    ),
    "loop": (1000, _one(lambda n: f"x = 0\nfor i in range({n}):\n    x = x + i")),
    "nested loops": (10, _one(lambda n: f"x = 0\nfor i in range({n}):\n    for j in range({n}):\n        x += i * j")),
    "mutual imports": (50, _of(_import_each_other)),
    "files": (100, _of(lambda n: _files({f"part{i}.py": HEAD + TAIL.replace("m.pt2", f"m{i}.pt2") for i in range(n)}))),
    "exports": (50, _many("p@ = torch.export.export(Net(), (torch.ones(@, 8),))\nq@ = p@.module()(torch.ones(@, 8))")),
    "environment variables": (250, _many("os.environ['TORCH_X@'] = '@'")),
}  # fmt: skip
_OF_VALUES: dict[str, tuple[int, Shape]] = {
    "classes": (250, _many("class C@:\n    def __init__(self):\n        self.x = @\n"
                           "    def f(self):\n        return self.x\n"
                           "c@ = C@().f()")),
    "methods": (500, _many("    def f@(self):\n        return @", "class C:", "c = C()\ny = c.f1() + c.f#()")),
    "bases in a chain": (100, _many("class C@(C~):\n    y@ = @", "class C0:\n    x = 1", "z = C#().x")),
    "bases of a class": (100, _one(lambda n: "".join(f"class C{i}:\n    x{i} = 1\n" for i in range(n))
                                   + f"class D({', '.join(f'C{i}' for i in range(n))}):\n    pass\nz = D().x0")),
    "diamonds": (10, _many("class L@(A~): pass\nclass R@(A~): pass\nclass A@(L@, R@): pass", "class A0:\n    x = 1",
                           "z = A#().x")),
    "modules in a model": (100, _one(lambda n: f"model = torch.nn.Sequential({'torch.nn.Linear(8, 8), ' * n})\n"
                                               "ep = torch.export.export(model, (torch.randn(2, 8),))")),
    "lines of a forward": (250, _many("        x = x * @ + 1", head=FORWARD, tail=RETURNS)),
    "sizes in a forward": (20, _many("        n = n * n // (@ + 2) + n % (@ + 1)", "        n = x.shape[0]",
        head=FORWARD,
                                     tail="        return x.new_empty(n)\n" + DYNAMIC)),
    "a Dim times two": (100, _many("b = b * 2 + 1", "b = Dim('b')",
                                   "e = torch.export.export(Net(), (torch.ones(4, 8),), dynamic_shapes=({0: b},))")),
    "entries of a dict": (1000,
        _one(lambda n: "d = {" + ", ".join(f"'k{i}': {i}" for i in range(n)) + "}\ny = d['k1']")),
    "entries put in a dict": (500, _many("d['k@'] = @", "d = {}", "y = d['k1']")),
    "elements of a list": (1000, _one(lambda n: f"d = [{', '.join(map(str, range(n)))}]\ny = d[1]")),
    "appended elements": (500, _many("d.append(@)", "d = []", "y = d[1]")),
    "parts of a split": (10_000, _one(lambda n: f"for t in torch.zeros({n}).split(1):\n    y = t")),
    "a long sum": (200, _one(lambda n: "y = " + " + ".join(map(str, range(n))))),
    "a long text": (20_000, _one(lambda n: f"s = {'x' * n!r}\nt = s + s\nu = f'{{t}}{{s}}'\nv = u.replace('x', 'yy')")),
    "brackets": (20, _one(lambda n: f"y = {'(' * n}1{')' * n}\nz = {'[' * n}{']' * n}")),
    "arguments of a call": (250,
        _one(lambda n: f"def f(*a, **k):\n    return a\ny = f({', '.join(map(str, range(n)))}, "
                                                f"{', '.join(f'k{i}={i}' for i in range(n))})")),
    "attributes of an object": (500, _many("c.a@ = @", "class C: pass\nc = C()")),
}  # fmt: skip
_OF_FINDINGS: dict[str, tuple[int, Shape]] = {
    "findings": (100, _many("run(torch.randn(@5, 8))", head=HEAD + TAIL, tail="")),
    "findings in JSON": (100, _of(lambda n: _files(
        {"script.py": HEAD + TAIL + repeated("run(torch.randn(@5, 8))", n)}, [*CHECK, "--output-format", "json"]))),
    "ops": (50, _many("f@ = torch.library.custom_op('lib::f@', lambda x: x.new_empty(x.shape[0]), mutates_args=())\n"
                      "f@.register_fake(lambda x: x.new_empty(int(x.shape[0])))")),
    "suppression comments": (500, _many("x@ = @  # aoti-lint: ignore[AOTI301]")),
    "codes of a suppression": (2000, _one(lambda n: f"x = 1  # aoti-lint: ignore[{', '.join(['AOTI301'] * n)}]")),
    "types of a schema": (500, _one(lambda n: f"torch.library.define('lib::f', '({'Tensor x, ' * n}int n) -> ()')")),
    "brackets of a schema": (500, _one(lambda n: f"torch.library.define('lib::f', '{'(' * n}')")),
}  # fmt: skip
_OF_FILES: dict[str, tuple[int, Shape]] = {
    "cells of a notebook": (250, _of(_notebook)),
    "C++ functions": (250, _beside("ops.cpp", FUNCTION, INCLUDE,
        "TORCH_LIBRARY(lib, m) { m.def(\"f(Tensor x) -> Tensor\"); }")),
    "C++ ops": (100, _beside("ops.cpp",
        FUNCTION + "\nTORCH_LIBRARY_FRAGMENT(lib, m) { m.def(\"f@(Tensor x) -> Tensor\", &f@); }",
                             INCLUDE)),
    "C++ registrations": (250, _beside("ops.cpp", "m.def(\"f@(Tensor x) -> Tensor\");",
                                       INCLUDE + "\nTORCH_LIBRARY(lib, m) {", "}")),
    "C++ macros": (20, _beside("ops.cpp", "#define A@ A~ A~", INCLUDE + "\n#define A0 x;",
                               "TORCH_LIBRARY(lib, m) { A# m.def(\"f(Tensor x) -> Tensor\"); }")),
    "C++ brackets": (500, _of(lambda n: _files({
        "ops.cpp": INCLUDE + "\nTORCH_LIBRARY(lib, m) { m.def(\"f() -> ()\", " + "(" * n + "&f" + ")" * n + "); }"}))),
    "lines of a shell script": (500, _beside("run.sh", "export TORCH_X@=@", "#!/bin/sh", "python script.py")),
    "runs in a shell script": (100, _beside("run.sh", "TORCH_X@=@ python script.py", "#!/bin/sh")),
    "lines of a .env": (1000, _beside(".env", "TORCH_X@=@")),
    "steps of a workflow": (100, _beside(".github/workflows/ci.yml", "      - run: TORCH_X@=@ python script.py",
                                         "on: push\njobs:\n  a:\n    steps:")),
    "lines of a Dockerfile": (250, _beside("Dockerfile", "ENV TORCH_X@=@", "FROM x", "CMD python script.py")),
    "per-file-ignores": (250, _beside("aoti-lint.toml", "'x@/**/*.py' = ['AOTI3']", "[per-file-ignores]")),
    "patterns of .gitignore": (1000, _beside(".gitignore", "x@/**/*.y")),
    "requirements": (1000, _beside("requirements.txt", "package@==1.@", "torch==2.13.0")),
    "nodes of a program": (2000, lambda n, folder: _archive(n, folder, members=False)),
    "entries of an archive": (1000, lambda n, folder: _archive(n, folder, members=True)),
    "tensors of a weights file": (1000, _weights),
    "frames of a log": (5000, _log),
    "a line of a log": (50_000, _of(lambda n: _files({"run.log": "RuntimeError: " + "Expected x [(" * n}, TRIAGE))),
    "blanks in a log": (20_000, _of(lambda n: _files({"run.log": f"Error: {' ' * n}\n{chr(9) * n}x{' ' * n}\n"},
        TRIAGE))),
}  # fmt: skip
SHAPES = {**_OF_STATEMENTS, **_OF_VALUES, **_OF_FINDINGS, **_OF_FILES}
"""The size to begin with, and how it is written."""
