import torch
from torch import nn

import ops  # noqa: F401  registers det::*


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.reg = nn.Linear(16, 4)
        self.cls = nn.Linear(16, 1)

    def forward(self, feats):
        boxes = self.reg(feats).cumsum(-1)
        scores = self.cls(feats).squeeze(-1).sigmoid()
        keep = torch.ops.det.nms(boxes, scores, 0.5)
        return boxes, keep, torch.ops.det.box_area(boxes)


def main():
    head = Head().eval()
    n = torch.export.Dim("anchors", min=2, max=4096)
    ep = torch.export.export(head, (torch.randn(20, 16),), dynamic_shapes={"feats": {0: n}})
    for anchors in (20, 33):
        boxes, keep, area = ep.module()(torch.randn(anchors, 16))
        print(boxes.shape, area.shape, keep.dtype)


if __name__ == "__main__":
    main()
