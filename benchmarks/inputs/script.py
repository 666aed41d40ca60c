"""Exports a small classifier, compiles it ahead of time and tries the package."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim, export


class Block(nn.Module):
    def __init__(self, channels: int, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, width, kernel_size=3, padding=1)
        self.second = nn.Conv2d(width, channels, kernel_size=3, padding=1)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.first(x))
        y = self.second(y)
        return F.relu(self.norm(x + y))


class Classifier(nn.Module):
    def __init__(self, classes: int = 10, depth: int = 4) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 32, kernel_size=7, stride=2, padding=3)
        self.blocks = nn.Sequential(*(Block(32, 64) for _ in range(depth)))
        self.head = nn.Linear(32, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.stem(x))
        x = self.blocks(x)
        x = x.mean(dim=(2, 3))
        return self.head(x)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--output", type=Path, default=Path("build"))
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--checkpoint", default=None)
    return parser.parse_args()


def load_weights(model: nn.Module, checkpoint: str | None) -> None:
    if checkpoint is None:
        return
    state = torch.load(checkpoint, map_location="cpu")
    model.load_state_dict(state["model"])


def compile_model(model: nn.Module, example: torch.Tensor, folder: Path) -> str:
    batch = Dim("batch", min=1, max=64)
    with torch.no_grad():
        program = export(model, (example,), dynamic_shapes={"x": {0: batch}})
    os.makedirs(folder, exist_ok=True)
    return torch._inductor.aoti_compile_and_package(
        program,
        package_path=str(folder / "classifier.pt2"),
        inductor_configs={"max_autotune": True},
    )


def compare(model: nn.Module, package: str, example: torch.Tensor) -> float:
    compiled = torch._inductor.aoti_load_package(package)
    with torch.no_grad():
        expected = model(example)
        found = compiled(example)
    return (expected - found).abs().max().item()


def main() -> None:
    arguments = parse_arguments()
    torch.manual_seed(0)
    model = Classifier().to(arguments.device)
    load_weights(model, arguments.checkpoint)
    model.eval()
    example = torch.randn(arguments.batch, 3, 224, 224, device=arguments.device)
    package = compile_model(model, example, arguments.output)
    print("written", package)
    for size in (1, 2, 8):
        trial = torch.randn(size, 3, 224, 224, device=arguments.device)
        print(size, compare(model, package, trial))


if __name__ == "__main__":
    main()
