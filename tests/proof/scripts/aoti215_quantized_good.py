"""Nothing of this model is replaced by the quantization, and the float model is exported."""

import torch

net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU()).eval()
program = torch.export.export(net, (torch.randn(2, 4),))
model = torch.ao.quantization.quantize_dynamic(net, {torch.nn.Linear}, dtype=torch.qint8)
print("differs", bool((program.module()(torch.ones(2, 4)) - model(torch.ones(2, 4))).abs().max() < 0.1))
