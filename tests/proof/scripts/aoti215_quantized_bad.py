"""The weights of a converted model are objects of C++, which an export does not see into."""

import torch

net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU()).eval()
model = torch.ao.quantization.quantize_dynamic(net, {torch.nn.Linear}, dtype=torch.qint8)
torch.export.export(model, (torch.randn(2, 4),))  # <- AOTI215
