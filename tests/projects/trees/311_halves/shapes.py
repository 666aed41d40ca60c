import torch
from torch.export import Dim


def stereo_shapes(most=48_000):
    frames = Dim("frames", min=2, max=most)
    return {"samples": {0: 2 * frames}, "gains": {0: frames}}


def stereo_example(frames, extra=0):
    return torch.randn(2 * frames + extra), torch.ones(frames)
