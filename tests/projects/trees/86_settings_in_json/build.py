import json
from pathlib import Path

import torch

cfg = json.loads((Path(__file__).parent / "config.json").read_text())
x = torch.zeros(cfg["batch"], cfg["width"], device=cfg["device"])
ep = torch.export.export(torch.nn.Tanh(), (x,))
torch._inductor.aoti_compile_and_package(ep, package_path="tanh.pt2")
