"""What a process that runs the linter again and again has done before."""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

from aoti_lint.cli.main import main

SCRIPT = """\
import torch

program = torch.export.export(torch.nn.Linear(8, 8).eval(), (torch.randn(2, 8),))
torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))(torch.randn(2, 8))
"""


def check() -> None:
    """Have everything imported that a check imports when it first needs it."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        script = Path(folder, "script.py")
        script.write_text(SCRIPT, encoding="utf-8")
        main(["--no-cache", "--output-format", "json", str(script)])
