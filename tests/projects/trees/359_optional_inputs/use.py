import torch
from torch.export import Dim

from detector import Detector

n = Dim("n", min=2, max=300)
detector = Detector().eval()
bare = torch.export.export(detector, (torch.randn(5, 6),), dynamic_shapes={"features": {0: n}})
print(bare.module()(torch.randn(9, 6))["keep"].shape)
full = torch.export.export(
    detector,
    (torch.randn(5, 6),),
    {"anchors": torch.zeros(5, 4), "threshold": 0.5},
    dynamic_shapes={"features": {0: n}, "anchors": {0: n}, "threshold": None},
)
print(full.module()(torch.randn(8, 6), anchors=torch.zeros(8, 4), threshold=0.5)["boxes"].shape)
