import torch

from vit import ViT, ViTConfig, WindowedViT


def capture(cls, config=None):
    config = config or ViTConfig()
    model = cls(config).eval()
    example = torch.randn(config.batch, 3, config.image, config.image)
    batch = torch.export.Dim("batch", min=2, max=128)
    return torch.export.export(model, (example,), dynamic_shapes=({0: batch},))


def capture_all(*classes):
    return [capture(cls) for cls in classes]
