from contextlib import nullcontext

import torch


class Precision:
    def __init__(self, name="fp32"):
        self.name = name

    def context(self, device="cpu"):
        if self.name == "bf16":
            return torch.autocast(device, dtype=torch.bfloat16)
        return nullcontext()
