import conf
import steps
import torch

conf.values["rows"] = 5
conf.device = "meta"
conf.values.update(width=4)
steps.export_here()
from conf import device

conf.device = "cpu"
steps.export_here()
torch.export.export(steps.M().to(device), (torch.randn(2, 4, device=device),))
