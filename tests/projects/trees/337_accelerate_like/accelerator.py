import torch


class Accelerator:
    def __init__(self, cpu=False):
        self._device = torch.device("cpu") if cpu else torch.device("cuda", 0)

    @property
    def device(self):
        return self._device

    def prepare(self, *objects):
        moved = tuple(o.to(self.device) for o in objects)
        return moved if len(moved) > 1 else moved[0]

    def unwrap_model(self, model):
        return getattr(model, "module", model)
