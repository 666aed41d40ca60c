"""The forwards of `tests/rules/refused_forwards.txt`, exported: torch raises where it is said, and else does not."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.proof.test_proof import TORCH_PYTHON
from tests.rules.test_refused_forwards import CASES

RUN = """
import json, logging, sys, types, warnings
import torch

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
outcomes = []
for text in json.load(open(sys.argv[1])):
    torch._dynamo.reset()
    module = sys.modules["case"] = types.ModuleType("case")
    try:
        exec(compile(text, "case.py", "exec"), vars(module))
        outcomes.append(False)
    except Exception:
        outcomes.append(True)
json.dump(outcomes, open(sys.argv[2], "w"))
"""


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="no torch here")
def test_outcomes(tmp_path: Path) -> None:
    given, result = tmp_path / "cases.json", tmp_path / "outcomes.json"
    given.write_text(json.dumps([case.text for case in CASES]), encoding="utf-8")
    assert TORCH_PYTHON is not None
    subprocess.run([TORCH_PYTHON, "-c", RUN, str(given), str(result)], check=True, capture_output=True, timeout=900)
    raising = json.loads(result.read_text(encoding="utf-8"))
    differing = [(c.body, c.strict, r) for c, r in zip(CASES, raising, strict=True) if r != c.raises]
    assert differing == []
