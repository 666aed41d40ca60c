import torch


class Metrics:
    def __init__(self):
        self.values = []

    @torch.compiler.disable
    def record(self, x):
        self.values.append(float(x.sum()))


metrics = Metrics()


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    metrics.record(x)  # <- AOTI515
    return x * 2


step(torch.ones(3))
