import torch

from modeling import Positional


def capture(**options):
    model = Positional.from_pretrained("checkpoints/positional", **options)
    device = next(model.parameters()).device
    return torch.export.export(model, (torch.arange(10, device=device),))


capture()
capture(device_map="cuda", keep=True)
capture(device_map="cuda")
