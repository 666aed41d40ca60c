import torch

from networks import create_model


def export(model):
    rows = torch.export.Dim("rows", min=2, max=32)
    return torch.export.export(model, (torch.randn(4, 3, 8, 8),), dynamic_shapes=({0: rows},))


torch.export.save(export(create_model("net", training=False)), "small.pt2")
torch.export.save(export(create_model("wide", p=0.2).eval()), "wide.pt2")
torch.export.save(export(create_model("net")), "net.pt2")
