import os
import tempfile

import torch

os.chdir(tempfile.mkdtemp())


def store(program, day):
    torch.export.save(program, f"ranker_{day}.pt2")


def serve(day):
    return torch.export.load(f"ranker-{day}.pt2").module()  # <- AOTI221


store(torch.export.export(torch.nn.ReLU(), (torch.randn(2),)), "monday")
serve("monday")
