"""AOTI720: which calls need code of their own. Each case of `recompile_limit.txt` was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

START = """import torch
import torch.nn.functional as F

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int16, torch.int32,
          torch.int64, torch.uint8, torch.bool, torch.complex64, torch.complex128]
LAYERS = torch.nn.ModuleList([torch.nn.Linear(3, 3) for _ in range(20)])
TABLE = {letter: number for number, letter in enumerate('abcdefghijklmnop')}
X = torch.ones(4, 3)
"""
FUNCTION = """
run = torch.compile({body}, backend="eager", fullgraph=True, {more})
for i in range(12):
    run({given})
"""
MODULE = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0
        self.layer = torch.nn.Linear(3, 3)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(3, 3) for _ in range(20)])

    def reset(self):
        self.n = 0

    def forward(self, x):
        {body}

model = Model()
run = torch.compile(model, backend="eager", fullgraph=True)
for i in range(12):
    {given}
    run(X)
"""
CASES = (Path(__file__).parent / "recompile_limit.txt").read_text().splitlines()


def script_of(case: str) -> str:
    body, *rest = case.partition(": ")[2].split(" | ")
    if "return " in body:
        return START + MODULE.format(body=body, given="".join(rest) or "pass")
    return START + FUNCTION.format(body=body, given=rest[0], more="".join(rest[1:]))


@pytest.mark.parametrize("case", CASES)
def test_said(case: str, tmp_path: Path) -> None:
    said = lint_files(tmp_path / "run", {"run.py": script_of(case)})
    wanted = [("AOTI720", "error", "certain")] if case.startswith("raises") else []
    assert [(item.code, item.severity, item.confidence) for item in said] == wanted


INSTANCES = """
class Scale(torch.nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by

    def forward(self, x):
        return x * self.by

layers = [Scale(number) for number in range(12)]
for one in layers:
    torch.compile(one, backend="eager"{more})(X)
"""
COUNTED = """
class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x

def train(batches):
    {before}counter = torch.compile(Counter(), backend="eager"{more})
    for batch in batches:
        {inside}counter(batch)
"""


def said(folder: Path, script: str) -> list[tuple[str, str]]:
    return [(item.severity, item.confidence) for item in lint_files(folder, {"run.py": START + script})]


def test_modules_of_one_class_share_the_limit_where_no_graph_breaks(tmp_path: Path) -> None:
    assert said(tmp_path / "whole", INSTANCES.format(more=", fullgraph=True")) == [("warning", "likely")]
    assert not said(tmp_path / "parts", INSTANCES.format(more=""))


def test_what_changes_the_limit(tmp_path: Path) -> None:
    bad = FUNCTION.format(body="lambda x: x", given="torch.ones([2] * (i + 1))", more="")
    assert said(tmp_path / "as_it_is", bad) == [("error", "certain")]
    for number, line in enumerate((
        "torch._dynamo.config.recompile_limit = 64", "torch._dynamo.config.cache_size_limit = 64",
        "    torch._dynamo.reset()", "    torch.compiler.reset()",
    )):  # fmt: skip
        assert not said(tmp_path / str(number), f"{bad}{line}\n")
    assert not said(
        tmp_path / "caught", bad.replace("    run", "    try: run").rstrip() + "\n    except Exception: pass\n"
    )


def test_without_one_graph_it_is_a_warning(tmp_path: Path) -> None:
    bad = FUNCTION.format(body="lambda x: x", given="torch.ones([2] * (i + 1))", more="").replace(
        "fullgraph=True, ", ""
    )
    assert said(tmp_path / "run", bad) == [("warning", "likely")]


def test_a_count_in_a_loop(tmp_path: Path) -> None:
    warned = [("warning", "likely")]
    assert said(tmp_path / "parts", COUNTED.format(before="", inside="", more="")) == warned
    assert said(tmp_path / "whole", COUNTED.format(before="", inside="", more=", fullgraph=True")) == warned
    anew = COUNTED.format(before="", inside="", more="").replace(
        "        return x", "        self.calls %= 4\n        return x"
    )
    assert not said(tmp_path / "anew", anew.format(before="", inside="", more=""))
    each = COUNTED.format(before="pass  # ", inside="counter = torch.compile(Counter()); ", more="")
    assert not said(tmp_path / "each", each)
