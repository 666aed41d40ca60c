from typing import NamedTuple

import torch
from torch import nn


class Config(NamedTuple):
    width: int = 6
    example_batch: int = 1
    dynamic: bool = False


def shapes(config: Config):
    if not config.dynamic:
        return None
    return ({0: torch.export.Dim("batch")},)


def build(config: Config):
    example = torch.rand(config.example_batch, config.width)
    return torch.export.export(nn.Linear(config.width, 3), (example,), dynamic_shapes=shapes(config))


for config in (Config(), Config(dynamic=True), Config(8, 4, True)):
    program = build(config)
    print(config, program.module()(torch.rand(config.example_batch, config.width)).shape)
