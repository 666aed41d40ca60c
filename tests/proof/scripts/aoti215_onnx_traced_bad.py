import sys

import torch


def write(net, x):
    traced = torch.jit.trace(net, (x,))
    torch.onnx.export(traced, (x,), "net.onnx", opset_version=11)  # <- AOTI215


kinds = {"linear": torch.nn.Linear, "identity": torch.nn.Identity}
write(kinds[sys.argv[1] if len(sys.argv) > 1 else "linear"](4, 4), torch.ones(2, 4))
