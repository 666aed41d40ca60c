from typing import Dict, List

import torch


class ListInputOutput(torch.nn.Module):
    """AOTInductor wants flat inputs; the model wants a dict."""

    def __init__(self, model: torch.nn.Module, keys: List[str]):
        super().__init__()
        self.model, self.keys = model, list(keys)

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        return self.model(dict(zip(self.keys, tensors)))


class DictInput:
    """The way back: a dict in, for a package that wants a list."""

    def __init__(self, package, keys):
        self.package, self.keys = package, list(keys)

    def __call__(self, data: Dict[str, torch.Tensor]) -> torch.Tensor:
        return self.package(*[data[key] for key in self.keys])
