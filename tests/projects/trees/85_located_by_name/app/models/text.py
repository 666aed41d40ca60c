import torch
from torch import nn


class TextNet(nn.Module):
    EXAMPLE = {"shape": (2, 12), "dtype": torch.int64}

    def __init__(self, vocab=50):
        super().__init__()
        self.emb = nn.Embedding(vocab, 6)

    def forward(self, x):
        return self.emb(x).sum(1)
