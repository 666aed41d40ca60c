import os

import torch

NAME = "denoise"
OUT_DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "out")


def devices() -> list[str]:
    found = ["cpu"]
    if torch.cuda.is_available():
        found.append("cuda")
    return found


def package_for(device: str) -> str:
    return os.path.join(OUT_DIR, f"{NAME}_{device}.pt2")
