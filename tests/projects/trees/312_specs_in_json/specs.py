import json
from pathlib import Path

from torch.export import Dim

SPECS = json.loads(Path(__file__).with_name("models.json").read_text())


def dims(name):
    spec = SPECS[name]
    known = {dim: Dim(dim, min=low, max=high) for dim, (low, high) in spec["limits"].items()}
    return {arg: {int(index): known[dim] for index, dim in by_index.items()} for arg, by_index in spec["shapes"].items()}
