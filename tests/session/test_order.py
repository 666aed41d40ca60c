"""What units do is written down in one order, whatever order the sets of Python have in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PROGRAM = """\
import sys
from aoti_lint.cli.main import main
from aoti_lint.machine.recorded.recording import Recording

add = Recording._add

def told(recording, unit):
    print(unit.key, unit.number, file=sys.stderr)
    add(recording, unit)

Recording._add = told
main(["--no-config", "--torch-version", "2.13", "--cache-dir", sys.argv[1], "net.py"])
"""
NAMES = ("first", "second", "third", "fourth", "fifth", "sixth")
SCRIPT = f"""\
import torch

{" = ".join(NAMES)} = None

class Net(torch.nn.Linear):
    def prepare(self):
{"".join(f"        self.{name} = torch.zeros(2){chr(10)}" for name in NAMES)}
def fill():
    global {", ".join(NAMES)}
    {" = ".join(NAMES)} = torch.zeros(2)

def save(path):
    torch.export.save(torch.export.export(Net(2, 2), (first,)), path)
"""


def test_units_are_the_same_in_each_process(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(SCRIPT)

    def units(seed: int) -> str:
        environment = {**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-c", PROGRAM, str(tmp_path / f"kept{seed}")]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert "functions" in done.stderr
        return done.stderr

    assert len({units(seed) for seed in range(1, 5)}) == 1
