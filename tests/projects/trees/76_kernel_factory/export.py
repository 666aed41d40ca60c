import torch
from torch import nn

import kernels


class Pipeline(nn.Module):
    def forward(self, x):
        return kernels.ramp(kernels.clip_norm(x, 2.0))


if __name__ == "__main__":
    program = torch.export.export(Pipeline(), (torch.rand(4, 6),))
    print(program)
