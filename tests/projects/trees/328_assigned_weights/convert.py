import torch

from checkpoint import Scorer, restore

torch.save(Scorer().state_dict(), "scorer.pt")
example = (torch.randn(4, 24, device="cuda"),)
torch.export.export(restore("scorer.pt", "cuda"), example)
torch.export.export(restore("scorer.pt", "cuda", assign=True), example)
