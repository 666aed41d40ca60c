import abc

import torch


class Runner(abc.ABC):
    """Opens a compiled library once and keeps it."""

    device = "cuda"

    def __init__(self, library, device=None):
        self.library = library
        self._fn = torch._export.aot_load(library, device or self.device)

    @abc.abstractmethod
    def prepare(self, values):
        ...

    def __call__(self, values):
        return self._fn(self.prepare(values).to(self.device))


class HostRunner(Runner):
    device = "cpu"

    def prepare(self, values):
        return torch.as_tensor(values, dtype=torch.float32)


class GpuRunner(Runner):
    def prepare(self, values):
        return torch.as_tensor(values, dtype=torch.float32, device="cuda")
