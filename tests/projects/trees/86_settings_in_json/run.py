import json

import torch

with open("config.json") as f:
    cfg = json.load(f)

run = torch._inductor.aoti_load_package("tanh.pt2")
print(run(torch.ones(cfg["batch"], cfg["width"], device=cfg["device"])))
print(run(torch.ones(cfg["batch"], cfg["width"])))
