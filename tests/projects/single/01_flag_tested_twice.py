"""--gpu is asked twice, in two functions: both times the same answer."""
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
    if args.gpu:
        device = "cuda"
    else:
        device = "cpu"
    net = torch._export.aot_load(path, device)
    x = torch.randn(4, 6)
    if args.gpu:
        x = x.cuda()
    return net(x)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", action="store_true")
    args = parser.parse_args()
    print(run(args, build(args)).shape)
