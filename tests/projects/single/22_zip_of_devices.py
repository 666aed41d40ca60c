"""Two devices, two libraries, always met in pairs."""
import os

import torch

DEVICES = ["cpu", "cuda"]
LIBS = {d: os.path.abspath(f"toggle-{d}.so") for d in DEVICES}


class Toggle(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.tensor([[1.0, 0.0], [0.0, -1.0]]))

    def forward(self, x):
        return x @ self.table


def build(devices):
    for device in devices:
        with torch.device(device):
            model, x = Toggle(), torch.rand(3, 2)
        torch._export.aot_compile(model, (x,), options={"aot_inductor.output_path": LIBS[device]})


def run(devices):
    for device, path in LIBS.items():
        if device not in devices:
            continue
        toggle = torch._export.aot_load(path, device)
        print(device, toggle(torch.ones(3, 2, device=device)).sum().item())


if __name__ == "__main__":
    present = [d for d in DEVICES if d == "cpu" or torch.cuda.is_available()]
    build(present)
    run(present)
