import os

import torch
from torch import nn

VERSION = (1, 4)


class Project:
    stem = "tide"

    def __init__(self, root="dist", gpu=True):
        self.root = root
        self.gpu = gpu

    @property
    def device(self):
        return torch.device("cuda" if self.gpu else "cpu")

    @property
    def path(self):
        return os.path.join(self.root, f"{self.stem}-v{VERSION[0]}.{VERSION[1]}.pt2")

    @property
    def example(self):
        return (torch.zeros(3, 10, device=self.device),)

    def module(self):
        return nn.Linear(10, 2).to(self.device).eval()

    def compile(self):
        os.makedirs(self.root, exist_ok=True)
        program = torch.export.export(self.module(), self.example)
        torch._inductor.aoti_compile_and_package(program, package_path=self.path)

    def load(self):
        return torch._inductor.aoti_load_package(self.path)
