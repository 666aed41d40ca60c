"""The class in one function of torch.cond, and its score in the other; both come out of a layer."""

import torch


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.classes = torch.nn.Linear(4, 3)

    def forward(self, x):
        def best(x):
            return self.classes(x).argmax(-1)

        def score(x):
            return self.classes(x).amax(-1)

        return torch.cond(x.mean() > 0, best, score, (x,))  # <- AOTI716


torch.export.export(Head(), (torch.randn(2, 4),))
