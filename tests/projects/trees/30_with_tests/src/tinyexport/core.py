from __future__ import annotations

import os
from typing import Any

import torch
from torch.export import ExportedProgram


def export_static(model: torch.nn.Module, *args: Any, **dims: Any) -> ExportedProgram:
    """Static unless `dims` names inputs: export_static(m, x, x={0: Dim("b")})."""
    return torch.export.export(model.eval(), args, dynamic_shapes=dims or None)


def package(program: ExportedProgram, path: str | os.PathLike[str]) -> Any:
    done = torch._inductor.aoti_compile_and_package(program, package_path=os.fspath(path))
    return torch._inductor.aoti_load_package(done)
