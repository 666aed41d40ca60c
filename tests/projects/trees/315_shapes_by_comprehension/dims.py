import torch


def image_shapes(model, *names):
    batch, height, width = torch.export.dims("batch", "height", "width", min=8, max=4096)
    return {name: {0: batch, 2: height, 3: width} for name in names}
