from dataclasses import asdict, dataclass, replace

from torch import nn

from positions import POSITIONS


@dataclass
class EncoderConfig:
    width: int = 16
    positions: str = "learned"
    limit: int = 64


class Encoder(nn.Module):
    def __init__(self, width, positions, limit):
        super().__init__()
        self.positions = POSITIONS[positions](limit, width)
        self.mlp = nn.Sequential(nn.Linear(width, width), nn.GELU())

    @classmethod
    def from_config(cls, config, **changes):
        return cls(**asdict(replace(config, **changes)))

    def forward(self, x):
        return self.mlp(self.positions(x))
