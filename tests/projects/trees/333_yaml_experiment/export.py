import torch
from torch import nn

from conf import load

cfg = load()
model = nn.Sequential(nn.Linear(cfg.model.width, 8), nn.ReLU(), nn.Linear(8, 2)).to(cfg.runtime.device).eval()
good = torch.randn(cfg.runtime.example_batch, cfg.model.width, device=cfg.runtime.device)
torch.export.export(model, (good,))
bad = torch.randn(cfg.runtime.example_batch, cfg.model.width)
torch.export.export(model, (bad,))

layers = [nn.Linear(cfg.model.width, cfg.model.width) for _ in range(cfg.model.depth)]
deep = nn.Sequential(*layers).to(cfg.runtime.device).eval()
torch.export.export(deep, (good,))
torch.export.export(deep, (bad,))
