import json
from pathlib import Path

import torch

if __name__ == "__main__":
    cfg = json.loads(Path("serve.json").read_text())
    model = torch._inductor.aoti_load_package(cfg["package"])
    device = cfg.get("device", "cuda")
    print(model(torch.randn(cfg.get("batch", 16), 5, device=device)).shape)
