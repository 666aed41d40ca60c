import os

import torch
from torch import nn

from common import OUT_DIR, devices, package_for


class Denoise(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv1d(1, 4, 5, padding=2)
        self.up = nn.Conv1d(4, 1, 5, padding=2)

    def forward(self, wave):
        return wave - self.up(torch.relu(self.down(wave)))


def build(device):
    model = Denoise().to(device).eval()
    wave = torch.randn(3, 1, 80, device=device)
    program = torch.export.export(model, (wave,), dynamic_shapes={"wave": {0: torch.export.Dim("n", min=1, max=64)}})
    return torch._inductor.aoti_compile_and_package(program, package_path=package_for(device))


if __name__ == "__main__":
    os.makedirs(OUT_DIR, exist_ok=True)
    for device in devices():
        print(device, os.path.basename(build(device)))
