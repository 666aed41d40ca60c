import os

import torch

LIB = os.path.abspath("lens.so")


def best_device():
    return torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
