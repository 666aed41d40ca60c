import torch

from compile import capture_all
from vit import ViT, WindowedViT

(plain,) = capture_all(ViT)
print(plain.module()(torch.randn(7, 3, 16, 16)).shape)
capture_all(WindowedViT)
