import torch
from torch import nn
from torch._inductor import aoti_compile_and_package as build
from torch._inductor import aoti_load_package as load


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


model = Net().eval()
example = torch.randn(2, 8)
build(torch.export.export(model, (example,)), package_path="net.pt2")
print(load("net.pt2")(example).shape)
