import torch
from torch import nn

from base import EagerModelBase


class Speech(nn.Module):
    def __init__(self, mels=20):
        super().__init__()
        self.proj = nn.Linear(mels, 8)

    def forward(self, frames, *, mask):
        return self.proj(frames) * mask[..., None]


class SpeechModel(EagerModelBase):
    def __init__(self, mels=20):
        self.mels = mels

    def get_eager_model(self):
        return Speech(self.mels)

    def get_example_inputs(self):
        return (torch.randn(2, 50, self.mels),)

    def get_example_kwarg_inputs(self):
        return {"mask": torch.ones(2, 50)}

    def get_dynamic_shapes(self):
        time = torch.export.Dim("time", min=2, max=3000)
        return {"frames": {1: time}}


class Scaled(EagerModelBase):
    def get_eager_model(self):
        return nn.LayerNorm(6)

    def get_example_inputs(self):
        return (torch.randn(3, 6),)

    def get_dynamic_shapes(self):
        return {"input": {0: torch.export.Dim.DYNAMIC}}


MODEL_NAME_TO_MODEL = {"scaled": Scaled, "speech": SpeechModel}
