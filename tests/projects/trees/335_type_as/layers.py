import torch
from torch import nn


class Sampler(nn.Module):
    """Makes tensors in its forward in every way that is right."""

    def __init__(self, width=6):
        super().__init__()
        self.proj = nn.Linear(width, width)
        self.register_buffer("grid", torch.linspace(0, 1, width))
        self.scale = 0.5
        self.limit = torch.tensor(3.0)

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones(x.shape[:-1], device=x.device)
        noise = torch.zeros(x.shape[0], 1).type_as(x)
        steps = torch.arange(x.shape[1]).to(self.grid)
        x = torch.minimum(self.proj(x), self.limit)
        return (x + noise + steps + self.grid * self.scale) * mask[..., None]
