import torch

import splines


class Curve(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.knots = torch.nn.Parameter(torch.rand(9))

    def forward(self, at):
        return splines.evaluate(self.knots, at)


if __name__ == "__main__":
    print(torch.export.export(Curve(), (torch.rand(20),)))
