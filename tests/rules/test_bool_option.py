"""AOTI518: options of `type=bool`, and what they decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import argparse, os
import torch

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--on", {kind}, default={default})
    parser.add_argument("--on_too", action="store_true")
    options = parser.parse_args()
    model, rows = torch.nn.Linear(8, 2).eval(), {{0: torch.export.Dim("rows")}}
    {body}
    torch.export.export(model, (torch.randn(4, 8),))

main()
"""
DECIDED = [
    "torch.export.export(model, (torch.randn(4, 8),), strict=options.on)",
    "torch.export.export(model, (torch.randn(4, 8),), dynamic_shapes=(rows,) if options.on else None)",
    "if options.on:\n        torch.compile(model, fullgraph=True)",
    "torch.compile(model, dynamic=options.on)",
    "torch._inductor.config.freezing = options.on",
    "if options.on:\n        os.environ['TORCHINDUCTOR_CACHE_DIR'] = 'cache'",
]
ELSEWHERE = [
    "print(options.on)",
    "if options.on:\n        print('a')",
    "torch._inductor.config.freezing = options.on_too",
    "model.eval() if options.on else None",
]


@pytest.mark.parametrize("body", [*DECIDED, *ELSEWHERE])
def test_said(body: str, tmp_path: Path) -> None:
    for default, kind, told in [
        ("True", "type=bool", body in DECIDED),
        ("False", "type=bool", body in DECIDED),
        ("True", "action=argparse.BooleanOptionalAction", False),
        ("True", "type=lambda text: text == 'yes'", False),
    ]:
        script = SCRIPT.format(body=body, default=default, kind=kind)
        folder = tmp_path / f"{default}{len(kind)}"
        found = [item for item in lint_files(folder, {"script.py": script}, torch="2.13") if item.code == "AOTI518"]
        assert [(item.row, item.severity) for item in found] == [(6, "warning")] * told


def test_a_parser_that_reads_true_and_false(tmp_path: Path) -> None:
    script = SCRIPT.format(body=DECIDED[0], default="True", kind="type=bool").replace("argparse", "jsonargparse")
    assert not lint_files(tmp_path / "run", {"script.py": script}, torch="2.13")
