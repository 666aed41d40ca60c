import torch
from torch import nn

OVERRIDES = {
    "max_autotune": False,
    "epilogue_fusion": True,
    "triton.unique_kernel_name": True,
}


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


def configure(overrides):
    for key, value in overrides.items():
        setattr(torch._inductor.config, key, value)


configure(OVERRIDES)
program = torch.export.export(Net().eval(), (torch.randn(2, 8),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
