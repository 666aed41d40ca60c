import torch
from torch import nn


class TextEncoder(nn.Module):
    def __init__(self, vocab=100, width=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.out = nn.Linear(width, 4)

    def forward(self, input_ids, attention_mask):
        hidden = self.embed(input_ids) * attention_mask.unsqueeze(-1)
        return self.out(hidden.sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1))

    def dummy_inputs(self, batch=1, length=12):
        ids = torch.zeros(batch, length, dtype=torch.long)
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}

    @classmethod
    def from_pretrained(cls, name_or_path, **overrides):
        config = {"vocab": 100, "width": 16, **overrides}
        return cls(**config).eval()
