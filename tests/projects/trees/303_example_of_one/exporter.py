import torch
from torch.export import Dim


class Exporter:
    def __init__(self, model, **sizes):
        self.model, self.sizes = model, sizes

    def run(self):
        inputs = self.model.dummy_inputs(**self.sizes)
        batch, length = Dim("batch", min=1, max=64), Dim("length", min=2, max=512)
        shapes = {name: {0: batch, 1: length} for name in inputs}
        return torch.export.export(self.model, (), inputs, dynamic_shapes=shapes)
