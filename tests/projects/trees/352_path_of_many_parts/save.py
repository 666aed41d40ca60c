import torch
from torch import nn

from layout import artifact

model = nn.Linear(4, 4).eval()
artifact("m").parent.mkdir(exist_ok=True)
torch.export.save(torch.export.export(model, (torch.randn(2, 4),)), artifact("m", rows=2))
torch.export.save(torch.export.export(model, (torch.randn(8, 4),)), artifact("m", rows=8))
free = ({0: torch.export.Dim("n", min=1)},)
torch.export.save(torch.export.export(model, (torch.randn(8, 4),), dynamic_shapes=free), artifact("m"))
