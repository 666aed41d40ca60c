import torch
from torch import nn

TORCH = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
OPTIONS = {"strict": False}
if TORCH >= (2, 9):
    OPTIONS["prefer_deferred_runtime_asserts_over_guards"] = True


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


print(torch.export.export(Net().eval(), (torch.randn(2, 8),), **OPTIONS).graph_signature.user_inputs)
