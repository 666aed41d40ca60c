import torch
from torch import nn

BASE = {"max_autotune": False, "aot_inductor.debug_compile": False}
DEBUG = {"aot_inductor.debug_intermediate_value_printer": "3"}


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


def build(debug=False):
    configs = dict(BASE)
    if debug:
        configs = {**configs, **DEBUG}
    program = torch.export.export(Net().eval(), (torch.randn(2, 8),))
    return torch._inductor.aoti_compile_and_package(program, package_path="net.pt2", inductor_configs=configs)


build(debug=True)
