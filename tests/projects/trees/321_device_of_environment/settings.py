import os
from dataclasses import dataclass, field

import torch


@dataclass
class Settings:
    device: str = field(default_factory=lambda: os.environ.get("TAGGER_DEVICE", "cuda"))
    root: str = os.environ.get("TAGGER_HOME", "models")

    @property
    def torch_device(self) -> torch.device:
        return torch.device(self.device)


settings = Settings()
