from dataclasses import dataclass, fields

import torch
from torch.export import Dim


@dataclass
class TextBatch:
    input_ids: torch.Tensor
    mask: torch.Tensor

    @classmethod
    def example(cls, rows=3, length=7):
        return cls(torch.ones(rows, length, dtype=torch.long), torch.ones(rows, length))

    def as_inputs(self):
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass
class PairBatch(TextBatch):
    other_ids: torch.Tensor = None

    @classmethod
    def example(cls, rows=3, length=7):
        first = TextBatch.example(rows, length)
        return cls(first.input_ids, first.mask, first.input_ids.clone())


ROWS = Dim("rows", max=512)


def dynamic(cls):
    """An entry for each field of a batch."""
    return {f.name: {0: ROWS} for f in fields(cls)}
