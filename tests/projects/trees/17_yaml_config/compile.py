import sys

import torch
import yaml
from torch import nn


def main(path="export.yaml"):
    with open(path) as handle:
        cfg = yaml.safe_load(handle)
    spec = cfg["model"]
    model = nn.Sequential(nn.Linear(spec["inputs"], spec["hidden"]), nn.ReLU(), nn.Linear(spec["hidden"], 1))
    model = model.to(cfg["device"]).eval()
    x = torch.randn(cfg["batch"], spec["inputs"], device=cfg["device"])
    dims = {"input": {0: torch.export.Dim("b")}} if cfg.get("dynamic") else None
    program = torch.export.export(model, (x,), dynamic_shapes=dims)
    torch._inductor.aoti_compile_and_package(program, package_path=cfg["package"])


if __name__ == "__main__":
    main(*sys.argv[1:2])
