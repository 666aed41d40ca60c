"""The coverage of trees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.coverage import main


def test_each_tree_has_its_table_and_its_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, made in (("known", "torch.nn.ReLU()"), ("lost", "mystery()")):
        (tmp_path / name).mkdir()
        script = f"import torch\ntorch.export.export({made}, (torch.ones(2, device='cpu'),))\n"
        (tmp_path / name / "a.py").write_text(script, encoding="utf-8")
    found = tmp_path / "found.json"
    assert main([str(tmp_path / "known"), str(tmp_path / "lost"), "--json", str(found)]) == 0
    known, lost = (part.splitlines() for part in capsys.readouterr().out.rstrip("\n").split("\n\nlost\n"))
    assert known[0] == "known"
    assert known[-1].startswith("  exports  1  followed 1 (100%)  model 1 (100%)")
    assert lost[-1].startswith("  exports  1  followed 1 (100%)  model 0 (0%)  forward 0 (0%)  inputs 1 (100%)")
    trees = json.loads(found.read_text(encoding="utf-8"))["trees"]
    assert [tree["tree"] for tree in trees] == ["known", "lost"]
    assert [tree["kinds"][0]["aspects"][0] for tree in trees] == [
        {"aspect": "model", "known": 1},
        {"aspect": "model", "known": 0},
    ]
