"""The benchmark of sessions measures what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import session


def test_it_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tree = tmp_path / "tree"
    (tree / "torchao" / "quantization").mkdir(parents=True)
    (tree / "torchao" / "__init__.py").touch()
    text = "import torch\nquantize_ = Int8WeightOnlyConfig = print"
    (tree / "torchao" / "quantization" / "__init__.py").write_text(text)
    session.main(["--tree", str(tree), "--keys", "3", "--edits", "2"])
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in said] == [
        "a keystroke in a script of 300 lines",
        "an edit of one of 2 files, all checked",
    ]
