from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class ViTConfig:
    image: int = 16
    patch: int = 4
    width: int = 24
    heads: int = 3
    batch: int = 4

    @property
    def tokens(self):
        return (self.image // self.patch) ** 2


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        out = torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v
        return out.transpose(1, 2).reshape(b, n, c)


class ViT(nn.Module):
    def __init__(self, config: ViTConfig):
        super().__init__()
        self.config = config
        self.patch = nn.Conv2d(3, config.width, config.patch, config.patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, config.width))
        self.pos = nn.Parameter(torch.zeros(1, config.tokens + 1, config.width))
        self.block = Attention(config)

    def forward(self, images):
        x = self.patch(images).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], 1) + self.pos
        return self.block(x)[:, 0]


class WindowedViT(ViT):
    def forward(self, images):
        x = self.patch(images).flatten(2).transpose(1, 2)
        windows = x.reshape(self.config.batch * 4, 4, -1)
        return self.block(windows).mean(1)
