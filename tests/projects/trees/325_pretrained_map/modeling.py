import json
from pathlib import Path

import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, width, keep=False):
        super().__init__()
        inv = 1.0 / (10000 ** (torch.arange(0, width, 2).float() / width))
        if keep:
            self.register_buffer("inv", inv, persistent=False)
        else:
            self.inv = inv

    def forward(self, positions):
        angles = positions[:, None].float() * self.inv[None]
        return torch.cat([angles.sin(), angles.cos()], -1)


class Positional(nn.Module):
    def __init__(self, width=16, **options):
        super().__init__()
        self.rotary = Rotary(width, **options)
        self.out = nn.Linear(width, width)

    def forward(self, positions):
        return self.out(self.rotary(positions))

    @classmethod
    def from_pretrained(cls, path, *, device_map="cpu", **options):
        config = json.loads((Path(path) / "config.json").read_text())
        model = cls(config["width"], **options)
        return model.to(device_map).eval()
