"""Backends by name: eager, exported, packaged."""
from abc import ABC, abstractmethod

import torch

BACKENDS: dict[str, type["Backend"]] = {}


def register(name):
    def deco(cls):
        BACKENDS[name] = cls
        return cls

    return deco


class Backend(ABC):
    def __init__(self, net, example):
        self.fn = self.prepare(net.eval(), example)

    @abstractmethod
    def prepare(self, net, example): ...

    def __call__(self, *args):
        with torch.no_grad():
            return self.fn(*args)


@register("eager")
class Eager(Backend):
    def prepare(self, net, example):
        return net


@register("exported")
class Exported(Backend):
    def prepare(self, net, example):
        return torch.export.export(net, example).module()


@register("packaged")
class Packaged(Exported):
    dynamic = True

    def prepare(self, net, example):
        spec = tuple({0: torch.export.Dim.AUTO} for _ in example) if self.dynamic else None
        ep = torch.export.export(net, example, dynamic_shapes=spec)
        return torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))
