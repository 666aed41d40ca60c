from abc import ABC, abstractmethod

import torch
from torch import nn

from spec import InputSpec, TensorSpec


class Exportable(ABC):
    @property
    @abstractmethod
    def input_spec(self) -> InputSpec: ...

    def export(self):
        self.eval()
        return torch.export.export(self, (), self.input_spec.example_inputs(), dynamic_shapes=self.input_spec.dynamic_shapes())


class Depth(Exportable, nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 1, 3, padding=1)

    @property
    def input_spec(self):
        return InputSpec({"images": TensorSpec((3, 8, 8)), "scale": TensorSpec((1,), batched=False)})

    def forward(self, images, scale):
        return self.body(images) * scale


class Flow(Exportable, nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(6, 2, 3, padding=1)

    @property
    def input_spec(self):
        frame = TensorSpec((3, 8, 8))
        return InputSpec({"first": frame, "last": frame})

    def forward(self, first, second):
        return self.body(torch.cat([first, second], 1))
