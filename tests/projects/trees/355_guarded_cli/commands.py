"""Each command says what it needs; main hands over."""
import torch
from torch import nn

COMMANDS = {}


def command(fn):
    COMMANDS[fn.__name__] = fn
    return fn


def network():
    return nn.Sequential(nn.Linear(6, 6), nn.Dropout(0.1)).eval()


@command
def export(rows=4, dynamic=False):
    shapes = ({0: torch.export.Dim("rows", min=2)},) if dynamic else None
    torch.export.save(torch.export.export(network(), (torch.randn(rows, 6),), dynamic_shapes=shapes), "cli.pt2")


@command
def run(rows=4):
    print(torch.export.load("cli.pt2").module()(torch.randn(rows, 6)).shape)
