import torch
from torch import nn

from base import ExportConfig


class Patches(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Conv2d(3, 8, 4, 4)

    def forward(self, pixel_values):
        return self.embed(pixel_values).flatten(2).mean(-1)


class PatchesConfig(ExportConfig):
    DYNAMIC_AXES = {"pixel_values": {0: "batch"}}

    def generate_dummy_inputs(self, batch_size):
        return {"pixel_values": torch.rand(batch_size, 3, 16, 16)}
