"""A worker of a queue, which may or may not call `configure` before it asks for scores."""

import torch


class Scorer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head = torch.nn.Linear(6, 2)

    def forward(self, rows):
        return self.head(rows).softmax(-1)


def build(path: str = "scorer.pt2") -> str:
    program = torch.export.export(Scorer().eval(), (torch.randn(4, 6),))
    return torch._inductor.aoti_compile_and_package(program, package_path=path)


class Worker:
    def __init__(self) -> None:
        self.rows = 8
        self.width = 6
        self.run = torch._inductor.aoti_load_package(build())

    def configure(self, rows: int) -> None:
        self.rows = rows

    def process(self) -> torch.Tensor:
        return self.run(torch.zeros(self.rows, self.width))
