from .text import TextNet
from .image import ImageNet

__all__ = ["TextNet", "ImageNet"]
