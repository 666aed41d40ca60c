import math

import torch
from torch import nn


class Big(nn.Module):
    def __init__(self, d: int = 32, layers: int = 2):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(d, d) for _ in range(layers))

    def reset_parameters(self):
        for layer in self.layers:
            nn.init.kaiming_uniform_(layer.weight, a=math.sqrt(5))
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


def materialise(device):
    with torch.device("meta"):
        big = Big()
    big = big.to_empty(device=device)
    big.reset_parameters()
    return big.eval()


big = materialise("cuda")
sample = torch.randn(3, 32, device=big.layers[0].weight.device)
ep = torch.export.export(big, (sample,), dynamic_shapes=[{0: torch.export.Dim("n", max=9)}])
path = torch._inductor.aoti_compile_and_package(ep, package_path="big.pt2")
run = torch._inductor.aoti_load_package(path)
print(run(torch.randn(4, 32, device="cuda")))
for device in ("cuda", "cpu"):
    probe = torch.ones(2, 32, device=device)
    print(run(probe))
