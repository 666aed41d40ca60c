"""Two devices, two libraries, zipped in the wrong order."""
import os

import torch

DEVICES = ["cpu", "cuda"]
LIBS = [os.path.abspath(f"toggle-{d}.so") for d in DEVICES]


class Toggle(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.tensor([[1.0, 0.0], [0.0, -1.0]]))

    def forward(self, x):
        return x @ self.table


def build():
    for device, path in zip(DEVICES, LIBS):
        with torch.device(device):
            model, x = Toggle(), torch.rand(3, 2)
        torch._export.aot_compile(model, (x,), options={"aot_inductor.output_path": path})


def run():
    for device, path in zip(reversed(DEVICES), LIBS):
        toggle = torch._export.aot_load(path, device)
        print(device, toggle(torch.ones(3, 2, device=device)).sum().item())


if __name__ == "__main__":
    build()
    run()
