from __future__ import annotations

import torch
from torch.export import Dim, ExportedProgram


class Exporter:
    """Collects what an export needs, then does it.

    >>> Exporter(model).example(x).dynamic_batch().package("m.pt2")
    """

    def __init__(self, model: torch.nn.Module) -> None:
        self.model = model.eval()
        self._example: tuple[torch.Tensor, ...] = ()
        self._dynamic = False

    def example(self, *tensors: torch.Tensor) -> Exporter:
        self._example = tensors
        return self

    def dynamic_batch(self) -> Exporter:
        self._dynamic = True
        return self

    def shapes(self):
        if not self._dynamic:
            return None
        batch = Dim("batch", min=1, max=256)
        return tuple({0: batch} for _ in self._example)

    def program(self) -> ExportedProgram:
        return torch.export.export(self.model, self._example, dynamic_shapes=self.shapes())

    def package(self, path: str) -> str:
        return torch._inductor.aoti_compile_and_package(self.program(), package_path=path)
