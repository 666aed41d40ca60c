from dataclasses import dataclass
from typing import Callable, Iterator

import torch
from torch import nn


@dataclass
class Case:
    build: Callable[[], nn.Module]
    inputs: Callable[[int], tuple]
    shapes: dict | None = None
    rows: int = 4

    def program(self):
        return torch.export.export(self.build().eval(), self.inputs(self.rows), dynamic_shapes=self.shapes)

    def other_rows(self) -> Iterator[int]:
        yield from (self.rows,) if self.shapes is None else (2, self.rows, 3 * self.rows)


ROWS = torch.export.Dim("rows", min=2, max=64)
CASES = {
    "fixed": Case(lambda: nn.Linear(3, 1), lambda n: (torch.randn(n, 3),)),
    "rows": Case(lambda: nn.Linear(3, 1), lambda n: (torch.randn(n, 3),), {"input": {0: ROWS}}),
    "pair": Case(
        lambda: nn.Bilinear(3, 2, 1),
        lambda n: (torch.randn(n, 3), torch.randn(n, 2)),
        {"input1": {0: ROWS}, "input2": {0: ROWS}},
        rows=6,
    ),
}
