"""A closure loads on the first call and counts the rows it has seen."""
import torch
from torch import nn


def make_scorer(path):
    package, seen = None, 0

    def score(rows):
        nonlocal package, seen
        if package is None:
            package = torch._inductor.aoti_load_package(path)
        seen += rows.shape[0]
        return package(rows), seen

    return score


def build(path, example, **options):
    program = torch.export.export(nn.Linear(5, 2).eval(), (example,), **options)
    return torch._inductor.aoti_compile_and_package(program, package_path=path)


if __name__ == "__main__":
    score = make_scorer(build("closure.pt2", torch.rand(6, 5)))
    print(score(torch.rand(6, 5))[1])
    print(score(torch.rand(10, 5))[1])
