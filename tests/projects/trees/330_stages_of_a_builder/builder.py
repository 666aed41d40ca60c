from __future__ import annotations

import torch


class PackageBuilder:
    """captured().on(device).packaged(path)"""

    def __init__(self, model: torch.nn.Module, *example: torch.Tensor):
        self.model, self.example = model.eval(), example
        self.program = None

    def on(self, device) -> PackageBuilder:
        self.model.to(device)
        self.example = tuple(t.to(device) for t in self.example)
        return self

    def captured(self, **options) -> PackageBuilder:
        self.program = torch.export.export(self.model, self.example, **options)
        return self

    def packaged(self, path: str) -> str:
        return torch._inductor.aoti_compile_and_package(self.program, package_path=path)
