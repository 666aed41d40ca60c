"""The exports of `tests/rules/forward_shapes`, run: torch refuses them, makes them static, or does what they say."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.proof.test_proof import TORCH_PYTHON
from tests.rules.test_forward_shapes import CASES

RUN = """
import importlib.util, json, sys
import torch
from torch.export import AdditionalInputs, Dim, ShapesCollection
from torch.export.dynamic_shapes import _DimHint, _DimHintType

def declared(spec):
    if isinstance(spec, dict):
        return sum(map(declared, spec.values()))
    if isinstance(spec, (list, tuple)):
        return sum(map(declared, spec))
    if isinstance(spec, _DimHint):
        return int(spec.type != _DimHintType.STATIC)
    return int(isinstance(spec, Dim))

def is_open(size):
    return isinstance(size, torch.SymInt) and size.node.maybe_as_int() is None

def found(program):
    inputs = set(program.graph_signature.user_inputs)
    values = [n.meta.get("val") for n in program.graph.nodes if n.op == "placeholder" and n.name in inputs]
    tensors = [v for v in values if isinstance(v, torch.Tensor)]
    return sum(is_open(s) for t in tensors for s in t.shape) + sum(map(is_open, values))

export, lost = torch.export.export, []

def watched(mod, args=(), kwargs=None, *, dynamic_shapes=None, **more):
    program = export(mod, args, kwargs, dynamic_shapes=dynamic_shapes, **more)
    if isinstance(dynamic_shapes, (ShapesCollection, AdditionalInputs)):
        dynamic_shapes = dynamic_shapes.dynamic_shapes(mod, args, kwargs)
    lost.append(found(program) < declared(dynamic_shapes))
    return program

torch.export.export = watched
outcomes = []
for index, path in enumerate(json.load(open(sys.argv[1]))):
    lost.clear()
    torch._dynamo.reset()
    spec = importlib.util.spec_from_file_location(f"case_{index}", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        outcomes.append("static" if any(lost) else "fine")
    except Exception:
        outcomes.append("refused")
json.dump(outcomes, open(sys.argv[2], "w"))
"""


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="no torch here")
def test_outcomes(tmp_path: Path) -> None:
    paths = []
    for index, case in enumerate(CASES):
        paths.append(str(tmp_path / f"case_{index}.py"))
        Path(paths[-1]).write_text(case.text, encoding="utf-8")
    given, result = tmp_path / "cases.json", tmp_path / "outcomes.json"
    given.write_text(json.dumps(paths), encoding="utf-8")
    assert TORCH_PYTHON is not None
    subprocess.run([TORCH_PYTHON, "-c", RUN, str(given), str(result)], check=True, capture_output=True, timeout=900)
    outcomes = json.loads(result.read_text(encoding="utf-8"))
    differing = {c.name: o for c, o in zip(CASES, outcomes, strict=True) if o != c.outcome}
    assert differing == {}
