import torch

from factory import build


def export(name, device="cuda"):
    model = build(name, device, features=8, classes=3)
    rows = torch.export.Dim("rows", min=2)
    return torch.export.export(model, (torch.randn(4, 8, device=device),), dynamic_shapes=({0: rows},))


print(export("head", device="cpu"))
print(export("quiet"))
print(export("head"))
