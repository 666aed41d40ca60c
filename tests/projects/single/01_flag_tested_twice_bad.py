"""--gpu is asked at compile time; at load time somebody asks for the machine instead of the flag, the other way round."""
import argparse
import os

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 3)

    def forward(self, x):
        return self.fc(x).relu()


def build(args):
    model, x = Net().eval(), torch.randn(4, 6)
    if args.gpu:
        model, x = model.cuda(), x.cuda()
    return torch._export.aot_compile(model, (x,), options={"aot_inductor.output_path": os.path.abspath("net.so")})


def run(args, path):
    if not args.gpu:
        device = "cuda"
    else:
        device = "cpu"
    net = torch._export.aot_load(path, device)
    x = torch.randn(4, 6, device=device)
    return net(x)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", action="store_true")
    args = parser.parse_args()
    print(run(args, build(args)).shape)
