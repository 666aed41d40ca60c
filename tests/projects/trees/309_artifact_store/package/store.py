"""Where programs lie: <root>/<name>/<version>/program.pt2, and a file that says which version is the latest."""
from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent / "artifacts"


@dataclass(frozen=True)
class Entry:
    name: str
    version: str = "v1"

    @property
    def folder(self) -> Path:
        return ROOT / self.name / self.version

    @property
    def path(self) -> Path:
        return (self.folder / "program").with_suffix(".pt2")

    def save(self, program: torch.export.ExportedProgram) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.export.save(program, self.path)
        (self.folder.parent / "latest.json").write_text(json.dumps({"version": self.version}))
        return self.path

    def load(self):
        return torch.export.load(self.path).module()
