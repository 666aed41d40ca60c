"""accelerate decides where things go; nobody here knows."""
import torch
from accelerate import Accelerator
from torch import nn


def main():
    accelerator = Accelerator()
    model = nn.Linear(8, 2)
    loader = torch.utils.data.DataLoader(torch.randn(64, 8), batch_size=16)
    model, loader = accelerator.prepare(model, loader)
    model = accelerator.unwrap_model(model).eval()
    example = next(iter(loader))
    program = torch.export.export(model, (example,), dynamic_shapes=({0: torch.export.Dim("b", max=64)},))
    path = torch._inductor.aoti_compile_and_package(program, package_path="linear.pt2")
    compiled = torch._inductor.aoti_load_package(path)
    print(compiled(torch.randn(16, 8, device="cuda")).shape)


if __name__ == "__main__":
    main()
