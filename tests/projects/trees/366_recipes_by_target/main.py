import importlib

import torch
from torch.export import Dim, export

from recipes import RECIPES, Recipe


def instantiate(recipe: Recipe):
    module, _, name = recipe.target.rpartition(".")
    cls = getattr(importlib.import_module(module), name)
    return cls(**recipe.params)


def run(recipe: Recipe):
    data = recipe.data
    tokens = torch.zeros(data.batch, data.length, dtype=torch.long)
    length = Dim("length", min=2, max=data.max_length)
    return export(instantiate(recipe).eval(), (tokens,), dynamic_shapes=({1: length},))


if __name__ == "__main__":
    for name, recipe in RECIPES.items():
        print(name, len(run(recipe).graph.nodes))
