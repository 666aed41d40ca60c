import sys

import torch
from torch import nn

from artifacts import TABLE, Artifact


class Keyword(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, 4))

    def forward(self, mel):
        return self.net(mel).softmax(-1)


def build(artifact: Artifact) -> str:
    device = artifact.target.value
    model = Keyword(artifact.width).to(device).eval()
    mel = torch.randn(4, artifact.width, device=device)
    options = {"aot_inductor.output_path": artifact.library}
    return torch._export.aot_compile(model, (mel,), options=options)


def main(names):
    for name in names or ["edge"]:
        print(name, build(TABLE[name]))


if __name__ == "__main__":
    main(sys.argv[1:])
