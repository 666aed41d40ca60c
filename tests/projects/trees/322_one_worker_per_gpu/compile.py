import torch
from torch import nn


def main():
    device = torch.device("cuda")
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8)).eval().to(device)
    example = (torch.zeros(16, 64, device=device),)
    program = torch.export.export(model, example, dynamic_shapes=({0: torch.export.Dim("rows", min=2, max=4096)},))
    torch._inductor.aoti_compile_and_package(program, package_path="shard.pt2")


if __name__ == "__main__":
    main()
