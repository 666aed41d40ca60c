"""export_fn callbacks: a trainer calls each one with the model and a batch."""
from typing import Callable, Protocol

import torch

ExportFn = Callable[[torch.nn.Module, tuple], object]


class HasName(Protocol):
    name: str


def export_static(model, batch):
    return torch.export.export(model, batch).module()


def export_rows(model, batch):
    rows = torch.export.Dim.AUTO
    return torch.export.export(model, batch, dynamic_shapes=tuple({0: rows} for _ in batch)).module()


class Trainer:
    def __init__(self, model, export_fn: ExportFn = export_rows):
        self.model, self.export_fn = model, export_fn

    def fit(self, batches):
        for batch in batches:
            self.model(*batch)
        self.model.eval()
        self.exported = self.export_fn(self.model, batch)
        return self
