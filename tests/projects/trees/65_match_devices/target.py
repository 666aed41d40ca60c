from enum import Enum

import torch


class Target(str, Enum):
    LAPTOP = "laptop"
    RACK = "rack"


def device_of(target: Target) -> torch.device:
    match target:
        case Target.LAPTOP:
            return torch.device("cpu")
        case Target.RACK:
            return torch.device("cuda", 0)
        case _:
            raise ValueError(target)


def package_of(target: Target) -> str:
    return f"ocr-{target.value}.pt2"
