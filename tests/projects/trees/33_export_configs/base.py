import abc

import torch
from torch.export import Dim


class ExportConfig(abc.ABC):
    """What must be known of a model family before it can be exported."""

    DEFAULT_BATCH = 1
    DYNAMIC_AXES: dict[str, dict[int, str]] = {}

    def __init__(self, model):
        self.model = model.eval()

    @abc.abstractmethod
    def generate_dummy_inputs(self, batch_size: int) -> dict[str, torch.Tensor]:
        ...

    def dynamic_shapes(self):
        return {name: {axis: Dim.DYNAMIC for axis in axes} for name, axes in self.DYNAMIC_AXES.items()}

    def export(self, batch_size=None):
        inputs = self.generate_dummy_inputs(batch_size or self.DEFAULT_BATCH)
        return torch.export.export(self.model, (), kwargs=inputs, dynamic_shapes=self.dynamic_shapes())
