from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import torch


def locate(spec: str) -> type:
    """`package.module:Class`"""
    module_name, _, attribute = spec.partition(":")
    module: ModuleType = importlib.import_module(module_name)
    return getattr(module, attribute)


def example_for(cls: type, batch: int | None = None) -> torch.Tensor:
    shape, dtype = cls.EXAMPLE["shape"], cls.EXAMPLE["dtype"]
    if batch is not None:
        shape = (batch, *shape[1:])
    return torch.zeros(shape, dtype=dtype)


def build(spec: str, **kwargs: Any) -> str:
    cls = locate(spec)
    model = cls(**kwargs).eval()
    rows = torch.export.Dim("rows", max=4096)
    ep = torch.export.export(model, (example_for(cls),), dynamic_shapes=({0: rows},))
    return torch._inductor.aoti_compile_and_package(ep, package_path=f"{cls.__name__}.pt2")
