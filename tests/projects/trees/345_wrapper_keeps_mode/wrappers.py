import torch
from torch import nn


class ListWrapper(nn.Module):
    """Positional in, positional out; takes the mode of what it wraps."""

    def __init__(self, model, fields):
        super().__init__()
        self.model, self.fields = model, fields
        self.train(model.training)

    def forward(self, *tensors):
        out = self.model(dict(zip(self.fields, tensors)))
        return tuple(out[key] for key in sorted(out))


class Frozen(nn.Module):
    """Has dropout that never runs."""

    def __init__(self, width, p=0.0):
        super().__init__()
        self.drop = nn.Dropout(p)
        self.norm = nn.BatchNorm1d(width)
        self.lin = nn.Linear(width, 2)

    def train(self, mode=True):
        super().train(mode)
        self.norm.eval()
        return self

    def forward(self, data):
        return {"logits": self.lin(self.drop(self.norm(data["x"]))) * data["w"]}
