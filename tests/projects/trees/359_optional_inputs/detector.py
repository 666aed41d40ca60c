import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self, width=6, classes=3):
        super().__init__()
        self.box, self.cls = nn.Linear(width, 4), nn.Linear(width, classes)

    def forward(self, features, anchors=None, *, threshold: float = 0.3):
        boxes = self.box(features)
        if anchors is not None:
            boxes = boxes + anchors
        scores = self.cls(features).softmax(-1)
        return {"boxes": boxes, "scores": scores, "keep": scores.amax(-1) > threshold}
