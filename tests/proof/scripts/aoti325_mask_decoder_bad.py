import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
        self.decoder = nn.TransformerDecoder(layer, 1)
        self.register_buffer("mask", torch.triu(torch.ones(5, 5), 1).bool())

    def forward(self, x, memory):
        return self.decoder(x, memory, self.mask)  # <- AOTI325


torch.export.export(Net().eval(), (torch.randn(2, 5, 8), torch.randn(2, 3, 8)), strict=True)
