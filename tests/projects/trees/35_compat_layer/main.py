import torch
from torch import nn
from torch.export import Dim

import compat


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 8)

    def forward(self, x):
        a, b = self.fc(x).chunk(2, -1)
        return a * b.sigmoid()


def main():
    example = (torch.randn(3, 4),)
    dims = ({0: Dim("b", min=1, max=10)},)
    print(len(list(compat.capture(Gate().eval(), example, dims).graph.nodes)) > 0)
    gate = compat.load(compat.build(Gate().eval(), example, dims, "gate"))
    print(gate(torch.randn(10, 4)).shape)


if __name__ == "__main__":
    main()
