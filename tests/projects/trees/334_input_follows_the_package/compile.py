import sys

import torch
from torch import nn


def main(device):
    model = nn.Conv1d(2, 4, 3, padding=1).to(device).eval()
    time = torch.export.Dim("time", min=4, max=10_000)
    program = torch.export.export(model, (torch.randn(1, 2, 64, device=device),), dynamic_shapes=({2: time},))
    torch._inductor.aoti_compile_and_package(program, package_path=f"filter_{device}.pt2")


if __name__ == "__main__":
    for device in sys.argv[1:] or ["cpu", "cuda"]:
        main(device)
