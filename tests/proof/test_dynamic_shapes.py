"""The lines of `tests/rules/test_dynamic_shapes.py`, run: what is said to raise does, and nothing else."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.proof.test_proof import TORCH_PYTHON
from tests.rules.test_dynamic_shapes import HEAD, RAISED, RIGHT, SILENT

RUN = """
import json, sys
head, lines = json.load(open(sys.argv[1]))
raised = []
for line in lines:
    names = {"__name__": "script"}
    exec(head, names)
    try:
        exec(line, names)
        raised.append(False)
    except Exception:
        raised.append(True)
json.dump(raised, open(sys.argv[2], "w"))
"""


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="no torch here")
def test_lines(tmp_path: Path) -> None:
    wrong = [line for lines in RAISED.values() for line in lines]
    fine = [*RIGHT, *(line for lines in SILENT.values() for line in lines)]
    given, result = tmp_path / "lines.json", tmp_path / "raised.json"
    given.write_text(json.dumps([HEAD, [*wrong, *fine]]), encoding="utf-8")
    assert TORCH_PYTHON is not None
    subprocess.run([TORCH_PYTHON, "-c", RUN, str(given), str(result)], check=True, capture_output=True, timeout=600)
    raised = json.loads(result.read_text(encoding="utf-8"))
    differing = [line for line, did in zip([*wrong, *fine], raised, strict=True) if did != (line in wrong)]
    assert differing == []
