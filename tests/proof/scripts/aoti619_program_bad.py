import tempfile

import torch

folder = tempfile.TemporaryDirectory()
path = f"{folder.name}/linear.pt2"
torch.export.save(torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),)), path)
print("there", torch.export.load(path).module()(torch.ones(2, 8)).shape)
folder.cleanup()
torch.export.load(path)  # <- AOTI619
